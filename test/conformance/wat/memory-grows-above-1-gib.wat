;; A memory grows to a page more than 1 GiB.
(module
  (import "env" "proxy_log" (func $log (param i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "grownrefused")
  (func (export "proxy_abi_version_0_2_1"))
  (func (export "proxy_on_memory_allocate") (param i32) (result i32) (i32.const 1024))
  (func (export "proxy_on_vm_start") (param i32 i32) (result i32)
    (if
      (i32.eq (memory.grow (i32.const 16384)) (i32.const -1))
      (then (drop (call $log (i32.const 2) (i32.const 5) (i32.const 7))))
      (else (drop (call $log (i32.const 2) (i32.const 0) (i32.const 5)))))
    (i32.const 1)))
