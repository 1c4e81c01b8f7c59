import { beforeAll, describe, expect, test } from "vitest";
import { applyFault } from "../../../host-mock/faults/index.ts";
import { factsOf, judge } from "../../../host-mock/properties/index.ts";
import { hostEvents, linesOf, rawGuest } from "../envoy/guests.ts";
import { tickingOf } from "./support.ts";

let life: Uint8Array;

beforeAll(async () => {
  life = await rawGuest("life");
});

/** A call in each tick, answered 10 ms later; the first one at 1 s. */
const calling = (words = "timeout=400") => {
  const envoy = tickingOf(life, `call=up ${words}`, {
    clusters: { up: { status: 204, delay: "10ms" } },
  });
  envoy.advance("500ms");
  return envoy;
};

const during = { thread: "worker_0", cluster: "up", for: "1s" } as const;

/** Of worker_0's calls: when they arrived, what was answered, what the guest was told and when. */
function fates(envoy: ReturnType<typeof calling>) {
  const told = hostEvents(envoy, "http_call_answered");
  return envoy.calls
    .filter(({ thread }) => thread === "worker_0")
    .map(({ call, arrivedNs, answered, status, repeats }) => ({
      arrived: [arrivedNs, ...repeats.map((again) => again.arrivedNs)].map((ns) => ns! / 1e6),
      answered,
      status,
      toldMs: (told.find(({ args }) => args["call"] === call)?.atNs ?? NaN) / 1e6,
    }));
}

describe("answers", () => {
  test("lost: the receiver has taken the call and answered, the guest sees its timeout; later calls are as ever", () => {
    const envoy = calling();

    applyFault(envoy, { do: "lost_answers", ...during });
    envoy.advance("2s");

    expect(fates(envoy)).toEqual([
      { arrived: [1000], answered: 204, status: 504, toldMs: 1400 },
      { arrived: [2000], answered: 204, status: 204, toldMs: 2010 },
    ]);
  });

  test("late: the receiver's own time, and so much more; past the timeout the guest sees 504", () => {
    const envoy = calling();

    applyFault(envoy, { do: "late_answers", ...during, by: "300ms" });
    envoy.advance("1s");
    applyFault(envoy, { do: "late_answers", ...during, by: "3s" });
    envoy.advance("4s");

    expect(fates(envoy).slice(0, 2)).toEqual([
      { arrived: [1000], answered: 204, status: 204, toldMs: 1310 },
      { arrived: [2000], answered: 204, status: 504, toldMs: 2400 },
    ]);
  });

  test("duplicated: the call arrives twice, and the guest is told once, what the second one was answered", () => {
    const envoy = calling();

    applyFault(envoy, { do: "duplicated_calls", ...during, by: "200ms" });
    envoy.advance("2s");

    expect(fates(envoy)[0]).toEqual({
      arrived: [1000, 1200],
      answered: 204,
      status: 204,
      toldMs: 1210,
    });
    const told = linesOf(envoy, "worker_0#1").filter((line) => line.includes("call_response"));
    expect(told).toHaveLength(2);
    expect(hostEvents(envoy, "http_call_repeated")).toMatchObject([{ atNs: 1.2e9, result: 204 }]);
  });

  test("duplicated and held: both arrive late, also when the caller has crashed meanwhile", () => {
    const envoy = calling("timeout=5000");

    applyFault(envoy, { do: "duplicated_calls", ...during, by: "200ms" });
    applyFault(envoy, { do: "delay_calls", ...during, by: "1s" });
    envoy.advance("1s");
    envoy.thread("worker_0").crash();
    envoy.advance("2s");

    expect(fates(envoy)).toMatchObject([{ arrived: [2000, 2200], answered: 204, status: null }]);
  });

  test("a repeated call that arrives behind a newer leader's is a stale effect, unless the fence refuses it", () => {
    const event = (n: number, atNs: number, name: string, call: number, more: object = {}) => ({
      ...{ n, atNs, monoNs: BigInt(atNs), plugin: "p", context: 1, event: "timer" as const, name },
      ...{ thread: "main", vm: `main#${call}`, status: null, result: 204 },
      args: { call, ...more },
    });
    const sent = { root: 1, cluster: "up", method: "POST", path: "/", body: "" };
    const trace = (refused: boolean) => [
      event(1, 0, "http_call_sent", 1, { ...sent, headers: [["term", "5"]] }),
      event(2, 0, "http_call_arrived", 1, { refused: false }),
      event(3, 1, "http_call_sent", 2, { ...sent, headers: [["term", "6"]] }),
      event(4, 1, "http_call_arrived", 2, { refused: false }),
      event(5, 2, "http_call_repeated", 1, { refused }),
    ];
    const judged = (refused: boolean) =>
      judge(
        { check: "no_stale_effect", cluster: "up", header: "term" },
        factsOf(trace(refused), { durationNs: 10, witnesses: { p: "log" } }),
      );

    expect(judged(false)).toMatchObject({ holds: false });
    expect(judged(true)).toMatchObject({ holds: true });
  });
});
