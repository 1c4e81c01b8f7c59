/** What plugin authors call: names and manners of Higress' wasm-go wrapper. */
export { Action, LogLevel, Status } from "../abi/enums";
export { FencedCell, FencedOutcome, FencedResult } from "../election/fencing";
export { LeaderElectionTiming } from "../election/timing";
export { Json, JsonKind, JsonValid, JsonWriter, ParseJson } from "../json/index";
export { HeaderPair, Headers } from "../memory/headers";
export { ParseConfig, ParseConfigWithContext, PrePluginStartOrReload } from "./config";
export { HttpContext, PluginContext } from "./contexts";
export { HttpClient } from "./http-client";
export { ProcessRequestHeaders, ProcessResponseHeaders, ProcessStreamDone } from "./http-options";
export { HttpResponse } from "./http-response";
export { LeaderElectionOptions, WithLeaderElection } from "./leader-election";
export { SetCtx } from "./set-ctx";
import * as utf8 from "../memory/utf8";
export { utf8 };
