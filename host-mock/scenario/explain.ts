import type * as z from "zod";
import { missing } from "./schema/values.ts";
import type { Path, Problem } from "./source.ts";

/** A mistake of shape, in the words of the file. */
export function explain(issue: z.core.$ZodIssue): Problem {
  const path = issue.path.filter((key) => typeof key !== "symbol") as Path;
  const [what, remedy] = split(named(issue.message, path));
  if (issue.code === "unrecognized_keys") {
    return { path: [...path, String(issue.keys[0])], part: "key", what, remedy };
  }
  return { path, part: "value", what, remedy, isMissing: issue.message.startsWith(missing) };
}

/** Puts the key's name where the message says "it" or "this". */
function named(message: string, path: Path): string {
  const key = path.at(-1);
  if (key === undefined) return message.replace(/^(it|this) /, "the scenario ");
  if (key === "") return message.replace(/^(it|this) /, `a key of ${path.at(-2) ?? "it"} `);
  return message.replace(/^(it|this) /, () => `${called(path)} `);
}

/** A key, or the place in a list, which may be an entry of another one. */
function called(path: Path): string {
  const key = path.at(-1);
  if (key === undefined) return "the list";
  return typeof key === "number" ? `entry ${key + 1} of ${called(path.slice(0, -1))}` : key;
}

function split(message: string): [what: string, remedy: string] {
  const at = message.lastIndexOf("; ");
  if (at < 0) return [message, "correct it"];
  return [message.slice(0, at), message.slice(at + 2)];
}
