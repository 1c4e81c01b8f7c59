// Hands objects over as numbers, which no frame of a caller holds: what is done with them must hold them itself.
export * from "proxy-wasm-as/assembly/abi";
import { wrapper, proxywasm } from "proxy-wasm-as/assembly";

class Config {
  rounds: i32 = 0;
}

class Box {
  constructor(public text: string) {}
}

function make(n: i32): usize {
  return changetype<usize>(new Box("box " + n.toString()));
}

function textAfter(box: Box): string {
  const other = "after " + proxywasm.GetCurrentTimeNanoseconds().toString().length.toString();
  return box.text + " " + other;
}

function check(at: usize): string {
  return textAfter(changetype<Box>(at));
}

function checkBy(f: (at: usize) => string, at: usize): string {
  return f(at);
}

function parseConfig(
  ctx: wrapper.PluginContext<Config>,
  json: wrapper.Json,
  config: Config,
): string | null {
  ctx.RegisterTickFunc(1000, onTick);
  return null;
}

function onTick(ctx: wrapper.PluginContext<Config>, config: Config): void {
  config.rounds++;
  proxywasm.LogInfo(check(make(config.rounds)));
  proxywasm.LogInfo(checkBy(check, make(-config.rounds)));
}

wrapper.SetCtx("object-as-number", wrapper.ParseConfigWithContext(parseConfig));
