export * from "proxy-wasm-as/assembly/abi";
import { proxywasm, wrapper } from "proxy-wasm-as/assembly";

class Config {}

wrapper.SetCtx("election", wrapper.WithLeaderElection<Config>({}));
