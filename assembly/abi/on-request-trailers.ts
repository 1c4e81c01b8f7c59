import { enterStream, leave } from "./dispatch";
import { Action } from "./enums";

export function proxy_on_request_trailers(streamId: u32, count: u32): u32 {
  const stream = enterStream(streamId);
  let action = Action.Continue;
  if (stream !== null) {
    const slot = stream.root.registration.slots.requestTrailers;
    if (slot !== null) action = slot(stream, count);
  }
  leave();
  return action;
}
