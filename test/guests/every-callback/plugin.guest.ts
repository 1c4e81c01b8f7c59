// One plugin that fills every slot and logs what it is called with.
export * from "proxy-wasm-as/assembly/abi";
import {
  BaseContext,
  contextOf,
  liveContexts,
  register,
  Registration,
  RootContext,
  StreamContext,
} from "proxy-wasm-as/assembly/abi/dispatch";
import { Action, PeerType } from "proxy-wasm-as/assembly/abi/enums";
import { GetCallData } from "proxy-wasm-as/assembly/proxywasm/foreign";
import { LogInfo } from "proxy-wasm-as/assembly/proxywasm/log";

class Root extends RootContext {
  generation: i32 = 0;
}

let generations = 0;

const plugin = new Registration("every-callback");
plugin.createRoot = (registration, id) => {
  const root = new Root(id, registration);
  root.generation = ++generations;
  LogInfo("createRoot " + id.toString() + " generation " + root.generation.toString());
  return root;
};
plugin.createStream = (root, id) => {
  LogInfo("createStream " + id.toString() + " of " + root.id.toString());
  return new StreamContext(id, root);
};

function said(
  what: string,
  context: BaseContext,
  a: u32 = 0,
  b: u32 = 0,
  c: u32 = 0,
  d: u32 = 0,
): void {
  const id = context.id;
  LogInfo(`${what} ${id} ${a} ${b} ${c} ${d}`);
}

const slots = plugin.slots;
slots.vmStart = (root: RootContext, size: u32): bool => {
  said("vmStart", root, size);
  return size != 99;
};
slots.configure = (root: RootContext, size: u32): bool => {
  said("configure", root, size);
  return size != 99;
};
slots.tick = (root: RootContext): void => {
  GetCallData();
  said("tick", root);
};
slots.queueReady = (root: RootContext, token: u32): void => said("queueReady", root, token);
slots.requestHeaders = (stream: StreamContext, count: u32, end: bool): Action => {
  said("requestHeaders", stream, count, end);
  return Action.Pause;
};
slots.requestBody = (stream: StreamContext, size: u32, end: bool): Action => {
  said("requestBody", stream, size, end);
  return Action.Pause;
};
slots.requestTrailers = (stream: StreamContext, count: u32): Action => {
  said("requestTrailers", stream, count);
  return Action.Pause;
};
slots.responseHeaders = (stream: StreamContext, count: u32, end: bool): Action => {
  said("responseHeaders", stream, count, end);
  return Action.Pause;
};
slots.responseBody = (stream: StreamContext, size: u32, end: bool): Action => {
  said("responseBody", stream, size, end);
  return Action.Pause;
};
slots.responseTrailers = (stream: StreamContext, count: u32): Action => {
  said("responseTrailers", stream, count);
  return Action.Pause;
};
slots.newConnection = (stream: StreamContext): Action => {
  said("newConnection", stream);
  return Action.Pause;
};
slots.downstreamData = (stream: StreamContext, size: u32, end: bool): Action => {
  said("downstreamData", stream, size, end);
  return Action.Pause;
};
slots.upstreamData = (stream: StreamContext, size: u32, end: bool): Action => {
  said("upstreamData", stream, size, end);
  return Action.Pause;
};
slots.downstreamClose = (stream: StreamContext, peer: PeerType): void =>
  said("downstreamClose", stream, peer);
slots.upstreamClose = (stream: StreamContext, peer: PeerType): void =>
  said("upstreamClose", stream, peer);
slots.httpCallResponse = (
  root: RootContext,
  token: u32,
  headers: u32,
  size: u32,
  trailers: u32,
): void => said("httpCallResponse", root, token, headers, size, trailers);
slots.grpcInitialMetadata = (root: RootContext, token: u32, count: u32): void =>
  said("grpcInitialMetadata", root, token, count);
slots.grpcReceive = (root: RootContext, token: u32, size: u32): void =>
  said("grpcReceive", root, token, size);
slots.grpcTrailingMetadata = (root: RootContext, token: u32, count: u32): void =>
  said("grpcTrailingMetadata", root, token, count);
slots.grpcClose = (root: RootContext, token: u32, status: i32): void =>
  said("grpcClose", root, token, status);
slots.redisCallResponse = (root: RootContext, token: u32, status: u32, size: u32): void =>
  said("redisCallResponse", root, token, status, size);
slots.foreignFunction = (context: BaseContext, id: u32, size: u32): void =>
  said("foreignFunction", context, id, size);
slots.log = (context: BaseContext): void => said("log", context);
slots.done = (context: BaseContext): bool => {
  said("done", context);
  return !context.isRoot;
};
slots.delete = (context: BaseContext): void => said("delete", context);

register(plugin);

export function alive(id: u32): bool {
  return contextOf(id) !== null;
}

export function live(): i32 {
  return liveContexts();
}
