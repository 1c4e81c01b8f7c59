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

describe("crash", () => {
  test("stops all VMs of the thread without on_done; others go on", () => {
    const envoy = ticking();
    envoy.advance("2s");

    applyFault(envoy, { do: "crash", thread: "worker_0" });
    envoy.advance("2s");

    expect(outcome(envoy, "crash")).toEqual([
      { status: "applied", result: null, args: { thread: "worker_0" }, thread: "worker_0" },
    ]);
    expect(hostEvents(envoy, "vm_gone")).toMatchObject([
      { vm: "worker_0#1", args: { reason: "crashed" } },
    ]);
    expect(linesOf(envoy, "worker_0#1").at(-1)).toContain("on_tick id=1 n=2");
    expect(tickSeconds(envoy, "main")).toEqual([1, 2, 3, 4]);
  });

  test.each([
    ["FAIL_CLOSED", 503],
    ["FAIL_RELOAD", 503],
    ["FAIL_OPEN", 200],
  ] as const)("requests there get the answer of %s for ever", (failurePolicy, status) => {
    const envoy = ticking("", { plugin: { failurePolicy } });
    envoy.advance("1s");
    envoy.thread("worker_0").crash();

    envoy.advance("1h");

    expect(envoy.thread("worker_0").request().status).toBe(status);
  });

  test("of a dead thread does not happen, and says so", () => {
    const envoy = ticking();
    envoy.start();
    envoy.thread("worker_0").crash();

    const again = applyFault(envoy, { do: "crash", thread: "worker_0" });

    expect(again).toBe(false);
    expect(outcome(envoy, "crash")[1]).toMatchObject({
      status: "not_applied",
      result: "the thread is dead",
    });
  });
});

describe("restart", () => {
  test.each(["worker_0", "main"])(
    "gives %s fresh VMs: context 1 again, a new name and new random bytes",
    (thread) => {
      const envoy = ticking();
      envoy.advance("1500ms");
      const identity = (vm: string) =>
        timeline(envoy)
          .find((line) => line.includes(`${vm} _initialize`))!
          .split(" id=")[1];

      applyFault(envoy, { do: "restart", thread });
      envoy.advance("1s");

      expect(linesOf(envoy, `${thread}#2`)).toEqual([
        "_initialize random=0",
        "on_context_create id=1 parent=0",
        "on_vm_start id=1 size=0 configuration= names=life,,",
        "on_configure id=1 size=10 configuration=tick=1000 ",
        "on_tick id=1 n=1 t_us=3602500000",
      ]);
      expect(identity(`${thread}#2`)).not.toBe(identity(`${thread}#1`));
      expect(envoy.thread(thread).alive).toBe(true);
    },
  );

  test("brings the current configuration, not the first", () => {
    const envoy = ticking();
    envoy.start();
    envoy.thread("worker_0").crash();
    envoy.reconfigure("life", "second");

    envoy.thread("worker_0").restart();

    expect(linesOf(envoy, "worker_0#2").at(-1)).toBe(
      "on_configure id=1 size=6 configuration=second",
    );
  });

  test("ends a pause", () => {
    const envoy = ticking();
    envoy.advance("1s");
    envoy.thread("worker_0").pause("1h");

    envoy.thread("worker_0").restart();
    envoy.advance("2s");

    expect(tickSeconds(envoy, "worker_0")).toEqual([1, 2, 3]);
  });

  test("ends a pause for requests that wait in it too, in their old order", () => {
    const envoy = ticking();
    envoy.advance("1s");
    const worker = envoy.thread("worker_0");
    worker.pause("1h");
    const waiting = ["/first", "/second", "/third"].map((path) => worker.request({ path }));
    envoy.advance("2s");

    worker.restart();
    envoy.advance("1s");

    expect(waiting.map(({ status }) => status)).toEqual([200, 200, 200]);
    const taken = timeline(envoy).filter((line) => line.includes("on_request_headers"));
    expect(taken.map((line) => line.replace(/ worker.*path=/, " "))).toEqual([
      "3000 /first",
      "3000 /second",
      "3000 /third",
    ]);
  });
});

