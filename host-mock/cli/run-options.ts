import type { RunOptions } from "../index.ts";
import { logLevels, profileByName } from "../index.ts";
import { MockHostError } from "../errors.ts";

/** Options that stand in place of what a scenario file says. */
export interface RunFlags {
  readonly seed?: string;
  readonly profile?: string;
  readonly logLevel?: string;
}

/** `E_USAGE` for a value that no scenario file could have either. */
export function runOptions(flags: RunFlags): RunOptions {
  const { seed, profile, logLevel } = flags;
  return {
    ...(seed === undefined ? {} : { seed: seedOf(seed) }),
    ...(profile === undefined ? {} : { profile: profileOf(profile) }),
    ...(logLevel === undefined ? {} : { logLevel: levelOf(logLevel) }),
  };
}

function seedOf(text: string): number {
  const seed = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(seed)) return seed;
  throw wrong("--seed", text, "give a whole number from 0 to 9007199254740991");
}

/** The profile's name, or `E_USAGE` naming those there are. */
export function profileOf(text: string): string {
  try {
    return profileByName(text).name;
  } catch (error) {
    if (!(error instanceof MockHostError)) throw error;
    throw wrong("--profile", text, error.remedy ?? "name a profile");
  }
}

function levelOf(text: string): (typeof logLevels)[number] {
  const level = logLevels.find((name) => name === text);
  if (level === undefined) throw wrong("--log-level", text, `there are ${logLevels.join(", ")}`);
  return level;
}

function wrong(option: string, text: string, remedy: string): MockHostError {
  return new MockHostError("E_USAGE", `${option} cannot be ${JSON.stringify(text)}`, {
    place: "proxy-wasm-as",
    remedy,
  });
}
