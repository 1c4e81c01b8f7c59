// Calls itself without an end, allocating on the way.
export * from "proxy-wasm-as/assembly/abi";
import { wrapper } from "proxy-wasm-as/assembly";

class Config {
  depth: string = "";
}

function deeper(text: string): string {
  return deeper(text + "x") + "y";
}

function parseConfig(json: wrapper.Json, config: Config): string | null {
  config.depth = deeper(json.String());
  return null;
}

wrapper.SetCtx("recursion", wrapper.ParseConfig(parseConfig));
