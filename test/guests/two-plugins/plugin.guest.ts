// Two plugins in one module, told apart by root_id; the second one does nothing at all.
export * from "proxy-wasm-as/assembly/abi";
import { register, Registration, RootContext } from "proxy-wasm-as/assembly/abi/dispatch";
import { LogInfo } from "proxy-wasm-as/assembly/proxywasm/log";

const first = new Registration("first");
first.slots.configure = (root: RootContext, size: u32): bool => {
  LogInfo("first configures " + root.id.toString());
  return true;
};
first.slots.tick = (root: RootContext): void => LogInfo("first ticks");
register(first);
register(new Registration("second"));
