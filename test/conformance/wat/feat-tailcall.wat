;; A million tail calls.
(module
  (memory (export "memory") 1)
  (func $loop (param i32) (result i32)
    (if (result i32)
      (i32.eqz (local.get 0))
      (then (i32.const 1))
      (else (return_call $loop (i32.sub (local.get 0) (i32.const 1))))))
  (func (export "proxy_abi_version_0_2_1"))
  (func (export "proxy_on_memory_allocate") (param i32) (result i32) (i32.const 1024))
  (func (export "proxy_on_vm_start") (param i32 i32) (result i32)
    (call $loop (i32.const 1000000))))
