/**
 * The public door: the mock Envoy, scenarios, and what judges and shows a run. Everything that the command line can
 * do, a test can do with this.
 */
export { MockHostError, type ErrorCode, type OurErrorCode, type UserErrorCode } from "./errors.ts";

export { MockEnvoy, type Election, type SharedValueView } from "./envoy/mock-envoy.ts";
export type {
  ConfigurationValue,
  FailurePolicy,
  LogLevelName,
  MockEnvoyOptions,
  PluginKind,
  PluginOptions,
} from "./envoy/options.ts";
export type { Stats } from "./envoy/stats.ts";
export type {
  ForeignCaller,
  ForeignFunctionOptions,
  ForeignResult,
} from "./envoy/foreign/own-functions.ts";
export type { Interposition } from "./envoy/interpose.ts";
export type { Thread } from "./envoy/thread.ts";
export type {
  AnswerOptions,
  CallRequest,
  ClusterOptions,
  FailureOptions,
  FenceOptions,
  HeaderList,
  HttpClusterOptions,
  ReplyOptions,
} from "./http/cluster-options.ts";
export type { DnsAddresses, DnsFailure, DnsNames, DnsOptions } from "./http/dns.ts";
export type {
  GrpcAnswerOptions,
  GrpcClusterOptions,
  GrpcEnd,
  GrpcFailureOptions,
  GrpcReplyOptions,
  GrpcRequest,
  GrpcScript,
  GrpcServerStream,
} from "./http/grpc-options.ts";
export type { GrpcCall } from "./http/grpc-view.ts";
export type {
  RedisAnswer,
  RedisClusterOptions,
  RedisFailure,
  RedisHandle,
  RedisOptions,
} from "./http/redis-options.ts";
export type { UpstreamHost, UpstreamHosts } from "./http/upstream-hosts.ts";
export type { PropertyOverrides } from "./http/property-overrides.ts";
export type { PropertyValue } from "./state/properties.ts";
export type { Exchange, RequestOptions, UpstreamOptions } from "./http/exchange.ts";
export type { ListenerOptions } from "./http/listener-options.ts";
export type { ConnectOptions, TcpBytes, TcpUpstreamOptions } from "./tcp/connection-options.ts";
export type { TcpConnection, TcpReceived, TcpUpstream } from "./tcp/tcp-connection.ts";
export type { BeforeCall, CallPoint } from "./envoy/before-call.ts";
export {
  applyFault,
  drawPlan,
  faultKinds,
  leaderThread,
  pausePointsOf,
  runPlan,
  shrinkPlan,
  type DataSpec,
  type FaultKind,
  type FaultPlan,
  type FaultRates,
  type FaultSpec,
  type PlanNames,
  type PlannedFault,
  type PlanOptions,
  type ShrunkPlan,
  type Target,
} from "./faults/index.ts";

export { loadScenario, parseScenario, type Scenario } from "./scenario/load.ts";
export {
  prepareScenario,
  runScenario,
  type PreparedScenario,
  type RunOptions,
  type ScenarioRun,
} from "./scenario/run.ts";
export { factsOfEnvoy } from "./scenario/facts-of-envoy.ts";
export { planScenario } from "./scenario/plan-file.ts";
export { logLevels } from "./scenario/schema/frame.ts";

export * from "./trace/index.ts";
export * from "./properties/index.ts";
export * from "./report/index.ts";
export * from "./model/index.ts";

export { inspectModule, type InspectResult } from "./module/inspect.ts";
export { loadModule, readModuleFile, type LoadedModule } from "./module/load.ts";
export {
  loadingProfiles,
  profileByName,
  profileNames,
  profiles,
  type Profile,
} from "./profiles/index.ts";
export {
  exploredWorld,
  exploreScenario,
  type ExploreOptions,
  type ExploreRun,
} from "./scenario/explore.ts";
export type { ExploreBlock } from "./scenario/schema/explore.ts";
export { checkDeterminism } from "./schedule/determinism-check.ts";
export { mergeShards } from "./schedule/merge.ts";
export { replaySchedule, type Replay } from "./schedule/replay.ts";
export type { SearchResult, Violation } from "./schedule/result.ts";
export { parseSchedule, scheduleText } from "./schedule/schedule-text.ts";
export { parseShard, type Shard } from "./schedule/shards.ts";
export { strategyNames, type StrategyName } from "./schedule/strategies.ts";
export type { StepView, World } from "./schedule/world.ts";
export type { StateProperty } from "./stepping/judge.ts";
export { formatDuration, parseDuration, parseSignedDuration } from "./time/duration.ts";
