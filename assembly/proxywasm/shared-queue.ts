import { Status } from "../abi/enums";
import {
  proxy_dequeue_shared_queue,
  proxy_enqueue_shared_queue,
  proxy_register_shared_queue,
  proxy_resolve_shared_queue,
} from "../abi/imports";
import { OUT_PTR, OUT_SIZE, OUT_WORD } from "../memory/out";
import { encodeBuffer } from "../memory/utf8";
import { bytesAnswer, tokenAnswer } from "./answers";
import { BytesResult, TokenResult } from "./result";

/**
 * Creates or opens the queue of that name in this `vm_id`, and makes this root the one that is told
 * of new elements; whoever registered before is told no more. Elements already there are kept, and
 * not announced again: drain the queue after registering. Status: Ok. In: any callback, not in
 * top-level code.
 * @example const jobs = proxywasm.RegisterSharedQueue("jobs").token;
 * Source: proxy-wasm-cpp-host `shared_queue.cc`.
 */
export function RegisterSharedQueue(name: string): TokenResult {
  const bytes = encodeBuffer(name);
  return tokenAnswer(
    proxy_register_shared_queue(changetype<usize>(bytes), bytes.byteLength, OUT_WORD),
  );
}

/**
 * Finds a queue of any `vm_id`; "" means one's own. Statuses: Ok; NotFound until it is registered.
 * In: any callback, not in top-level code.
 * @example const jobs = proxywasm.ResolveSharedQueue("", "jobs");
 * Source: proxy-wasm-cpp-host `shared_queue.cc`.
 */
export function ResolveSharedQueue(vmId: string, name: string): TokenResult {
  const vm = encodeBuffer(vmId);
  const bytes = encodeBuffer(name);
  return tokenAnswer(
    proxy_resolve_shared_queue(
      changetype<usize>(vm),
      vm.byteLength,
      changetype<usize>(bytes),
      bytes.byteLength,
      OUT_WORD,
    ),
  );
}

/**
 * Appends an element; there is no limit. Statuses: Ok; NotFound for an unknown token. In: any
 * callback, not in top-level code.
 * @example proxywasm.EnqueueSharedQueue(jobs, bytes);
 * Source: proxy-wasm-cpp-host `shared_queue.cc`.
 */
export function EnqueueSharedQueue(token: u32, value: Uint8Array): Status {
  return proxy_enqueue_shared_queue(token, value.dataStart, value.byteLength);
}

/**
 * Takes the first element. Statuses: Ok (the element may have no bytes); Empty when there is none,
 * which is normal in the queue callback too; NotFound for an unknown token. In: any callback, not
 * in top-level code.
 * @example const job = proxywasm.DequeueSharedQueue(jobs);
 * Source: proxy-wasm-cpp-host `shared_queue.cc`.
 */
export function DequeueSharedQueue(token: u32): BytesResult {
  return bytesAnswer(proxy_dequeue_shared_queue(token, OUT_PTR, OUT_SIZE));
}
