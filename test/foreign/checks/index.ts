import { aiChecks } from "./ai.ts";
import type { ModuleCheck } from "./check.ts";
import { cppChecks } from "./cpp.ts";
import { ownPluginChecks } from "./own-plugins.ts";
import { policyChecks } from "./policies.ts";
import { routingChecks } from "./routing.ts";

/** One for each foreign module. */
export const moduleChecks: readonly ModuleCheck[] = [
  ...ownPluginChecks,
  ...policyChecks,
  ...routingChecks,
  ...aiChecks,
  ...cppChecks,
];
