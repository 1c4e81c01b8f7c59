import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { parseSchedule, scheduleText } from "../../../host-mock/schedule/schedule-text.ts";
import { LeaseRace } from "./support/toy-worlds.ts";

const world = new LeaseRace(2, { isAtomic: true, time: 1, crashes: 1 });
const choice = fc.nat({ max: world.choiceCount - 1 });

describe("a schedule as text", () => {
  test("joins equal neighbours", () => {
    expect(scheduleText(world, [0, 0, 0, 1, 1, 2, 3])).toBe("a*3 b*2 time crash:a");
    expect(scheduleText(world, [])).toBe("");
  });

  test.prop([fc.array(choice, { maxLength: 40 })])("is read back as it was", (schedule) => {
    expect(parseSchedule(world, scheduleText(world, schedule))).toEqual(schedule);
  });

  test("may have commas, line breaks and counts of one", () => {
    expect(parseSchedule(world, " a*1, b\n time,,crash:b*2 ")).toEqual([0, 1, 2, 4, 4]);
    expect(parseSchedule(world, "")).toEqual([]);
  });

  test.each([
    [
      "a b tine",
      'word 3 of the schedule: there is no choice "tine" (did you mean time?); the choices are a, b, time, crash:a, crash:b',
    ],
    [
      "worker_7",
      'word 1 of the schedule: there is no choice "worker_7"; the choices are a, b, time, crash:a, crash:b',
    ],
    [
      "a*3*2",
      'word 1 of the schedule: "a*3*2" has a wrong count; write WORD, or WORD*N with N from 1 to 1000000',
    ],
    ["a b*0", 'word 2 of the schedule: "b*0" has a wrong count'],
    ["a*", 'word 1 of the schedule: "a*" has a wrong count'],
    ["a*1e3", 'word 1 of the schedule: "a*1e3" has a wrong count'],
    ["a*1000001", 'word 1 of the schedule: "a*1000001" has a wrong count'],
    ["*3", 'word 1 of the schedule: there is no choice ""'],
  ])("%j is refused with the word, its place and what there is", (text, message) => {
    expect(() => parseSchedule(world, text)).toThrow(message);
  });
});
