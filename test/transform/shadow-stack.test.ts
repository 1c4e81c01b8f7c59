import { encodeEvent, MockEnvoy } from "../../host-mock/index.ts";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildGuest, root } from "../support/build-guest.ts";

const stress = join(root, "test/support/collect-always.js");
const noRoots = join(root, "test/support/drop-every-root.js");
const guests = {
  hello: "test/guests/hello/plugin.guest.ts",
  lease: "test/guests/lease/plugin.guest.ts",
  "metrics-reporter": "examples/metrics-reporter/assembly/plugin.ts",
  "object-as-number": "test/guests/object-as-number/plugin.guest.ts",
};
const configuration = {
  hello: { value: 'grüße \u{1f600} "quoted"', more: [1, { deep: ["a", null, true] }] },
  lease: { tickMs: 500, leaseMs: 5000 },
  "metrics-reporter": { collector: "collector", leaseMs: 5000, tickMs: 1000, reportMs: 1000 },
  "object-as-number": {},
};

/** Everything the guest did in a run with requests, callouts, a crash and a reload. */
function traceOf(name: keyof typeof guests, wasm: Uint8Array): string[] {
  const lines: string[] = [];
  const envoy = new MockEnvoy({
    concurrency: 2,
    trace: "full",
    plugins: [{ name, wasm, configuration: configuration[name] }],
    clusters: { collector: { status: 204, delay: "5ms" } },
  });
  envoy.recorder.listen((event) => lines.push(encodeEvent(event)));
  for (let second = 0; second < 20; second++) {
    envoy
      .thread("worker_0")
      .request({ path: `/${second}`, headers: [["x-a", "b".repeat(second)]] });
    envoy.advance("1s");
    if (second === 8) envoy.thread("worker_1").crash();
    if (second === 12) envoy.reconfigure(name, configuration[name]);
  }
  envoy.end();
  return lines;
}

describe("a plugin whose shadow stack was thinned", () => {
  it.each(Object.keys(guests) as (keyof typeof guests)[])(
    "%s does the same to the byte when every allocation collects garbage first",
    async (name) => {
      const entry = guests[name];
      const plain = await buildGuest({ entry });
      const stressed = await buildGuest({ entry, args: ["--transform", stress] });

      const expected = traceOf(name, plain.bytes);

      expect(expected.length).toBeGreaterThan(200);
      expect(traceOf(name, stressed.bytes)).toEqual(expected);
    },
  );

  it("is noticed to do otherwise when a root that is needed is missing", async () => {
    const entry = guests["metrics-reporter"];
    const plain = await buildGuest({ entry });
    const wrong = await buildGuest({
      entry,
      args: ["--transform", stress, "--transform", noRoots],
    });

    expect(traceOrRefusal(wrong.bytes)).not.toEqual(traceOf("metrics-reporter", plain.bytes));
  });
});

describe("a recursion without an end", () => {
  it("still meets the end of a stack and ends the VM, not the process", async () => {
    const { bytes } = await buildGuest({ entry: "test/guests/wrapper-recursion/plugin.guest.ts" });
    const plugins = [{ name: "recursion", wasm: bytes, configuration: '"a"' }];
    const envoy = new MockEnvoy({ plugins, clusters: {}, allowRefusedStart: true });

    envoy.start();

    const traps = envoy.recorder.events.filter(({ event }) => event === "trap");
    expect(traps.length).toBeGreaterThan(0);
    // Whichever stack ends first, the shadow stack or the engine's own.
    expect(traps[0]?.args["message"]).toMatch(/stack|unreachable/i);
  });
});

/** A VM that lost objects may not even start. */
function traceOrRefusal(wasm: Uint8Array): string[] {
  try {
    return traceOf("metrics-reporter", wasm);
  } catch (error) {
    return [String(error)];
  }
}
