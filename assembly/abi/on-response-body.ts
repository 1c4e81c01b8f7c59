import { enterStream, leave } from "./dispatch";
import { Action } from "./enums";

export function proxy_on_response_body(streamId: u32, size: u32, endOfStream: u32): u32 {
  const stream = enterStream(streamId);
  let action = Action.Continue;
  if (stream !== null) {
    const slot = stream.root.registration.slots.responseBody;
    if (slot !== null) action = slot(stream, size, endOfStream != 0);
  }
  leave();
  return action;
}
