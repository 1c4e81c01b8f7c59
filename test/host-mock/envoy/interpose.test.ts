import { beforeAll, describe, expect, test } from "vitest";
import { envoyOf, rawGuest, timeline } from "./guests.ts";

let life: Uint8Array;

beforeAll(async () => {
  life = await rawGuest("life");
});

const start = (words: string) => envoyOf(life, { configuration: words, concurrency: 2 }).start();
const ticks = (envoy: ReturnType<typeof start>): string[] =>
  timeline(envoy).filter((line) => line.includes("on_tick"));

describe("interpose", () => {
  test("runs inside the n-th such call from now on, once, and the call is carried out as ever", () => {
    const envoy = start("tick=1000");
    let count = 0;
    envoy.thread("worker_0").interpose({ call: "proxy_log", nth: 2, run: () => void count++ });
    const before = envoy.logs.length;

    envoy.advance("5s");

    expect(count).toBe(1);
    expect(envoy.logs.length).toBeGreaterThan(before + 2);
  });

  test("another thread's tick comes inside it, and its timer goes on from there", () => {
    const envoy = start("tick=1000");
    const [a, b] = [envoy.thread("worker_0"), envoy.thread("worker_1")];
    let hasTicked = false;
    envoy.at("1500ms", () => {
      a.interpose({ call: "proxy_log", run: () => void (hasTicked = b.tick("life")) });
      a.tick("life");
    });

    envoy.advance("3s");

    expect(hasTicked).toBe(true);
    const of = (thread: string) =>
      ticks(envoy)
        .filter((line) => line.includes(thread))
        .map((line) => Number(line.split(" ")[0]));
    expect(of("worker_1")).toEqual([1000, 1500, 2500]);
    expect(of("worker_0")).toEqual([1000, 1500, 2500]);
    expect(of("main")).toEqual([1000, 2000, 3000]);
  });

  test("an error thrown in it goes to the caller, and the VM that it went through is never called again", () => {
    const envoy = start("tick=1000");
    const worker = envoy.thread("worker_0");
    worker.interpose({
      call: "proxy_log",
      run: () => {
        throw new Error("out of the test");
      },
    });

    expect(() => worker.request({})).toThrow("out of the test");
    const lines = timeline(envoy).filter((line) => line.includes("worker_0")).length;
    const later = worker.request({});
    envoy.advance("3s");

    expect(later.status).toBe(503);
    expect(timeline(envoy).filter((line) => line.includes("worker_0"))).toHaveLength(lines);
    expect(ticks(envoy).filter((line) => line.includes("worker_1"))).toHaveLength(3);
  });

  test("a plugin that does not exist is named", () => {
    const envoy = start("tick=1000");
    expect(() => {
      envoy.thread("main").interpose({ call: "proxy_log", plugin: "nobody", run: () => undefined });
    }).toThrow(/nobody/);
  });

  test("what does not exist is named", () => {
    const envoy = start("tick=1000");
    const interpose = (call: string, nth?: number) => () => {
      envoy
        .thread("main")
        .interpose({ call, run: () => undefined, ...(nth === undefined ? {} : { nth }) });
    };

    expect(interpose("proxy_lgo")).toThrow(/proxy_log/);
    expect(interpose("proxy_log", 0)).toThrow(/interpose: nth is 0/);
  });
});

describe("startNow", () => {
  test("brings a thread up inside another one's start, and not a second time", () => {
    const envoy = envoyOf(life, { configuration: "tick=1000", concurrency: 2 });
    const [a, b] = [envoy.thread("worker_0"), envoy.thread("worker_1")];
    const brought: boolean[] = [];
    a.interpose({ call: "proxy_log", run: () => void brought.push(b.startNow(), b.startNow()) });
    b.interpose({ call: "proxy_log", run: () => void brought.push(a.startNow(), a.startNow()) });

    envoy.start();

    const created = envoy.trace.filter(
      ({ name, thread }) => name === "vm_created" && thread !== "main",
    );
    expect(brought.slice(-1)).toEqual([false]);
    expect(brought).toContain(true);
    expect(created.map(({ thread }) => thread).sort()).toEqual(["worker_0", "worker_1"]);
    expect(a.startNow()).toBe(false);
  });
});
