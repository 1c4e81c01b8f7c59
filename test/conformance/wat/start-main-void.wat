;; _initialize and __main_void.
(module
  (import "env" "proxy_log" (func $log (param i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 16) "_initialize")
  (data (i32.const 32) "main_void")
  (func (export "proxy_abi_version_0_2_1"))
  (func (export "proxy_on_memory_allocate") (param i32) (result i32) (i32.const 1024))
  (func (export "_initialize") (drop (call $log (i32.const 2) (i32.const 16) (i32.const 11))))
  (func (export "__main_void") (result i32)
    (drop (call $log (i32.const 2) (i32.const 32) (i32.const 9)))
    (i32.const 7)))
