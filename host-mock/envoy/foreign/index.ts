import { Status } from "../../abi/status.ts";
import { MockHostError } from "../../errors.ts";
import type { Context } from "../context.ts";
import { compressionFunctions } from "./compression.ts";
import { ok, type ForeignAnswer, type ForeignFunction } from "./foreign-function.ts";
import { higressFunctions } from "./higress.ts";
import { propertyFunctions } from "./properties.ts";
import { signatureFunctions } from "./signatures.ts";

export type { ForeignAnswer } from "./foreign-function.ts";

/** E_UNSUPPORTED: Envoy has the function, this host does not. */
function notBuilt(name: string): ForeignFunction {
  return () => {
    throw new MockHostError("E_UNSUPPORTED", `the foreign function ${name}`, {
      remedy:
        "expressions are not evaluated here; give a function of that name in foreignFunctions",
    });
  };
}

/** Functions of Envoy 1.40 by name. */
const envoyFunctions: ReadonlyMap<string, ForeignFunction> = new Map(
  Object.entries({
    ...compressionFunctions,
    ...signatureFunctions,
    ...propertyFunctions,
    // There is one route to clear, and the next request finds the same again.
    clear_route_cache: () => ok,
    expr_create: notBuilt("expr_create"),
    expr_evaluate: notBuilt("expr_evaluate"),
    expr_delete: notBuilt("expr_delete"),
  }),
);

const higressForeignFunctions: ReadonlyMap<string, ForeignFunction> = new Map(
  Object.entries(higressFunctions),
);

/** A test's own function of that name, else Envoy's; NotFound for an unknown one. */
export function callForeign(name: string, argument: Uint8Array, context: Context): ForeignAnswer {
  const own = context.owner.thread.world.options.foreignFunctions.get(name);
  const { groups } = context.owner.thread.world.options.profile;
  const called =
    own ??
    envoyFunctions.get(name) ??
    (groups.has("higress") ? higressForeignFunctions.get(name) : undefined);
  return called?.(argument, context) ?? { status: Status.NotFound, isUnknown: true };
}
