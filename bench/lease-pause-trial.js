// The question of `proxy-wasm-as model lease-pause`, put to a real module in the mock Envoy: one leader, one pause.
// Used by the benchmark, with dist/, and by test/election/lease-pause.test.ts, with the sources.

const plugin = "late-writer";
const fence = { header: "x-leader-term", idHeader: "x-leader-id", refuse: 409 };
const answer = { status: 204 };
const clusters = {
  asked: answer,
  plain: answer,
  lazy: { ...answer, fence },
  eager: { ...answer, fence },
};
const warmUpMs = 5_000;
const monoAtStartMs = 3_600_000;
/** So long the run goes on after the old leader has woken: longer than two of its ticks. */
const afterMs = 1_000;

/** Leaders work in ticks of this period, so that a new one's first write comes half a second after its election. */
export const workMs = 333;

/**
 * Four candidates of the module test/guests/late-writer. The leader's thread stands still for `pauseMs`, from `phaseMs`
 * after it has settled; with `within` in the middle of its next tick, when it has just asked whether it leads and is
 * about to write.
 */
export function leasePauseTrial({ MockEnvoy, wasm, ttlMs, pauseMs, phaseMs, seed, within }) {
  const envoy = new MockEnvoy({
    concurrency: 3,
    seed,
    plugins: [{ name: plugin, wasm, configuration: { lease: ttlMs, work: workMs } }],
    clusters,
    trace: "outcome",
    ...(within ? { pausePoints: ["proxy_http_call"] } : {}),
  });
  envoy.advance(ms(warmUpMs + phaseMs));
  const before = envoy.election(plugin).leader;
  if (before === null) throw new Error(`nobody leads after ${warmUpMs + phaseMs} ms`);
  const thread = envoy.thread(before.thread);
  if (within) {
    thread.before({ call: "proxy_http_call", plugin }).pause(ms(pauseMs));
    while (!thread.isPaused) envoy.advance("1ms");
  } else thread.pause(ms(pauseMs));
  // A pause in the middle of a callback began somewhere in the last millisecond.
  const awakeNs = thread.pausedUntilNs;
  const pausedNs = awakeNs - Math.round(pauseMs * 1e6);
  const record = JSON.parse(envoy.sharedData().get(`higress_wasm_vm_lease:${plugin}`).text());
  envoy.advance(`${awakeNs - Math.round(envoy.nowMs * 1e6)}ns`);
  envoy.advance(ms(afterMs));
  const { history } = envoy.election(plugin);
  const next = history.find(({ term }) => term > before.term);
  const isElected = next !== undefined && next.thread !== before.thread && next.fromNs < awakeNs;
  return {
    history,
    calls: envoy.calls,
    /** How much of its lease the leader had when the pause began; records have the guests' monotonic clock. */
    leaseLeftMs: record.mono - monoAtStartMs + ttlMs - pausedNs / 1e6,
    isElected,
    /** From the pause's beginning to the new leader's claim. */
    latencyMs: isElected ? (next.fromNs - pausedNs) / 1e6 : null,
    /** By receiver, what became of the old leader's write when it woke; only after an election. */
    writes: isElected ? wakingWrites(envoy.calls, { old: before, next, awakeNs }) : null,
  };
}

function wakingWrites(calls, { old, next, awakeNs }) {
  return Object.fromEntries(
    Object.keys(clusters).map((cluster) => {
      const received = calls.filter((call) => call.cluster === cluster);
      const at = received.findIndex(
        (call) => call.thread === old.thread && call.arrivedNs >= awakeNs,
      );
      if (at < 0) return [cluster, "not sent"];
      if (received[at].isRefused) return [cluster, "refused"];
      const isLate = received
        .slice(0, at)
        .some((call) => call.path === "/write" && termOf(call) === next.term);
      return [cluster, isLate ? "over newer work" : "taken"];
    }),
  );
}

const termOf = ({ headers }) => BigInt(headers.find(([name]) => name === "x-leader-term")[1]);
const ms = (number) => `${Math.round(number * 1e6)}ns`;
