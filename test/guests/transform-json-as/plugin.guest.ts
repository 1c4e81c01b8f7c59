export * from "proxy-wasm-as/assembly/abi";
import { proxywasm, wrapper } from "proxy-wasm-as/assembly";
import { JSON } from "proxy-wasm-as/assembly/json-as";


@json
class Report {
  id: string = "";
  total: i64 = 0;
}

class Config {}

function parseConfig(json: wrapper.Json, config: Config): string | null {
  const report = new Report();
  report.id = json.Get("id").String();
  report.total = json.Get("total").Int();
  proxywasm.LogInfo(JSON.stringify(report));
  return null;
}

wrapper.SetCtx("transform-json-as", wrapper.ParseConfig(parseConfig));
