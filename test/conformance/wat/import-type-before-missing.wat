;; An import of another type before a missing one.
(module
  (import "env" "proxy_log" (func (param i32)))
  (import "env" "seed" (func (result f64)))
  (memory (export "memory") 1)
  (func (export "proxy_abi_version_0_2_1"))
  (func (export "proxy_on_memory_allocate") (param i32) (result i32) (i32.const 1024)))
