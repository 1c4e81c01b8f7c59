/** The numbers an operator sees: docs/guides/operate-elections.md. And scenario D5's counter. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { MockEnvoy } from "../../host-mock/index.ts";
import { root } from "../support/build-guest.ts";
import { before, command, get, pass, set } from "./support/commands.ts";
import {
  electing,
  history,
  leader,
  leaseKey,
  ledBy,
  until,
  untilRenewal,
  useElections,
} from "./support/elections.ts";

useElections();

/** The counters and gauges that are not 0, without their common beginning. */
function numbers(envoy: MockEnvoy): Record<string, number> {
  const found = Object.entries(envoy.metrics()).filter(([name]) => name.startsWith("election.p."));
  expect(found.length).toBeGreaterThan(25);
  return Object.fromEntries(
    found.flatMap(([name, value]) => (value === 0 ? [] : [[name.slice(11), value]])),
  );
}

describe("metrics of an election", () => {
  it("count passes, the claim and the renewals, and tell who leads for how long", () => {
    const envoy = electing({ make: "metrics", retry: -1 });
    const { term } = pass(envoy, "worker_0");
    pass(envoy, "worker_1");
    envoy.advance("3s");
    pass(envoy, "worker_0");

    expect(numbers(envoy)).toEqual({
      ...{ passes: 3, claims_tried: 1, claims_won: 1, renewals_ok: 1 },
      ...{ leading: 1, term, remaining_ms: 14_250, record_age_ms: 3000 },
      pass_gap_ms: 1,
    });
  });

  it("count a lost race, a lost renewal, failing calls, and why leaderships ended", () => {
    const envoy = electing({ make: "metrics", retry: -1 });
    before(envoy, { thread: "worker_1", call: set, nth: 2 }, () => void pass(envoy, "worker_0"));
    pass(envoy, "worker_1");
    envoy.thread("worker_0").refuse({ call: set, status: "InternalFailure", count: 1 });
    pass(envoy, "worker_0");
    envoy.thread("worker_0").refuse({ call: get, status: "InternalFailure", count: 1 });
    pass(envoy, "worker_0");
    envoy.thread("worker_0").refuse({ call: set, status: "CasMismatch", count: 1 });
    pass(envoy, "worker_0");

    expect(numbers(envoy)).toMatchObject({
      ...{ claims_tried: 2, claims_won: 1, claims_lost: 1, read_errors: 1 },
      ...{ renewals_error: 1, renewals_mismatch: 1, stops_replaced: 1 },
    });
  });

  it.each([
    ["released", (envoy: MockEnvoy) => void command(envoy, "worker_0", "/release")],
    ["vanished", (envoy: MockEnvoy) => void (envoy.wipe(), pass(envoy, "worker_0"))],
    ["expired", (envoy: MockEnvoy) => void (envoy.advance("20s"), pass(envoy, "worker_0"))],
  ])("count a leadership that ended as %s", (reason, end) => {
    const envoy = electing({ make: "metrics", retry: -1 });
    pass(envoy, "worker_0");

    end(envoy);

    expect(numbers(envoy)[`stops_${reason}`]).toBe(1);
  });

  it("D5: count waits that garbage begins anew, and odd records by what is wrong with them", () => {
    const envoy = electing({ make: "metrics", concurrency: 1, retry: -1, needsLeader: false });
    const values = ["garbage", "", "{}", "x".repeat(20_000), "other garbage"];
    for (const value of values) {
      envoy.setSharedData({ key: leaseKey, value });
      pass(envoy, "worker_0");
      envoy.advance("7500ms");
      pass(envoy, "worker_0");
    }

    expect(numbers(envoy)).toMatchObject({
      ...{ odd_text: 2, odd_blank: 1, odd_fields: 1, odd_large: 1, waits_begun_anew: 4 },
    });
    expect(history(envoy)).toEqual([]);
  });

  it("show a leader that has crashed by the age of its record, and then the next one", () => {
    const envoy = ledBy("worker_0", { make: "metrics" });
    untilRenewal(envoy);
    envoy.thread("worker_0").crash();
    let oldest = 0;
    until(envoy, () => {
      oldest = Math.max(oldest, numbers(envoy)["record_age_ms"] ?? 0);
      return history(envoy).length > 1;
    });
    envoy.advance("9s");

    expect(oldest).toBeGreaterThan(12_000);
    expect(numbers(envoy)).toMatchObject({ leading: 1, term: Number(leader(envoy).term) });
    expect(numbers(envoy)["record_age_ms"]).toBeLessThanOrEqual(3000);
  });

  it("count a leader that gave way", () => {
    const envoy = electing({ make: "busy", retry: -1 });
    pass(envoy, "worker_0");
    command(envoy, "worker_0", "/rank?1");
    pass(envoy, "worker_1");
    pass(envoy, "worker_0");

    expect(numbers(envoy)).toMatchObject({ resignations: 1, stops_released: 1 });
  });

  it("count work that was abandoned", () => {
    const envoy = electing({ make: "busy", retry: -1 });
    pass(envoy, "worker_0");
    command(envoy, "worker_0", "/begin");
    command(envoy, "worker_0", "/release");
    envoy.advance("1s");

    expect(numbers(envoy)).toMatchObject({ work_abandoned: 1, stops_released: 1 });
    expect(numbers(envoy)["leading"]).toBeUndefined();
  });

  it("count what a fence refused", () => {
    const envoy = electing({ make: "busy", retry: -1 });
    const { term } = pass(envoy, "worker_0");
    const value = JSON.stringify({ term: term + 1, by: "other", data: null });
    envoy.setSharedData({ key: "cell", value });

    command(envoy, "worker_0", "/set");

    expect(numbers(envoy)).toMatchObject({ fence_refusals: 1, stops_fenced: 1 });
  });

  it("stand on Envoy's pages under the names the operator's page has", () => {
    const envoy = ledBy("worker_0", { make: "metrics" }).advance("30s");
    const page = readFileSync(join(root, "docs/guides/operate-elections.md"), "utf8");
    const told = [...page.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, name]) => name!).sort();

    const text = envoy.stats().text(/^wasmcustom\.election\.p\./);
    const names = [...text.matchAll(/^wasmcustom\.election\.p\.([a-z_]+):/gm)].map(([, n]) => n!);

    expect(names.sort()).toEqual(told);
    expect(envoy.stats().prometheus(/election/)).toMatch(/^election_p_leading\{\} 1$/m);
  });
});
