import { beforeAll, describe, expect, test } from "vitest";
import { envoyOf, hostEvents, linesOf, rawGuest, timeline } from "./guests.ts";

let life: Uint8Array;

beforeAll(async () => {
  life = await rawGuest("life");
});

const startLines = [
  "_initialize random=0",
  "on_context_create id=1 parent=0",
  "on_vm_start id=1 size=0 configuration= names=life,,",
  "on_configure id=1 size=0 configuration=",
];

describe("start", () => {
  test("base, canary, main and each worker run what Envoy runs in them, in its order", () => {
    const envoy = envoyOf(life, { concurrency: 2, seed: 3 });

    envoy.start();

    const order = hostEvents(envoy, "vm_created").map((event) => [event.vm, event.args["kind"]]);
    expect(order.slice(0, 3)).toEqual([
      ["main#base", "base"],
      ["main#canary", "canary"],
      ["main#1", "thread"],
    ]);
    expect(
      order
        .slice(3)
        .map(([vm]) => vm)
        .sort(),
    ).toEqual(["worker_0#1", "worker_1#1"]);
    expect(linesOf(envoy, "main#base")).toEqual(startLines.slice(0, 1));
    for (const vm of ["main#canary", "main#1", "worker_0#1", "worker_1#1"]) {
      expect(linesOf(envoy, vm)).toEqual(startLines);
    }
  });

  test("a plugin with N workers is configured N + 2 times and ticks on N + 1 VMs", () => {
    const envoy = envoyOf(life, { concurrency: 3, configuration: "tick=1000" });

    envoy.advance("1s");

    const lines = linesOf(envoy);
    expect(lines.filter((line) => line.startsWith("_initialize"))).toHaveLength(6);
    expect(lines.filter((line) => line.startsWith("on_configure"))).toHaveLength(5);
    expect(lines.filter((line) => line.startsWith("on_tick"))).toHaveLength(4);
    expect(hostEvents(envoy, "context_configured").map(({ status }) => status)).toEqual([
      "Ok",
      "Ok",
      "Ok",
      "Ok",
    ]);
  });

  test("configurations arrive with their sizes, objects as JSON text", () => {
    const envoy = envoyOf(life, {
      plugin: {
        configuration: { a: 1 },
        vmConfiguration: "vm words",
        rootId: "the root",
        vmId: "the vm",
      },
    });

    envoy.start();

    expect(linesOf(envoy, "worker_0#1").slice(2)).toEqual([
      "on_vm_start id=1 size=8 configuration=vm words names=life,the root,the vm",
      'on_configure id=1 size=7 configuration={"a":1}',
    ]);
  });

  test("each VM has random bytes of its own, the same in a second run of the seed, others with another seed", () => {
    const identities = (seed: number) => {
      const envoy = envoyOf(life, { seed, concurrency: 2 });
      envoy.start();
      return timeline(envoy)
        .filter((line) => line.includes("_initialize"))
        .map((line) => `${line.split(" ")[1]} ${line.split(" id=")[1]}`)
        .sort();
    };

    const first = identities(1);
    const second = identities(1);
    const other = identities(2);

    expect(second).toEqual(first);
    expect(new Set(first.map((text) => text.split(" ")[1])).size).toBe(5);
    expect(other.filter((text) => first.includes(text))).toEqual([]);
  });

  test("a singleton service lives on the main thread alone, a service on every thread without requests", () => {
    const wasm = life;
    const envoy = envoyOf(wasm, {
      concurrency: 1,
      plugins: [
        { name: "one", wasm, kind: "singleton", vmId: "a" },
        { name: "all", wasm, kind: "service", vmId: "b" },
      ],
    });

    envoy.start();
    const answer = envoy.thread("worker_0").request({ upstream: { status: 201 } });

    const configured = hostEvents(envoy, "context_configured").map(
      (event) => `${event.plugin} ${event.thread}`,
    );
    expect(configured).toEqual(["one main", "all main", "all worker_0"]);
    expect(answer.status).toBe(201);
    expect(linesOf(envoy).some((line) => line.startsWith("on_request_headers"))).toBe(false);
  });

  test("a second plugin of the same VM key gets a canary of its own and a root in the VMs that are there", () => {
    const envoy = envoyOf(life, {
      plugins: [
        { name: "a", wasm: life },
        { name: "b", wasm: life },
      ],
    });

    envoy.start();

    expect(hostEvents(envoy, "vm_created").map(({ vm }) => vm)).toEqual([
      "main#base",
      "main#canary",
      "main#1",
      "main#canary",
      "worker_0#1",
    ]);
    expect(linesOf(envoy, "worker_0#1")).toEqual([
      ...startLines.map((line) => line.replace("life", "a")),
      "on_context_create id=2 parent=0",
      "on_vm_start id=2 size=0 configuration= names=b,,",
      "on_configure id=2 size=0 configuration=",
    ]);
  });

  test("plugins of other VM keys have VMs of their own, which count apart", () => {
    const envoy = envoyOf(life, {
      plugins: [
        { name: "a", wasm: life, vmId: "x" },
        { name: "b", wasm: life, vmId: "y" },
      ],
    });

    envoy.start();

    const threads = hostEvents(envoy, "vm_created").filter(
      (event) => event.args["kind"] === "thread",
    );
    expect(threads.map((event) => `${event.plugin} ${event.vm}`)).toEqual([
      "a main#1",
      "b main#1",
      "a worker_0#1",
      "b worker_0#1",
    ]);
  });
});

