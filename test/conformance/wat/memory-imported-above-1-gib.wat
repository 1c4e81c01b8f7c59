;; An imported memory of a page more than 1 GiB.
(module
  (import "env" "memory" (memory 16385))
  (func (export "proxy_abi_version_0_2_1"))
  (func (export "proxy_on_memory_allocate") (param i32) (result i32) (i32.const 1024)))
