;; Exceptions, the older form: try and catch.
(module
  (memory (export "memory") 1)
  (tag $e (param i32))
  (func $thrower (throw $e (i32.const 1)))
  (func (export "proxy_abi_version_0_2_1"))
  (func (export "proxy_on_memory_allocate") (param i32) (result i32) (i32.const 1024))
  (func (export "proxy_on_vm_start") (param i32 i32) (result i32)
    (try (result i32) (do (call $thrower) (i32.const 0)) (catch $e))))
