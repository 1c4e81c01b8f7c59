import { enterRoot, leave } from "./dispatch";

/** All three sizes are 0 when the call was reset; a timeout is a response of Envoy's own, 504. */
export function proxy_on_http_call_response(
  rootId: u32,
  token: u32,
  headerCount: u32,
  bodySize: u32,
  trailerCount: u32,
): void {
  const root = enterRoot(rootId);
  if (root !== null) {
    const slot = root.registration.slots.httpCallResponse;
    if (slot !== null) slot(root, token, headerCount, bodySize, trailerCount);
  }
  leave();
}
