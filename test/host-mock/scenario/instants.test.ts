import { describe, expect, test } from "vitest";
import { instantCount, instantNs } from "../../../host-mock/scenario/instants.ts";
import type { ScenarioEvent } from "../../../host-mock/scenario/schema/events.ts";

function instants(event: Record<string, unknown>, durationNs: number): number[] {
  const whole = { do: "wipe", vm_id: "", ...event } as ScenarioEvent;
  return Array.from({ length: instantCount(whole, durationNs) }, (_, nth) => instantNs(whole, nth));
}

describe("an event happens", () => {
  test("once, at its instant, the end of the run included", () => {
    expect(instants({ at: 30 }, 30)).toEqual([30]);
  });

  test("not at all when the run has ended", () => {
    expect(instants({ at: 31 }, 30)).toEqual([]);
  });

  test("again and again, until included", () => {
    expect(instants({ at: 10, every: 5, until: 20 }, 30)).toEqual([10, 15, 20]);
    expect(instants({ at: 10, every: 5, until: 19 }, 30)).toEqual([10, 15]);
  });

  test("count times, and no longer than the run", () => {
    expect(instants({ at: 10, every: 5, count: 2 }, 30)).toEqual([10, 15]);
    expect(instants({ at: 10, every: 5, count: 9 }, 21)).toEqual([10, 15, 20]);
  });

  test("until the earlier of until and count", () => {
    expect(instants({ at: 0, every: 5, count: 9, until: 5 }, 30)).toEqual([0, 5]);
    expect(instants({ at: 0, every: 5, count: 1, until: 15 }, 30)).toEqual([0]);
  });

  test("as often as until says when count is the number of refused calls", () => {
    const refuse = { do: "refuse", call: "proxy_log", status: "Ok", count: 1 };

    expect(instants({ ...refuse, at: 0, every: 5, until: 10 }, 30)).toEqual([0, 5, 10]);
  });
});
