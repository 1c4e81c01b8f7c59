import { beforeAll, expect, test } from "vitest";
import { envoyOf, hostEvents, linesOf, rawGuest, timeline } from "./guests.ts";

let life: Uint8Array;

beforeAll(async () => {
  life = await rawGuest("life");
});

function tickTimes(envoy: ReturnType<typeof envoyOf>, vm = "worker_0#1"): number[] {
  return timeline(envoy)
    .filter((line) => line.includes(`${vm} on_tick id=1 n=`))
    .map((line) => Number(line.split(" ")[0]));
}

test("the first tick comes one period after the call, and each next one a period after the last", () => {
  const envoy = envoyOf(life, { configuration: "tick=250" });

  envoy.advance("1s");

  expect(tickTimes(envoy)).toEqual([250, 500, 750, 1000]);
});

test("a period set inside the tick counts from its end on", () => {
  const envoy = envoyOf(life, { configuration: "tick=100 tick2=300" });

  envoy.advance("1s");

  expect(tickTimes(envoy)).toEqual([100, 400, 700, 1000]);
});

test("period 0 stops the timer", () => {
  const envoy = envoyOf(life, { configuration: "tick=100 ticks=3" });

  envoy.advance("1h");

  expect(tickTimes(envoy)).toEqual([100, 200, 300]);
});

test("the longest period is accepted and does not fire early", () => {
  const envoy = envoyOf(life, { configuration: "tick=4294967295" });

  envoy.advance("24h");

  expect(tickTimes(envoy)).toEqual([]);
});

test("the delay is counted from the end of the callback: what host calls cost makes ticks drift", () => {
  const envoy = envoyOf(life, { configuration: "tick=1000", concurrency: 1, callCost: "10ms" });

  envoy.advance("10s");

  const times = tickTimes(envoy);
  const gaps = times.slice(1).map((time, index) => time - times[index]!);
  expect(Math.min(...gaps)).toBeGreaterThan(1000);
});

test("jitter makes each timer late by up to its bound, never early", () => {
  const envoy = envoyOf(life, { configuration: "tick=1000", tickJitter: "100ms" });

  envoy.advance("100s");

  const times = tickTimes(envoy);
  const gaps = times.map((time, index) => time - (times[index - 1] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(1100);
  expect(new Set(gaps).size).toBeGreaterThan(50);
});

test("VMs whose timers are due at one instant run in an order drawn by the seed", () => {
  const winners = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => {
    const envoy = envoyOf(life, { configuration: "tick=1000", concurrency: 3, seed });
    envoy.advance("20s");
    return timeline(envoy)
      .filter((line) => line.includes("on_tick"))
      .map((line) => line.split(" ")[1]);
  });

  expect(new Set(winners.flat())).toEqual(
    new Set(["main#1", "worker_0#1", "worker_1#1", "worker_2#1"]),
  );
  expect(new Set(winners.map((order) => order.join())).size).toBe(8);
  const firsts = winners.flatMap((order) => order.filter((_, index) => index % 4 === 0));
  expect(new Set(firsts).size).toBe(4);
});

test("monotonic time is one axis for all VMs and starts at one hour", () => {
  const envoy = envoyOf(life, { configuration: "tick=1000" });

  envoy.advance("1s");

  const lines = linesOf(envoy).filter((line) => line.startsWith("on_tick"));
  expect(lines).toEqual(["on_tick id=1 n=1 t_us=3601000000", "on_tick id=1 n=1 t_us=3601000000"]);
});

test("a trap in a tick ends the VM for good: its log line, its event, and no call after it", () => {
  const envoy = envoyOf(life, { configuration: "tick=1000 trap=on_tick" });

  envoy.advance("10s");

  const traps = envoy.recorder.events.filter((event) => event.event === "trap");
  expect(traps.map((event) => `${event.name} ${event.vm} ${event.atNs / 1e9}`).sort()).toEqual([
    "proxy_on_tick main#1 1",
    "proxy_on_tick worker_0#1 1",
  ]);
  const last = envoy.recorder.events
    .filter((event) => event.event === "log" && event.vm === "main#1")
    .at(-1);
  expect(last.name).toBe("error");
  expect(linesOf(envoy, "main#1").at(-1)).toBe(
    "Function: proxy_on_tick failed: Uncaught RuntimeError: unreachable",
  );
  expect(tickTimes(envoy)).toEqual([1000]);
});

test("a queue tells its last registrant once for each element", () => {
  const envoy = envoyOf(life, { configuration: "tick=1000 queue=jobs put", concurrency: 2 });

  envoy.advance("1s");

  const ready = timeline(envoy).filter((line) => line.includes("on_queue_ready"));
  const last = timeline(envoy)
    .filter((line) => line.includes("register_queue"))
    .at(-1)
    .split(" ")[1];
  expect(ready).toHaveLength(3);
  expect(ready.every((line) => line.split(" ")[1] === last)).toBe(true);
  expect(hostEvents(envoy, "tick")).toEqual([]);
});
