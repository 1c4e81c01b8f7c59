;; An endless recursion in proxy_on_vm_start.
(module
  (memory (export "memory") 1)
  (func (export "proxy_abi_version_0_2_1"))
  (func (export "proxy_on_memory_allocate") (param i32) (result i32) (i32.const 1024))
  (func $deeper (param i32) (result i32) (i32.add (i32.const 1) (call $deeper (local.get 0))))
  (func (export "proxy_on_vm_start") (param i32 i32) (result i32) (call $deeper (i32.const 1))))
