;; A trap in main.
(module
  (memory (export "memory") 1)
  (func (export "proxy_abi_version_0_2_1"))
  (func (export "proxy_on_memory_allocate") (param i32) (result i32) (i32.const 1024))
  (func (export "_initialize"))
  (func (export "main") (param i32 i32) (result i32) unreachable))
