import { enterStream, leave } from "./dispatch";
import { Action } from "./enums";

export function proxy_on_request_headers(streamId: u32, count: u32, endOfStream: u32): u32 {
  const stream = enterStream(streamId);
  let action = Action.Continue;
  if (stream !== null) {
    const slot = stream.root.registration.slots.requestHeaders;
    if (slot !== null) action = slot(stream, count, endOfStream != 0);
  }
  leave();
  return action;
}
