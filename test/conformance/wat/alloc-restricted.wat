;; A forbidden call inside the allocator.
(module
  (import "env" "proxy_get_current_time_nanoseconds" (func $t (param i32) (result i32)))
  (import "env" "proxy_get_buffer_bytes" (func $gb (param i32 i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "proxy_abi_version_0_2_1"))
  (func (export "malloc") (param i32) (result i32)
    (drop (call $t (i32.const 64)))
    (i32.const 1024))
  (func (export "proxy_on_vm_start") (param i32 i32) (result i32)
    (drop (call $gb (i32.const 6) (i32.const 0) (i32.const 100) (i32.const 200) (i32.const 204)))
    (i32.const 1)))
