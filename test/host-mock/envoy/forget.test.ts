import { beforeAll, describe, expect, it } from "vitest";
import { MockEnvoy } from "../../../host-mock/index.ts";
import { buildGuest } from "../../support/build-guest.ts";

let lease: Uint8Array;

beforeAll(async () => {
  lease = (await buildGuest({ entry: "test/guests/lease/plugin.guest.ts" })).bytes;
});

function electing(): MockEnvoy {
  const configuration = { tickMs: 1000, leaseMs: 5000 };
  return new MockEnvoy({
    concurrency: 2,
    plugins: [{ name: "lease", wasm: lease, configuration }],
  });
}

describe("forget()", () => {
  it("drops events and answered requests; what goes on and what is numbered goes on", () => {
    const envoy = electing().advance("10s");
    const worker = envoy.thread("worker_0");
    worker.request();
    const open = worker.request({ upstream: { delay: "5s" } });
    const recorded = envoy.trace.at(-1)!.n;

    envoy.forget();

    expect(envoy.trace).toEqual([]);
    expect(envoy.logs).toEqual([]);
    expect(envoy.exchanges).toEqual([open]);
    expect(worker.request().id).toBe(3);
    expect(envoy.trace[0]!.n).toBe(recorded + 1);
    envoy.advance("5s");
    expect(open.status).toBe(200);
  });

  it("changes nothing of elections, nor of what comes after", () => {
    const [whole, part] = [electing(), electing()].map((envoy) => envoy.advance("10s"));
    const second = (envoy: MockEnvoy): MockEnvoy => {
      envoy.thread(envoy.leader("lease")!.thread).crash();
      return envoy.advance("20s");
    };
    part!.forget();
    const since = whole!.trace.length;

    second(whole!);
    second(part!);

    expect(part!.election("lease")).toEqual(whole!.election("lease"));
    expect(part!.election("lease").history.length).toBeGreaterThan(1);
    expect(part!.trace).toEqual(whole!.trace.slice(since));
  });
});
