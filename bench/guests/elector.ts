// The published SDK's elector and nothing else.
export * from "proxy-wasm-as/assembly/abi";
import { wrapper } from "proxy-wasm-as/assembly";

class Config {}

wrapper.SetCtx("elector", wrapper.WithLeaderElection<Config>({}));
