export * from "proxy-wasm-as/assembly/abi";
import { wrapper, proxywasm } from "proxy-wasm-as/assembly";

class Config {
  value: string = "hello";
}

function parseConfig(json: wrapper.Json, config: Config): string | null {
  const value = json.Get("value");
  if (value.Exists()) config.value = value.String();
  return config.value == "" ? "value must not be empty" : null;
}

function onResponseHeaders(ctx: wrapper.HttpContext<Config>, config: Config): wrapper.Action {
  proxywasm.AddHttpResponseHeader("x-hello", config.value);
  return wrapper.Action.Continue;
}

wrapper.SetCtx(
  "hello",
  wrapper.ParseConfig(parseConfig),
  wrapper.ProcessResponseHeaders(onResponseHeaders),
);
