import { enterStream, leave } from "./dispatch";
import { Action } from "./enums";

export function proxy_on_new_connection(streamId: u32): u32 {
  const stream = enterStream(streamId);
  let action = Action.Continue;
  if (stream !== null) {
    const slot = stream.root.registration.slots.newConnection;
    if (slot !== null) action = slot(stream);
  }
  leave();
  return action;
}

export function proxy_on_downstream_data(streamId: u32, size: u32, endOfStream: u32): u32 {
  const stream = enterStream(streamId);
  let action = Action.Continue;
  if (stream !== null) {
    const slot = stream.root.registration.slots.downstreamData;
    if (slot !== null) action = slot(stream, size, endOfStream != 0);
  }
  leave();
  return action;
}

export function proxy_on_downstream_connection_close(streamId: u32, peer: u32): void {
  const stream = enterStream(streamId);
  if (stream !== null) {
    const slot = stream.root.registration.slots.downstreamClose;
    if (slot !== null) slot(stream, peer);
  }
  leave();
}

export function proxy_on_upstream_data(streamId: u32, size: u32, endOfStream: u32): u32 {
  const stream = enterStream(streamId);
  let action = Action.Continue;
  if (stream !== null) {
    const slot = stream.root.registration.slots.upstreamData;
    if (slot !== null) action = slot(stream, size, endOfStream != 0);
  }
  leave();
  return action;
}

export function proxy_on_upstream_connection_close(streamId: u32, peer: u32): void {
  const stream = enterStream(streamId);
  if (stream !== null) {
    const slot = stream.root.registration.slots.upstreamClose;
    if (slot !== null) slot(stream, peer);
  }
  leave();
}
