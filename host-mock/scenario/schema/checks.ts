import * as z from "zod";
import { tagMessage } from "./events.ts";
import { choice, duration, name, object, text, whole } from "./values.ts";

const expect = { expect: choice(["holds", "violated"]).default("holds") };
const bounds = {
  at_least: whole(0, Number.MAX_SAFE_INTEGER).optional(),
  at_most: whole(0, Number.MAX_SAFE_INTEGER).optional(),
};

/** A JavaScript regular expression, unanchored. */
const pattern = text.transform((source, context): RegExp => {
  try {
    return new RegExp(source);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    context.addIssue({
      code: "custom",
      message: `${error.message.replace(/\s+/g, " ")}; write a JavaScript regular expression`,
    });
    return z.NEVER;
  }
});

/** A check about one plugin. */
function ofPlugin<const Name extends string, Shape extends z.core.$ZodLooseShape>(
  check: Name,
  shape: Shape,
) {
  return object(`a ${check} check`, { check: z.literal(check), plugin: text, ...shape, ...expect });
}

const kinds = [
  ofPlugin("single_winner", {}),
  ofPlugin("terms_grow", {}),
  ofPlugin("leader_within", { bound: duration, from: duration.optional() }),
  ofPlugin("somebody_led", {}),
  ofPlugin("callbacks_paired", {}),
  ofPlugin("no_foreign_write", {}),
  object("a no_stale_effect check", {
    check: z.literal("no_stale_effect"),
    cluster: text,
    header: name,
    ...expect,
  }),
  object("a calls check", { check: z.literal("calls"), cluster: text, ...bounds, ...expect }),
  ofPlugin("traps", bounds),
  ofPlugin("log", { matches: pattern, ...bounds }),
  object("a no_trap check", { check: z.literal("no_trap"), plugin: text.optional(), ...expect }),
  object("a starts check", { check: z.literal("starts"), plugin: text.optional(), ...expect }),
  object("an events_applied check", { check: z.literal("events_applied"), ...expect }),
  object("a declared_clusters check", { check: z.literal("declared_clusters"), ...expect }),
] as const;

export const checkNames = kinds.map((kind) => kind.shape.check.value);

export const check = z.discriminatedUnion("check", kinds, {
  error: (issue) => tagMessage("check", checkNames, issue),
});

export type Check = z.output<typeof check>;
