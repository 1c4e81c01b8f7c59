;; A memory that is not exported, and a call to the host.
(module
  (import "env" "proxy_log" (func $log (param i32 i32 i32) (result i32)))
  (memory 1)
  (func (export "proxy_abi_version_0_2_1"))
  (func (export "proxy_on_memory_allocate") (param i32) (result i32) (i32.const 1024))
  (func (export "proxy_on_vm_start") (param i32 i32) (result i32)
    (drop (call $log (i32.const 2) (i32.const 0) (i32.const 4)))
    (i32.const 1)))
