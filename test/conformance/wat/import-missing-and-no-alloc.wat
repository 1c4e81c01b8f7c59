;; A missing import, and no allocator.
(module
  (import "env" "abort" (func))
  (memory (export "memory") 1)
  (func (export "proxy_abi_version_0_2_1")))
