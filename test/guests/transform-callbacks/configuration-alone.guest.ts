export * from "proxy-wasm-as/assembly/abi";
import { proxywasm, wrapper } from "proxy-wasm-as/assembly";

class Config {}

function parseConfig(json: wrapper.Json, config: Config): string | null {
  return json.Exists() ? null : "no configuration";
}

wrapper.SetCtx("configuration-alone", wrapper.ParseConfig<Config>(parseConfig));
