;; A table of external references.
(module
  (memory (export "memory") 1)
  (table $t 1 externref)
  (func (export "proxy_abi_version_0_2_1"))
  (func (export "proxy_on_memory_allocate") (param i32) (result i32) (i32.const 1024))
  (func (export "proxy_on_vm_start") (param i32 i32) (result i32)
    (i32.eq (table.size $t) (i32.const 1))))
