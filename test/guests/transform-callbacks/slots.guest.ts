export * from "proxy-wasm-as/assembly/abi";
import { Registration, register } from "proxy-wasm-as/assembly/abi/dispatch";

const plugin = new Registration("slots");
plugin.slots.queueReady = (root, token) => {};
plugin.slots.downstreamClose = (stream, peer) => {};
plugin.slots.grpcClose = (root, token, status) => {};
register(plugin);
