import { beforeAll, describe, expect, test } from "vitest";
import { MockHostError } from "../../../host-mock/errors.ts";
import { SlotTable } from "../../../host-mock/envoy/slots.ts";
import type { MockEnvoy } from "../../../host-mock/index.ts";
import { envoyOf, hostEvents, linesOf, rawGuest } from "./guests.ts";

let life: Uint8Array;

beforeAll(async () => {
  life = await rawGuest("life");
});

/** Two listeners; `twin` stands in both. */
function twoListeners(): MockEnvoy {
  return envoyOf(life, {
    drain: "2s",
    plugins: [
      { name: "only", wasm: life, vmId: "only" },
      { name: "twin", wasm: life, vmId: "twin" },
    ],
    listeners: { left: { plugins: ["only", "twin"] }, right: { plugins: ["twin"] } },
  }).start();
}

function canaries(envoy: MockEnvoy): number {
  return hostEvents(envoy, "vm_created").filter(({ args }) => args["kind"] === "canary").length;
}

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof MockHostError) return error.code;
    throw error;
  }
  return "no error";
}

describe("a configuration that comes back", () => {
  test("equal to the present one changes nothing", () => {
    const envoy = envoyOf(life, { configuration: "one" }).start();
    const before = envoy.trace.length;

    const isApplied = envoy.reconfigure("life", "one");

    expect(isApplied).toBe(true);
    expect(envoy.trace.slice(before).map(({ event, name }) => `${event} ${name}`)).toEqual([
      "fault reconfigure",
    ]);
  });

  test("within the drain takes its contexts back into use, and the others end", () => {
    const envoy = envoyOf(life, { configuration: "one", drain: "10s" }).start();
    envoy.reconfigure("life", "two");
    envoy.advance("5s");

    envoy.reconfigure("life", "one");
    envoy.advance("60s");

    const ofWorker = (name: string) =>
      hostEvents(envoy, name)
        .filter(({ thread }) => thread === "worker_0")
        .map(({ context, atNs }) => `${context} at ${atNs / 1e9}`);
    expect(ofWorker("context_reused")).toEqual(["1 at 5"]);
    expect(ofWorker("context_deleted")).toEqual(["2 at 15"]);
  });

  test("is not tried in a canary again, a refused one neither", () => {
    const envoy = envoyOf(life, { configuration: "one", drain: "1s" }).start();
    envoy.reconfigure("life", "two");
    envoy.reconfigure("life", "cfgfail");
    envoy.advance("2s");
    const before = canaries(envoy);

    const isBack = envoy.reconfigure("life", "one");
    const isRefused = !envoy.reconfigure("life", "cfgfail");

    expect([isBack, isRefused]).toEqual([true, true]);
    expect(canaries(envoy)).toBe(before);
  });
});

describe("a listener", () => {
  test("that goes takes along what only it has, when its drain is over", () => {
    const envoy = twoListeners();

    envoy.removeListener("left");
    envoy.advance("1999ms");
    const early = hostEvents(envoy, "context_done").length;
    envoy.advance("1ms");

    expect(early).toBe(0);
    const gone = hostEvents(envoy, "context_deleted").map(({ vm, plugin }) => `${plugin} ${vm}`);
    expect(gone.sort()).toEqual(["only main#1", "only worker_0#1"]);
    expect(
      hostEvents(envoy, "vm_gone")
        .map(({ vm }) => vm)
        .sort(),
    ).toEqual(["main#1", "worker_0#1"]);
  });

  test("that goes closes the requests that are open there, and takes no more", () => {
    const envoy = twoListeners();
    const worker = envoy.thread("worker_0");
    const upstream = { delay: "10s" } as const;
    const there = worker.request({ listener: "left", upstream });
    const elsewhere = worker.request({ listener: "right", upstream });

    envoy.removeListener("left");
    const code = codeOf(() => worker.request({ listener: "left" }));
    envoy.advance("2s");

    expect(code).toBe("E_STATE");
    expect([there.done, there.status, elsewhere.done]).toEqual([true, null, false]);
  });

  test("that comes back begins anew, with a canary", () => {
    const envoy = twoListeners();
    envoy.removeListener("left");
    envoy.advance("2s");
    const since = envoy.trace.length;

    envoy.addListener("left");
    const status = envoy.thread("worker_0").request({ listener: "left" }).status;

    expect(status).toBe(200);
    expect(linesOf(envoy, "worker_0#2", since)).toContain("on_context_create id=1 parent=0");
    expect(canaries(envoy)).toBe(3);
  });

  test("takes the shared data of a vm_id along with its last plugin, and leaves that of others", () => {
    const envoy = twoListeners();
    for (const vmId of ["only", "twin"]) envoy.setSharedData({ vmId, key: "k", value: "v" });

    envoy.removeListener("left");
    envoy.advance("2s");

    expect([envoy.sharedData("only").size, envoy.sharedData("twin").size]).toEqual([0, 1]);
    expect(hostEvents(envoy, "shared_data_dropped").map(({ args }) => args)).toEqual([
      { vm_id: "only", keys: 1 },
    ]);
  });

  test("cannot go twice, come while it is there, or be one that nobody knows", () => {
    const envoy = twoListeners();
    envoy.removeListener("left");

    expect(codeOf(() => envoy.removeListener("left"))).toBe("E_STATE");
    expect(codeOf(() => envoy.addListener("right"))).toBe("E_STATE");
    expect(codeOf(() => envoy.removeListener("lef"))).toBe("E_UNKNOWN_NAME");
  });
});

test("the end comes from the highest place to the lowest, and the lowest of a plugin's places counts", () => {
  const envoy = envoyOf(life, {
    plugins: ["a", "b", "c"].map((name) => ({ name, wasm: life, vmId: name })),
    listeners: { one: { plugins: ["a", "b"] }, two: { plugins: ["c", "a"] } },
  }).start();

  envoy.shutdown();

  const ended = hostEvents(envoy, "context_done").filter(({ thread }) => thread === "main");
  expect(ended.map(({ plugin }) => plugin)).toEqual(["c", "b", "a"]);
});

test("a place that was given back is the next to be given out, the last one first", () => {
  const table = new SlotTable();
  const taken = [table.take(), table.take(), table.take()];
  table.giveBack(0);
  table.giveBack(1);

  expect([...taken, table.take(), table.take(), table.take()]).toEqual([0, 1, 2, 1, 0, 3]);
});
