;; A memory of 1 GiB.
(module
  (memory (export "memory") 16384)
  (func (export "proxy_abi_version_0_2_1"))
  (func (export "proxy_on_memory_allocate") (param i32) (result i32) (i32.const 1024)))
