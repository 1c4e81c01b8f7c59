export * from "proxy-wasm-as/assembly/abi";
import { proxywasm, wrapper } from "proxy-wasm-as/assembly";

class Config {}

wrapper.SetCtx(
  "request-headers",
  wrapper.ProcessRequestHeaders<Config>((ctx, config) => wrapper.Action.Continue),
);
