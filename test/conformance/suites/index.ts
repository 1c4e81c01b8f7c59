/** All suites, in alphabetical order. */
import type { ProbeSuite } from "../probe.ts";
import { suite as accessLog } from "./access-log.ts";
import { suite as bodies } from "./bodies.ts";
import { suite as buffers } from "./buffers.ts";
import { suite as capabilities } from "./capabilities.ts";
import { suite as chain } from "./chain.ts";
import { suite as dns } from "./dns.ts";
import { suite as failurePolicies } from "./failure-policies.ts";
import { suite as failureReload } from "./failure-reload.ts";
import { suite as failureStarts } from "./failure-starts.ts";
import { suite as foreignFunctions } from "./foreign-functions.ts";
import { suite as grpcCalls } from "./grpc-calls.ts";
import { suite as grpcStreams } from "./grpc-streams.ts";
import { suite as headerPhases } from "./header-phases.ts";
import { suite as headers } from "./headers.ts";
import { suite as httpCallOrder } from "./http-call-order.ts";
import { suite as httpCalls } from "./http-calls.ts";
import { suite as http2 } from "./http2.ts";
import { suite as lifeCycle } from "./life-cycle.ts";
import { suite as lifeCycleWorkers } from "./life-cycle-workers.ts";
import { suite as limits } from "./limits.ts";
import { suite as loading } from "./loading.ts";
import { suite as localReply } from "./local-reply.ts";
import { suite as logAndTime } from "./log-and-time.ts";
import { suite as malformedHeads } from "./malformed-heads.ts";
import { suite as metrics } from "./metrics.ts";
import { suite as pauseResume } from "./pause-resume.ts";
import { suite as properties } from "./properties.ts";
import { suite as queues } from "./queues.ts";
import { suite as requests } from "./requests.ts";
import { suite as services } from "./services.ts";
import { suite as sharedData } from "./shared-data.ts";
import { suite as statsPages } from "./stats-pages.ts";
import { suite as statsSink } from "./stats-sink.ts";
import { suite as streams } from "./streams.ts";
import { suite as tcp } from "./tcp.ts";
import { suite as ticks } from "./ticks.ts";
import { suite as trailers } from "./trailers.ts";
import { suite as traps } from "./traps.ts";
import { suite as wasi } from "./wasi.ts";

export const suites: readonly ProbeSuite[] = [
  accessLog,
  bodies,
  buffers,
  capabilities,
  chain,
  dns,
  failurePolicies,
  failureReload,
  failureStarts,
  foreignFunctions,
  grpcCalls,
  grpcStreams,
  headerPhases,
  headers,
  httpCallOrder,
  httpCalls,
  http2,
  lifeCycle,
  lifeCycleWorkers,
  limits,
  loading,
  localReply,
  logAndTime,
  malformedHeads,
  metrics,
  pauseResume,
  properties,
  queues,
  requests,
  services,
  sharedData,
  statsPages,
  statsSink,
  streams,
  tcp,
  ticks,
  trailers,
  traps,
  wasi,
];
