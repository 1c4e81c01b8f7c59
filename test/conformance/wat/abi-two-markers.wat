;; Higress's marker and Envoy's: one module for both hosts.
(module
  (memory (export "memory") 1)
  (func (export "proxy_abi_version_0_2_100"))
  (func (export "proxy_abi_version_0_2_1"))
  (func (export "proxy_on_memory_allocate") (param i32) (result i32) (i32.const 1024)))
