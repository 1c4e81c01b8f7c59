import { describe, expect, it } from "vitest";
import { raceTallies } from "./race-log.ts";
import { parseLogLine } from "./witness-log.ts";

const logOf = (...texts: string[]) =>
  texts.map((text) =>
    parseLogLine(`[10:00:00.000][7][info][wasm] wasm log metronome race: ${text}`),
  );

describe("the race's log", () => {
  it("counts slots that were won, won twice, and lost by somebody", () => {
    const log = logOf(
      "race slot=0 recipe=won create-only=won",
      "race slot=0 recipe=won create-only=lost",
      "race slot=0 recipe=won create-only=late",
      "race slot=1 recipe=late create-only=late",
      "race slot=1 recipe=won create-only=won",
      "something else",
    );

    const tallies = raceTallies(log);

    expect(tallies.get("recipe")).toEqual({
      wonCount: 2,
      doubleCount: 1,
      lostCount: 0,
      winnersMax: 3,
    });
    expect(tallies.get("create-only")).toEqual({
      wonCount: 2,
      doubleCount: 0,
      lostCount: 1,
      winnersMax: 1,
    });
  });

  it("does not count a slot that nobody won", () => {
    const tallies = raceTallies(logOf("race slot=3 elector=lost", "race slot=3 elector=late"));

    expect(tallies.get("elector")).toEqual({
      wonCount: 0,
      doubleCount: 0,
      lostCount: 1,
      winnersMax: 0,
    });
  });

  it("refuses a line that it cannot read", () => {
    expect(() => raceTallies(logOf("race slot=0 recipe=wo"))).toThrow("not a line of the race");
  });
});
