import { describe, expect, test } from "vitest";
import { factsOf } from "../../../host-mock/properties/facts.ts";
import { noTrap } from "../../../host-mock/properties/no-trap.ts";
import { paint } from "../../../host-mock/report/paint.ts";
import { trapSection } from "../../../host-mock/report/trap-section.ts";
import type { TraceArgs, TraceEvent } from "../../../host-mock/trace/event.ts";

const told = {
  message: "RuntimeError: unreachable",
  function: "assembly/plugin/onTick",
  function_index: 12,
  source: "assembly/plugin.ts:12:5",
  frames: ["assembly/plugin/onTick (assembly/plugin.ts:12:5)", "proxy_on_tick"],
  calls: ['proxy_log(level=2, message="before") Ok', "proxy_get_log_level()"],
};

function trap(args: TraceArgs, n = 1): TraceEvent {
  const subject = { thread: "worker_0", vm: "worker_0#1", plugin: "p", context: 1 };
  const when = { n, atNs: 16_000_000_000, monoNs: 0n };
  const event = { event: "trap", name: "proxy_on_tick", status: null, result: null } as const;
  return { ...subject, ...when, ...event, args };
}

function sectionOf(...traps: readonly TraceEvent[]): string[] {
  return trapSection(
    factsOf(traps, { durationNs: 2e10, witnesses: { p: "log" } }),
    80,
    paint(false),
  );
}

describe("the section on traps", () => {
  test("tells the place, the frames, and the last host calls", () => {
    expect(sectionOf(trap(told))).toEqual([
      "  worker_0#1 trapped in proxy_on_tick at 16 s: RuntimeError: unreachable",
      "  (assembly/plugin.ts:12:5)",
      "    at assembly/plugin/onTick (assembly/plugin.ts:12:5)",
      "    at proxy_on_tick",
      "    last host calls:",
      '      proxy_log(level=2, message="before") Ok',
      "      proxy_get_log_level()",
    ]);
  });

  test("is left out for a trap that a fault made, which has no frames", () => {
    expect(
      sectionOf(trap({ message: "RuntimeError: unreachable", frames: [], calls: ["x"] })),
    ).toEqual([]);
  });

  test("tells three of many, and how many are left", () => {
    const lines = sectionOf(
      ...Array.from({ length: 7 }, (_, n) => trap({ ...told, calls: [] }, n + 1)),
    );

    expect(lines.filter((line) => line.includes("no host calls before"))).toHaveLength(3);
    expect(lines.at(-1)).toBe("  ⋮ 4 more");
  });
});

describe("the verdict on traps", () => {
  test.each([
    [told, "(assembly/plugin.ts:12:5)"],
    [{ ...told, source: null }, "(assembly/plugin/onTick)"],
    [{ ...told, source: null, function: null }, "(function 12)"],
    [{ message: "RuntimeError: unreachable" }, "RuntimeError: unreachable"],
  ])("ends in the best place that is known", (args, end) => {
    expect(noTrap([trap(args)]).detail.endsWith(end)).toBe(true);
  });
});
