;; A missing import before one of another type.
(module
  (import "env" "seed" (func (result f64)))
  (import "env" "proxy_log" (func (param i32)))
  (memory (export "memory") 1)
  (func (export "proxy_abi_version_0_2_1"))
  (func (export "proxy_on_memory_allocate") (param i32) (result i32) (i32.const 1024)))
