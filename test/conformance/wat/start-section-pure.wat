;; A start section without host calls.
(module
  (memory (export "memory") 1)
  (global $g (mut i32) (i32.const 0))
  (func (export "proxy_abi_version_0_2_1"))
  (func (export "proxy_on_memory_allocate") (param i32) (result i32) (i32.const 1024))
  (func $s (global.set $g (i32.const 1)))
  (start $s)
  (func (export "proxy_on_vm_start") (param i32 i32) (result i32) (global.get $g)))
