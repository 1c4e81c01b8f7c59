;; An exception that leaves the export.
(module
  (memory (export "memory") 1)
  (tag $e (param i32))
  (func (export "proxy_abi_version_0_2_1"))
  (func (export "proxy_on_memory_allocate") (param i32) (result i32) (i32.const 1024))
  (func (export "proxy_on_vm_start") (param i32 i32) (result i32) (throw $e (i32.const 1))))
