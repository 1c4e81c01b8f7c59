import { beforeAll, describe, expect, test } from "vitest";
import { readable } from "../../../host-mock/trace/values.ts";
import { envoyOf, hostEvents, linesOf, rawGuest, timeline } from "./guests.ts";

let life: Uint8Array;

beforeAll(async () => {
  life = await rawGuest("life");
});

describe("a new configuration", () => {
  test("makes a new root beside the old one, and both tick until the drain ends", () => {
    const envoy = envoyOf(life, { configuration: "tick=1000", drain: "3s" });
    envoy.advance("1500ms");

    const isApplied = envoy.reconfigure("life", "tick=1000 new");
    envoy.advance("10s");

    expect(isApplied).toBe(true);
    const ofWorker = timeline(envoy)
      .filter((line) => line.includes("worker_0#1 on_tick"))
      .map((line) => line.replace(/ worker_0#1 on_tick| n=.*/g, ""));
    expect(ofWorker.slice(0, 8)).toEqual([
      "1000 id=1",
      "2000 id=1",
      "2500 id=2",
      "3000 id=1",
      "3500 id=2",
      "4000 id=1",
      "4500 id=2",
      "5500 id=2",
    ]);
    expect(
      hostEvents(envoy, "context_draining").map(({ vm, context }) => `${vm} ${context}`),
    ).toEqual(["main#1 1", "worker_0#1 1"]);
  });

  test("goes through a canary of its own, then main, then the workers, in the VMs that are there", () => {
    const envoy = envoyOf(life, { concurrency: 1 });
    envoy.advance("1s");
    const since = envoy.recorder.events.length;

    envoy.reconfigure("life", { b: 2 });

    const starts = envoy.recorder.events
      .slice(since)
      .filter(
        (event) => event.event === "timer" && /vm_created|context_configured/.test(event.name),
      )
      .map((event) => `${event.name} ${event.vm} ${event.context}`);
    expect(starts).toEqual([
      "vm_created main#canary 0",
      "context_configured main#1 2",
      "context_configured worker_0#1 2",
    ]);
    const [configured] = hostEvents(envoy, "context_configured").slice(-1);
    expect(configured!.args["generation"]).toBe(2);
  });

  test("refused by the canary changes nothing: the old context lives on, no context drains", () => {
    const envoy = envoyOf(life, { configuration: "tick=1000" });
    envoy.advance("1s");

    const isApplied = envoy.reconfigure("life", "cfgfail");
    envoy.advance("700s");

    expect(isApplied).toBe(false);
    expect(hostEvents(envoy, "reconfigure")).toMatchObject([
      {
        status: "refused",
        result: "on_configure id=1 size=7 configuration=cfgfail",
        plugin: "life",
      },
    ]);
    expect(hostEvents(envoy, "context_draining", "context_done")).toEqual([]);
    expect(linesOf(envoy, "worker_0#1").at(-1)).toContain("on_tick id=1 n=701");
  });

  test("revives a thread whose VM trapped: a fresh VM with a new name", () => {
    const envoy = envoyOf(life, { configuration: "tick=1000 trap=on_tick" });
    envoy.advance("2s");

    envoy.reconfigure("life", "fine");

    expect(envoy.thread("worker_0").request().status).toBe(200);
    expect(
      hostEvents(envoy, "vm_created")
        .slice(-2)
        .map(({ vm }) => vm),
    ).toEqual(["main#2", "worker_0#2"]);
  });

  test("new requests go to the new context; a request under way keeps the old one until the drain closes its connection", () => {
    const envoy = envoyOf(life, { drain: "5s" });
    const slow = envoy.thread("worker_0").request({ upstream: { delay: "20s" } });
    envoy.reconfigure("life", "new");
    const quick = envoy.thread("worker_0").request();

    envoy.advance("4999ms");
    const doneWhileOpen = hostEvents(envoy, "context_done");
    const isOpen = !slow.done;
    envoy.advance("1ms");

    expect(quick.status).toBe(200);
    expect(linesOf(envoy, "worker_0#1")).toContain("on_context_create id=4 parent=3");
    expect(doneWhileOpen).toEqual([]);
    expect(isOpen).toBe(true);
    expect([slow.done, slow.status]).toEqual([true, null]);
    expect(linesOf(envoy, "worker_0#1").slice(-3)).toEqual([
      "on_delete id=2",
      "on_done id=1",
      "on_delete id=1",
    ]);
  });

  test("reaches a paused worker when its pause ends", () => {
    const envoy = envoyOf(life, { concurrency: 2 });
    envoy.advance("1s");
    envoy.thread("worker_1").pause("3s");

    envoy.reconfigure("life", "new");
    envoy.advance("10s");

    const times = hostEvents(envoy, "context_configured")
      .filter((event) => event.args["generation"] === 2)
      .map((event) => `${event.thread} ${event.atNs / 1e9}`);
    expect(times).toEqual(["main 1", "worker_0 1", "worker_1 4"]);
  });
});

describe("on_done", () => {
  test("answered 1: on_delete at once; shared data written in it is there", () => {
    const envoy = envoyOf(life, { configuration: "doneset", drain: "1s" });
    envoy.start();
    envoy.reconfigure("life", "doneset b");

    envoy.advance("1s");

    expect(linesOf(envoy, "main#1").slice(-3)).toEqual([
      "on_done id=1",
      "on_done set=0",
      "on_delete id=1",
    ]);
    expect(envoy.sharedData().get("life:done")!.text()).toBe("life:done");
    expect(
      hostEvents(envoy, "context_done", "context_deleted")
        .map(({ name, vm }) => `${name} ${vm}`)
        .sort(),
    ).toEqual([
      "context_deleted main#1",
      "context_deleted worker_0#1",
      "context_done main#1",
      "context_done worker_0#1",
    ]);
  });

  test("answered 0 with another root alive: it ticks on until proxy_done, then on_delete after that callback", () => {
    const envoy = envoyOf(life, {
      configuration: "tick=1000 donefalse donelater",
      drain: "1500ms",
    });
    envoy.start();
    envoy.reconfigure("life", "tick=1000 donefalse donelater b");

    envoy.advance("10s");

    const ofOld = timeline(envoy)
      .filter((line) => line.includes("main#1") && / id=1\b|proxy_done/.test(line))
      .map((line) => line.replace(/ n=.*/, "").replace("main#1 ", ""));
    expect(ofOld.slice(-6)).toEqual([
      "1000 on_tick id=1",
      "1500 on_done id=1",
      "2000 on_tick id=1",
      "3000 on_tick id=1",
      "3000 on_tick proxy_done=0",
      "3000 on_delete id=1",
    ]);
  });

  test("answered 0 by the VM's last user: the VM is gone at once, without on_delete", () => {
    const envoy = envoyOf(life, { configuration: "tick=1000 donefalse" });
    envoy.advance("1s");

    envoy.shutdown();

    expect(linesOf(envoy, "worker_0#1").at(-1)).toBe("on_done id=1");
    expect(hostEvents(envoy, "context_deleted")).toEqual([]);
    expect(
      hostEvents(envoy, "vm_gone").map((event) => `${event.vm} ${readable(event.args["reason"])}`),
    ).toEqual(["worker_0#1 released", "main#1 released"]);
  });

  test("proxy_done without waiting answers NotFound and changes nothing", () => {
    const envoy = envoyOf(life, { configuration: "tick=1000 donelater", drain: "600s" });
    envoy.advance("5s");

    expect(linesOf(envoy).some((line) => line.includes("proxy_done"))).toBe(false);
    expect(hostEvents(envoy, "context_deleted")).toEqual([]);
  });

  test("an HTTP call made in it is accepted but never leaves when root or VM go right after", () => {
    const envoy = envoyOf(life, { configuration: "donecall", drain: "1s", clusters: { up: {} } });
    envoy.start();
    envoy.reconfigure("life", "donecall b");

    envoy.advance("5s");
    envoy.shutdown();

    expect(linesOf(envoy).filter((line) => line === "on_done http_call=0")).toHaveLength(4);
    expect(hostEvents(envoy, "http_call_sent")).toHaveLength(4);
    expect(hostEvents(envoy, "http_call_arrived", "http_call_answered")).toEqual([]);
    expect(hostEvents(envoy, "http_call_dropped")).toHaveLength(4);
  });

  test("an HTTP call made in it goes out and is answered when the root stays parked", () => {
    const envoy = envoyOf(life, {
      configuration: "donecall donefalse",
      drain: "1s",
      clusters: { up: { delay: "1ms" } },
    });
    envoy.start();
    envoy.reconfigure("life", "donecall donefalse b");

    envoy.advance("2s");

    expect(linesOf(envoy, "main#1").slice(-2)).toEqual([
      "on_done http_call=0",
      "on_http_call_response id=1 token=4 headers=some size=0 trailers=0 status=200 body= code=0 message=",
    ]);
    expect(hostEvents(envoy, "http_call_arrived")).toHaveLength(2);
  });

  test("at SIGTERM the workers come first, then main; failed VMs get nothing", () => {
    const envoy = envoyOf(life, { concurrency: 2 });
    envoy.start();
    envoy.thread("worker_0").request({ path: "/trap" });

    envoy.shutdown();

    const ends = timeline(envoy).filter((line) => /on_done|on_delete/.test(line));
    expect(ends).toEqual([
      "0 worker_1#1 on_done id=1",
      "0 worker_1#1 on_delete id=1",
      "0 main#1 on_done id=1",
      "0 main#1 on_delete id=1",
    ]);
    expect(envoy.recorder.events.at(-1).name).toBe("run_ended");
  });

  test("at SIGTERM a root that still drains is told too, after the one that took its place", () => {
    const envoy = envoyOf(life, { drain: "600s" });
    envoy.advance("2s");
    envoy.reconfigure("life", "new");
    envoy.advance("1s");

    envoy.shutdown();

    const ends = timeline(envoy).filter((line) => /on_done|on_delete/.test(line));
    expect(ends).toEqual(
      ["worker_0#1", "main#1"].flatMap((vm) =>
        [2, 1].flatMap((id) => [`3000 ${vm} on_done id=${id}`, `3000 ${vm} on_delete id=${id}`]),
      ),
    );
    expect(hostEvents(envoy, "vm_gone").map(({ vm, args }) => [vm, args["reason"]])).toEqual([
      ["worker_0#1", "released"],
      ["main#1", "released"],
    ]);
  });

  test("an HTTP call made in it never leaves, whatever a host call costs and the network delays", () => {
    for (const options of [{ callCost: "1us" }, {}]) {
      const envoy = envoyOf(life, {
        configuration: "donecall",
        drain: "1s",
        clusters: { up: {} },
        ...options,
      });
      envoy.advance("1s");
      if (!("callCost" in options)) {
        for (const thread of envoy.threads)
          thread.delayCalls({ cluster: "up", by: "2s", for: "10s" });
      }
      envoy.reconfigure("life", "donecall b");

      envoy.advance("5s");

      expect(hostEvents(envoy, "http_call_sent")).toHaveLength(2);
      expect(hostEvents(envoy, "http_call_dropped")).toHaveLength(2);
      expect(hostEvents(envoy, "http_call_arrived", "http_call_answered")).toEqual([]);
    }
  });

  test("the canary gets neither on_done nor on_delete, and end() sends none", () => {
    const envoy = envoyOf(life);
    envoy.advance("5s");

    envoy.end();
    envoy.end();

    expect(linesOf(envoy).filter((line) => /on_done|on_delete/.test(line))).toEqual([]);
    expect(hostEvents(envoy, "run_ended")).toHaveLength(1);
    expect(() => envoy.advance("1s")).toThrow(expect.objectContaining({ code: "E_STATE" }));
  });
});
