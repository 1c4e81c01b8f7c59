export * from "proxy-wasm-as/assembly/abi";
import { Registration, register } from "proxy-wasm-as/assembly/abi/dispatch";

register(new Registration("own-callback"));

export function proxy_on_tick(rootId: u32): void {}
