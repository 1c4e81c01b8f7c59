export * from "proxy-wasm-as/assembly/abi";
import { proxywasm, wrapper } from "proxy-wasm-as/assembly";

class Config {}

// ProcessRequestHeaders, ProcessStreamDone, RegisterTickFunc, WithLeaderElection, HttpClient: words in a comment.
proxywasm.LogInfo("ProcessResponseHeaders(onTick)");
wrapper.SetCtx<Config>("words-alone");
