;; A saturating conversion.
(module
  (memory (export "memory") 1)
  (func (export "proxy_abi_version_0_2_1"))
  (func (export "proxy_on_memory_allocate") (param i32) (result i32) (i32.const 1024))
  (func (export "proxy_on_vm_start") (param i32 i32) (result i32)
    (i32.eq (i32.trunc_sat_f32_s (f32.const 1e20)) (i32.const 2147483647))))