describe("refusals", () => {
  test.each([
    [
      "vmfail",
      "on_vm_start id=1 size=6 configuration=vmfail names=life,,",
      { vmConfiguration: "vmfail" },
    ],
    ["cfgfail", "on_configure id=1 size=7 configuration=cfgfail", { configuration: "cfgfail" }],
    [
      "a trap in on_configure",
      "Function: proxy_on_configure failed: Uncaught RuntimeError: unreachable",
      { configuration: "trap=on_configure" },
    ],
    [
      "a trap in on_vm_start",
      "Function: proxy_on_vm_start failed: Uncaught RuntimeError: unreachable",
      { vmConfiguration: "vmtrap" },
    ],
  ])("%s in the canary stops the start and is told with the last log line", (_, line, plugin) => {
    const envoy = envoyOf(life, { plugin: { failurePolicy: "FAIL_OPEN", ...plugin } });

    expect(() => envoy.start()).toThrow(expect.objectContaining({ code: "E_PLUGIN_START" }));

    const [refused, ...more] = hostEvents(envoy, "context_configured");
    expect(refused).toMatchObject({ vm: "main#canary", status: "refused", result: line });
    expect(more).toEqual([]);
  });

  test("with allowRefusedStart nothing runs, and a request finds nobody", () => {
    const envoy = envoyOf(life, { configuration: "cfgfail", allowRefusedStart: true });

    envoy.advance("10s");
    const answer = envoy.thread("worker_0").request();

    expect(answer).toMatchObject({ done: true, status: null, upstream: null });
    expect(envoy.threads.every((thread) => !thread.alive)).toBe(true);
  });

  test("a refusal on threads only: the root is shut down, and requests pass unfiltered", () => {
    const envoy = envoyOf(life, { configuration: "cfgfailonworker" });

    envoy.start();
    const answer = envoy.thread("worker_0").request();

    expect(linesOf(envoy, "worker_0#1").slice(-4)).toEqual([
      "on_configure id=1 size=15 configuration=cfgfailonworker",
      "Wasm VM failed Failed to configure thread-local Wasm plugin",
      "on_done id=1",
      "on_delete id=1",
    ]);
    expect(hostEvents(envoy, "context_configured").map(({ status }) => status)).toEqual([
      "refused",
      "refused",
    ]);
    expect(answer).toMatchObject({ status: 200, local: false });
  });

  test("a trap on a thread only: no on_done, requests pass, and a later configuration of that code is rejected", () => {
    const envoy = envoyOf(life, { configuration: "cfgtraponworker" });

    envoy.start();
    const answer = envoy.thread("worker_0").request();
    const isApplied = envoy.reconfigure("life", "fine");

    expect(linesOf(envoy, "worker_0#1").slice(-2)).toEqual([
      "Function: proxy_on_configure failed: Uncaught RuntimeError: unreachable",
      "Wasm VM failed Failed to configure thread-local Wasm plugin",
    ]);
    expect(answer.status).toBe(200);
    expect(isApplied).toBe(false);
    expect(hostEvents(envoy, "reconfigure")).toMatchObject([{ status: "refused" }]);
  });
});
