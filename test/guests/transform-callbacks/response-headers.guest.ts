export * from "proxy-wasm-as/assembly/abi";
import { proxywasm, wrapper } from "proxy-wasm-as/assembly";

class Config {}

wrapper.SetCtx(
  "response-headers",
  wrapper.ProcessResponseHeaders<Config>((ctx, config) => wrapper.Action.Continue),
);
