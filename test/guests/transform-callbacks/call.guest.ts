export * from "proxy-wasm-as/assembly/abi";
import { proxywasm, wrapper } from "proxy-wasm-as/assembly";

class Config {}

const client = new wrapper.HttpClient("collector");

wrapper.SetCtx(
  "call",
  wrapper.ProcessRequestHeaders<Config>((ctx, config) => {
    client.Get(ctx, "/", new wrapper.Headers(), 0, (ctx, config, response, state) =>
      ctx.ResumeHttpRequest(),
    );
    return wrapper.Action.Pause;
  }),
);
