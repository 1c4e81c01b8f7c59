;; Bulk memory operations.
(module
  (memory (export "memory") 1)
  (data $d "abc")
  (func (export "proxy_abi_version_0_2_1"))
  (func (export "proxy_on_memory_allocate") (param i32) (result i32) (i32.const 1024))
  (func (export "proxy_on_vm_start") (param i32 i32) (result i32)
    (memory.init $d (i32.const 100) (i32.const 0) (i32.const 3))
    (data.drop $d)
    (memory.fill (i32.const 200) (i32.const 7) (i32.const 4))
    (memory.copy (i32.const 300) (i32.const 100) (i32.const 3))
    (i32.eq (i32.load8_u (i32.const 301)) (i32.const 98))))
