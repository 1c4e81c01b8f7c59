;; A function of 0.1.0 alone, in a module of 0.2.1.
(module
  (import "env" "proxy_get_configuration" (func (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "proxy_abi_version_0_2_1"))
  (func (export "proxy_on_memory_allocate") (param i32) (result i32) (i32.const 1024))
  (func (export "proxy_on_vm_start") (param i32 i32) (result i32) (i32.const 1)))