describe("pause", () => {
  test("begun in the instant in which another ends keeps what waits waiting, and its order", () => {
    const envoy = ticking();
    envoy.advance("1s");
    const worker = envoy.thread("worker_0");
    worker.pause("1s");
    const waiting = ["/first", "/second"].map((path) => worker.request({ path }));
    envoy.recorder.listen((event) => {
      if (event.name === "thread_resumed" && event.atNs === 2e9) worker.pause("1s");
    });
    envoy.advance("1500ms");
    const isDoneEarly = waiting.some(({ done }) => done);

    envoy.advance("1s");
    const later = worker.request({ path: "/later" });

    expect(isDoneEarly).toBe(false);
    expect(later.done).toBe(true);
    const taken = timeline(envoy).filter((line) => line.includes("on_request_headers"));
    expect(taken.map((line) => line.replace(/ worker.*path=/, " "))).toEqual([
      "3000 /first",
      "3000 /second",
      "3500 /later",
    ]);
  });

  test("a due timer fires once, late, at the end, and says how late", () => {
    const envoy = ticking();
    envoy.advance("1500ms");

    applyFault(envoy, { do: "pause", thread: "worker_0", for: "3s" });
    envoy.advance("4500ms");

    expect(tickSeconds(envoy, "worker_0")).toEqual([1, 4.5, 5.5]);
    expect(tickSeconds(envoy, "main")).toEqual([1, 2, 3, 4, 5, 6]);
    expect(hostEvents(envoy, "tick")).toMatchObject([
      { thread: "worker_0", args: { late_ns: 2.5e9 } },
    ]);
    expect(
      hostEvents(envoy, "thread_paused", "thread_resumed").map(({ name, atNs }) => [
        name,
        atNs / 1e9,
      ]),
    ).toEqual([
      ["thread_paused", 1.5],
      ["thread_resumed", 4.5],
    ]);
  });

  test("a second pause extends the first and is never shortened by it", () => {
    const envoy = ticking();
    envoy.advance("1500ms");
    const worker = envoy.thread("worker_0");

    worker.pause("2s");
    envoy.advance("1s");
    worker.pause("5s");
    envoy.advance("1s");
    worker.pause("1s");
    envoy.advance("10s");

    expect(tickSeconds(envoy, "worker_0")[1]).toBe(7.5);
    expect(hostEvents(envoy, "thread_resumed")).toMatchObject([{ atNs: 7.5e9 }]);
  });

  test("requests and answers wait and come in due order, before the timer that was due first", () => {
    const envoy = ticking("call=up ticks=1 timeout=60000", {
      clusters: { up: { delay: "2200ms" } },
    });
    const worker = envoy.thread("worker_0");
    envoy.at("2s", () => worker.pause("5s"));
    envoy.at("3s", () => worker.request({ path: "/first" }));
    envoy.at("4s", () => worker.request({ path: "/second" }));

    envoy.advance("10s");

    const resumed = timeline(envoy)
      .filter(
        (line) =>
          line.startsWith("7000 worker_0#1") &&
          /on_request_headers|on_http_call|on_tick/.test(line),
      )
      .map((line) => line.replace(/.*(path=\/\w+|on_http_call_response|on_tick).*/, "$1"));
    expect(resumed).toEqual(["path=/first", "on_http_call_response", "path=/second"]);
  });

  test("what is due at the very end of the pause comes after what waited", () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const envoy = ticking("call=up ticks=1 timeout=60000", {
        seed,
        clusters: { up: { delay: "6s" } },
      });
      const worker = envoy.thread("worker_0");
      envoy.at("2s", () => worker.pause("5s"));
      envoy.at("3s", () => worker.request({ path: "/first" }));
      envoy.at("7s", () => worker.request({ path: "/last" }));

      envoy.advance("10s");

      const resumed = timeline(envoy)
        .filter(
          (line) =>
            line.startsWith("7000 worker_0#1") && /on_request_headers|on_http_call_/.test(line),
        )
        .map((line) => line.replace(/.*(path=\/\w+|on_http_call_response).*/, "$1"));
      expect(resumed[0]).toBe("path=/first");
      expect(resumed.slice(1).sort()).toEqual(["on_http_call_response", "path=/last"]);
    }
  });

  test("at 0s it delays the thread's start-up, and requests wait for it", () => {
    const envoy = ticking();
    const worker = envoy.thread("worker_0");
    envoy.at("0s", () => worker.pause("4s"));
    envoy.at("1s", () => worker.request());

    envoy.advance("3s");
    const before = linesOf(envoy, "worker_0#1");
    envoy.advance("3s");

    expect(before).toEqual([]);
    expect(hostEvents(envoy, "vm_created").at(-1)).toMatchObject({ vm: "worker_0#1", atNs: 4e9 });
    expect(envoy.exchanges[0]).toMatchObject({ status: 200 });
    expect(tickSeconds(envoy, "worker_0")).toEqual([5, 6]);
  });

  test("of main at 0s delays everybody: workers come after it", () => {
    const envoy = ticking();
    envoy.at("0s", () => envoy.thread("main").pause("4s"));

    envoy.advance("5s");

    expect(hostEvents(envoy, "vm_created").map(({ atNs }) => atNs)).toEqual([4e9, 4e9, 4e9, 4e9]);
  });
});

describe("trap", () => {
  test("the next such callback traps before its first host call, once", () => {
    const envoy = ticking();
    envoy.advance("1s");

    const isApplied = applyFault(envoy, { do: "trap", thread: "main", callback: "proxy_on_tick" });
    envoy.advance("3s");

    expect(isApplied).toBe(true);
    expect(linesOf(envoy, "main#1").at(-1)).toBe(
      "Function: proxy_on_tick failed: Uncaught RuntimeError: unreachable",
    );
    expect(tickSeconds(envoy, "main")).toEqual([1]);
    expect(tickSeconds(envoy, "worker_0")).toEqual([1, 2, 3, 4]);
    expect(envoy.recorder.events.filter((event) => event.event === "trap")).toMatchObject([
      {
        name: "proxy_on_tick",
        vm: "main#1",
        plugin: "life",
        args: { message: "RuntimeError: unreachable" },
      },
    ]);
  });

  test("does not happen where no living VM has the callback", () => {
    const envoy = ticking();
    envoy.start();

    const noExport = applyFault(envoy, {
      do: "trap",
      thread: "main",
      callback: "proxy_on_new_connection",
    });

    expect(noExport).toBe(false);
    expect(outcome(envoy, "trap")[0]!.result).toBe(
      "no living VM there exports proxy_on_new_connection",
    );
  });

  test("names a wrong callback", () => {
    const envoy = ticking();

    expect(() =>
      applyFault(envoy, { do: "trap", thread: "main", callback: "proxy_on_tik" }),
    ).toThrow(/did you mean proxy_on_tick\?/);
  });
});
