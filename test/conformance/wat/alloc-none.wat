;; No allocator.
(module
  (memory (export "memory") 1)
  (func (export "proxy_abi_version_0_2_1")))
