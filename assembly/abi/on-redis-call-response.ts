import { enterRoot, leave } from "./dispatch";

/** Higress only. `status` 1 is a network error; the answer is in `BufferType.RedisCallResponse`. */
export function proxy_on_redis_call_response(
  rootId: u32,
  token: u32,
  status: u32,
  size: u32,
): void {
  const root = enterRoot(rootId);
  if (root !== null) {
    const slot = root.registration.slots.redisCallResponse;
    if (slot !== null) slot(root, token, status, size);
  }
  leave();
}
