;; Logs in _initialize and in the allocator, where few host calls are allowed, and calls what is restricted there.
(module
  (import "env" "proxy_log" (func $log (param i32 i32 i32) (result i32)))
  (import "env" "proxy_get_buffer_bytes" (func $buffer (param i32 i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_get_log_level" (func $level (param i32) (result i32)))
  (import "env" "pthread_equal" (func $equal (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "clock_time_get" (func $clock (param i32 i64 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 256) "logged")
  (global $free (mut i32) (i32.const 4096))
  (global $clock_errno (mut i32) (i32.const 0))
  (global $buffer_status (mut i32) (i32.const 0))
  (func (export "proxy_abi_version_0_2_1"))
  (func (export "_initialize")
    (drop (call $log (i32.const 2) (i32.const 256) (i32.const 6)))
    (global.set $clock_errno (call $clock (i32.const 0) (i64.const 0) (i32.const 512))))
  (func (export "proxy_on_memory_allocate") (param $size i32) (result i32)
    (drop (call $log (i32.const 2) (i32.const 256) (i32.const 6)))
    (global.get $free)
    (global.set $free (i32.add (global.get $free) (local.get $size))))
  ;; Accepted if _initialize was answered 76, the buffer could be read, and pthread_equal works.
  (func (export "proxy_on_configure") (param i32 i32) (result i32)
    (global.set $buffer_status
      (call $buffer (i32.const 7) (i32.const 0) (i32.const 9) (i32.const 520) (i32.const 524)))
    (i32.and
      (i32.and (i32.eq (global.get $clock_errno) (i32.const 76)) (i32.eqz (global.get $buffer_status)))
      (call $equal (i32.const 7) (i32.const 7)))))
