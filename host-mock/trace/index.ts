export { decodeEvent, encodeEvent } from "./codec.ts";
export type { TraceArgs, TraceEvent, TraceEventKind, TraceSubject, TraceValue } from "./event.ts";
export { exchanges, type ExchangeFact } from "./exchanges.ts";
export { httpCalls, type HttpCall } from "./http-calls.ts";
export type { Leadership, LeadershipEnd, WitnessKind } from "./leadership.ts";
export { lifeOf, type ContextLife, type Interval, type Life, type Pause } from "./life.ts";
export { logLines, type LogLine } from "./logs.ts";
export { HostEvent, type FaultName } from "./names.ts";
export { leaderships, Witness, type LeadershipsOptions, type WitnessOptions } from "./witness.ts";
