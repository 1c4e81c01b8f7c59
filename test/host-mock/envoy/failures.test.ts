import { beforeAll, describe, expect, test } from "vitest";
import type { FailurePolicy } from "../../../host-mock/envoy/options.ts";
import { envoyOf, hostEvents, linesOf, rawGuest } from "./guests.ts";

let life: Uint8Array;

beforeAll(async () => {
  life = await rawGuest("life");
});

function trapped(failurePolicy: FailurePolicy) {
  const envoy = envoyOf(life, {
    concurrency: 2,
    configuration: "tick=1000",
    plugin: { failurePolicy },
  });
  envoy.advance("2500ms");
  const answer = envoy.thread("worker_0").request({ path: "/trap" });
  return { envoy, answer };
}

describe("a trap in a request", () => {
  test.each(["FAIL_CLOSED", "FAIL_OPEN", "FAIL_RELOAD"] as const)(
    "gives that request 503 with an empty body under %s; no log, done or delete",
    (policy) => {
      const { envoy, answer } = trapped(policy);

      expect(answer).toMatchObject({
        done: true,
        status: 503,
        local: true,
        upstream: null,
      });
      expect(answer.headers.map(([name]) => name)).toEqual(["date", "server", "content-length"]);
      expect(answer.body).toHaveLength(0);
      expect(linesOf(envoy, "worker_0#1").at(-1)).toBe(
        "Function: proxy_on_request_headers failed: Uncaught RuntimeError: unreachable",
      );
    },
  );

  test("wins over a local response of the same callback", () => {
    const envoy = envoyOf(life);

    const answer = envoy.thread("worker_0").request({ path: "/traplocal" });

    expect(answer.status).toBe(503);
  });

  test("leaves other workers alone", () => {
    const { envoy } = trapped("FAIL_CLOSED");

    expect(envoy.thread("worker_1").request().status).toBe(200);
  });

  test("a stream that waits for its upstream gets 503 when the answer comes, a paused one when it has idled for 5 minutes", () => {
    const envoy = envoyOf(life);
    const waiting = envoy.thread("worker_0").request({ upstream: { delay: "5s" } });
    const paused = envoy.thread("worker_0").request({ path: "/pause" });
    envoy.thread("worker_0").request({ path: "/trap" });

    envoy.advance("4s");
    const before = waiting.done;
    envoy.advance("4m");
    const isPaused = !paused.done;
    envoy.advance("1m");

    expect([before, isPaused]).toEqual([false, true]);
    expect(waiting).toMatchObject({ status: 503, local: true });
    // Envoy's 504 for it passes the failed plugin, which makes it a 503.
    expect(paused).toMatchObject({ status: 503, local: true });
  });

  test("in the response: 503 to the client, past all callbacks", () => {
    const envoy = envoyOf(life);

    const answer = envoy
      .thread("worker_0")
      .request({ upstream: { headers: { "x-todo": "trap" }, body: "x" } });

    expect(answer).toMatchObject({ status: 503, local: true });
    expect(answer.body).toHaveLength(0);
  });

  test("fails every plugin that lives in the VM", () => {
    const envoy = envoyOf(life, {
      plugins: [
        { name: "a", wasm: life, configuration: "tick=1000" },
        { name: "b", wasm: life, configuration: "tick=1000" },
      ],
    });
    envoy.advance("1s");

    envoy.thread("worker_0").request({ path: "/trap" });
    envoy.advance("10s");

    expect(linesOf(envoy, "worker_0#1").filter((line) => line.startsWith("on_tick"))).toHaveLength(
      2,
    );
    const [trap] = envoy.recorder.events.filter((event) => event.event === "trap");
    expect(trap!.args["plugins"]).toEqual(["a", "b"]);
  });
});

describe("new requests on a failed VM", () => {
  test("FAIL_CLOSED: 503 for ever", () => {
    const { envoy } = trapped("FAIL_CLOSED");

    envoy.advance("1h");

    expect(envoy.thread("worker_0").request()).toMatchObject({ status: 503, local: true });
  });

  test("FAIL_OPEN: unfiltered", () => {
    const { envoy } = trapped("FAIL_OPEN");

    expect(envoy.thread("worker_0").request()).toMatchObject({ status: 200, local: false });
    expect(linesOf(envoy, "worker_0#1").at(-1)).toContain(
      "Function: proxy_on_request_headers failed",
    );
  });

  test("FAIL_RELOAD: once the last load lies 1 … 1.5 s back, a fresh VM serves them; its ids begin at 1", () => {
    const { envoy } = trapped("FAIL_RELOAD");

    const answer = envoy.thread("worker_0").request({ path: "/again" });
    envoy.advance("1s");

    expect(answer.status).toBe(200);
    expect(linesOf(envoy, "worker_0#2").slice(0, 6)).toEqual([
      "_initialize random=0",
      "on_context_create id=1 parent=0",
      "on_vm_start id=1 size=0 configuration= names=life,,",
      "on_configure id=1 size=9 configuration=tick=1000",
      "on_context_create id=2 parent=1",
      "on_request_headers id=2 n=6 end=1 path=/again",
    ]);
    expect(linesOf(envoy, "worker_0#2").at(-1)).toMatch(/^on_tick id=1 n=1 /);
    expect(hostEvents(envoy, "vm_gone")).toMatchObject([
      { vm: "worker_0#1", args: { reason: "reloaded" } },
    ]);
  });

  test("FAIL_RELOAD: 503 while backing off; each trap needs a wait of its own", () => {
    const { envoy } = trapped("FAIL_RELOAD");
    const worker = envoy.thread("worker_0");
    const waits: number[] = [];

    for (let round = 0; round < 20; round++) {
      let waitedMs = 0;
      worker.request({ path: "/trap" });
      while (worker.request().status === 503) {
        envoy.advance("50ms");
        waitedMs += 50;
      }
      if (round > 0) waits.push(waitedMs);
    }

    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(1500);
    expect(new Set(waits).size).toBeGreaterThan(2);
  });

  test("FAIL_RELOAD never brings back the main thread's VM", () => {
    const envoy = envoyOf(life, {
      configuration: "tick=1000",
      plugin: { failurePolicy: "FAIL_RELOAD" },
    });
    envoy.start();
    envoy.thread("main").trapNext("proxy_on_tick");

    for (let second = 0; second < 10; second++) {
      envoy.advance("1s");
      envoy.thread("worker_0").request();
    }

    expect(linesOf(envoy, "main#1").at(-1)).toContain("proxy_on_tick failed");
    expect(hostEvents(envoy, "vm_created").filter(({ thread }) => thread === "main")).toHaveLength(
      3,
    );
  });

  test("a plugin chain goes on without a failed FAIL_OPEN plugin", () => {
    const envoy = envoyOf(life, {
      plugins: [
        { name: "weak", wasm: life, vmId: "1", failurePolicy: "FAIL_OPEN" },
        { name: "strong", wasm: life, vmId: "2" },
      ],
    });
    envoy.thread("worker_0").request({ path: "/trap" });
    const since = envoy.recorder.events.length;

    const answer = envoy.thread("worker_0").request();

    expect(answer.status).toBe(200);
    const told = envoy.recorder.events.slice(since).filter(({ event }) => event === "log");
    expect(linesOf(envoy, "worker_0#1", since)[0]).toBe("on_context_create id=3 parent=1");
    expect(new Set(told.map(({ plugin }) => plugin))).toEqual(new Set(["strong"]));
  });
});
