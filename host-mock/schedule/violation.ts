import { lowestChoice } from "./choice-mask.ts";
import type { Violation } from "./result.ts";
import { scheduleText } from "./schedule-text.ts";
import { MockHostError } from "../errors.ts";
import { Walk } from "./walk.ts";
import type { StepView, World } from "./world.ts";

/**
 * A violation as it is reported: the schedule is run once more for its steps in words. E_INTERNAL when it does not
 * violate what it was found to violate: the world's answers depend on more than its states.
 */
export function violationOf(
  world: World,
  schedule: readonly number[],
  violated: number,
  shrinkCount = 0,
): Violation {
  const walk = new Walk(world);
  const steps: StepView[] = [];
  let seen = schedule.length === 0 ? walk.judgeEnd() : 0;
  schedule.forEach((choice, index) => {
    walk.require(choice);
    steps.push(walk.view(choice));
    seen = walk.take(choice);
    if (index === schedule.length - 1) seen |= walk.judgeEnd();
  });
  const property = world.properties[lowestChoice(violated)]!;
  const text = scheduleText(world, schedule);
  if ((seen & violated) !== violated) {
    const what = `${property} is violated in the search and not when "${text}" is run again`;
    throw new MockHostError("E_INTERNAL", what);
  }
  return { property, schedule, text, steps, shrinkCount };
}
