import { beforeAll, describe, expect, test } from "vitest";
import { applyFault } from "../../../host-mock/faults/index.ts";
import { hostEvents, linesOf, rawGuest, timeline } from "../envoy/guests.ts";
import { outcome, tickingOf, tickSeconds } from "./support.ts";

let life: Uint8Array;

beforeAll(async () => {
  life = await rawGuest("life");
});

const ticking = (words = "", options: Parameters<typeof tickingOf>[2] = {}) =>
  tickingOf(life, words, options);

describe("late_ticks", () => {
  test("each tick due in the time comes so much later, and the next one is counted from there", () => {
    const envoy = ticking();
    envoy.advance("1500ms");

    applyFault(envoy, { do: "late_ticks", thread: "worker_0", by: "300ms", for: "2s" });
    envoy.advance("5s");

    expect(tickSeconds(envoy, "worker_0")).toEqual([1, 2.3, 3.6, 4.6, 5.6]);
    expect(tickSeconds(envoy, "main")).toEqual([1, 2, 3, 4, 5, 6]);
    expect(hostEvents(envoy, "tick").map(({ atNs, args }) => [atNs, args["late_ns"]])).toEqual([
      [2.3e9, 0.3e9],
      [3.6e9, 0.3e9],
    ]);
  });

  test("a pause on top of it: the tick comes at the pause's end", () => {
    const envoy = ticking();
    envoy.advance("1500ms");

    applyFault(envoy, { do: "late_ticks", thread: "worker_0", by: "300ms", for: "1s" });
    applyFault(envoy, { do: "pause", thread: "worker_0", for: "3s" });
    envoy.advance("5s");

    expect(tickSeconds(envoy, "worker_0")).toEqual([1, 4.5, 5.5, 6.5]);
  });
});

describe("bunched_ticks", () => {
  test("ticks due in the time come at its end, of all threads at one instant; answers do not wait", () => {
    const envoy = ticking("call=up", { clusters: { up: { delay: "100ms" } } });
    envoy.advance("1050ms");

    for (const { name } of envoy.threads)
      applyFault(envoy, { do: "bunched_ticks", thread: name, for: "3250ms" });
    envoy.advance("5s");

    expect(tickSeconds(envoy, "worker_0").slice(0, 3)).toEqual([1, 4.3, 5.3]);
    expect(tickSeconds(envoy, "main").slice(0, 3)).toEqual([1, 4.3, 5.3]);
    const answers = timeline(envoy).filter((line) => line.includes("on_http_call_response"));
    expect(answers[0]).toMatch(/^1100 /);
  });
});

describe("fail_allocation", () => {
  test("the next gifts find no memory: the call answers InvalidMemoryAccess, and the guest's allocator is not called", () => {
    const envoy = ticking("call=up", { clusters: { up: { body: "hello" } } });
    envoy.advance("1500ms");

    applyFault(envoy, { do: "fail_allocation", thread: "worker_0", count: 2 });
    envoy.advance("2s");

    const bodies = linesOf(envoy, "worker_0#1")
      .filter((line) => line.startsWith("on_http_call_response"))
      .map((line) => /status=(\S*) body=(\S*)/.exec(line)?.slice(1));
    expect(bodies).toEqual([
      ["200", "hello"],
      [expect.stringMatching(/^!/), "!6"],
      ["200", "hello"],
    ]);
    expect(outcome(envoy, "fail_allocation")).toMatchObject([{ status: "applied" }]);
  });

  test("of one plugin alone", () => {
    const plugin = (name: string) => ({
      name,
      wasm: life,
      vmConfiguration: name,
      configuration: "tick=1000 call=up",
    });
    const envoy = ticking("", {
      plugins: [plugin("a"), plugin("b")],
      clusters: { up: { body: "hello" } },
    });
    envoy.advance("1500ms");

    applyFault(envoy, { do: "fail_allocation", thread: "worker_0", plugin: "b", count: 100 });
    envoy.advance("1s");

    const told = (name: string) =>
      envoy.logs
        .filter(({ plugin: of, thread }) => of === name && thread === "worker_0")
        .map(({ message }) => String(message))
        .filter((message) => message.includes("on_http_call_response"))
        .at(-1);
    expect(told("a")).toContain("body=hello");
    expect(told("b")).toContain("body=!6");
  });
});

describe("cas_storm", () => {
  test("the key's version grows before each set of the thread, so many times; its value stays", () => {
    const envoy = ticking();
    envoy.start();
    envoy.setSharedData({ key: "k", value: "v" });
    const cas = () => envoy.sharedData().get("k")!.cas;
    const first = cas();

    applyFault(envoy, { do: "cas_storm", thread: "main", key: "k", count: 2 });
    const rules = envoy.thread("main").rules;
    const vm = [...envoy.thread("main").vms.values()][0]!;
    for (const call of [
      "proxy_get_shared_data",
      ...Array(3).fill("proxy_set_shared_data"),
    ] as string[])
      for (const rule of [...rules]) expect(rule.answer(call, vm)).toBeUndefined();

    expect(cas()).toBe(first + 2);
    expect(envoy.sharedData().get("k")!.text()).toBe("v");
    expect(rules).toEqual([]);
  });
});

describe("wrong words", () => {
  test.each([
    [{ do: "late_ticks", thread: "worker_0", by: "x", for: "1s" }, "E_OPTION"],
    [{ do: "fail_allocation", thread: "worker_0", count: 0 }, "E_OPTION"],
    [{ do: "fail_allocation", thread: "worker_0", plugin: "lif" }, "E_UNKNOWN_NAME"],
    [{ do: "cas_storm", thread: "worker_0", key: "k", count: 0.5 }, "E_OPTION"],
    [{ do: "lost_answers", thread: "worker_0", cluster: "upp", for: "1s" }, "E_UNKNOWN_NAME"],
  ] as const)("%j", (fault, code) => {
    const envoy = ticking();
    envoy.start();

    expect(() => applyFault(envoy, fault)).toThrow(expect.objectContaining({ code }) as Error);
  });
});
