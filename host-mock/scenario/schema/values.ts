/** Values that stand at many places of a scenario file. Every message has the form `what; what to do`. */
import * as z from "zod";
import { MockHostError } from "../../errors.ts";
import { parseDuration, parseSignedDuration } from "../../time/duration.ts";
import { didYouMean, nearestName } from "../../did-you-mean.ts";

type Context = z.core.$RefinementCtx;

/** An object with exactly these keys; an unknown one is answered with the nearest or all of them. */
export function object<Shape extends z.core.$ZodLooseShape>(called: string, shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys") {
        return `this must be an object with keys, not ${shown(issue.input)}; it is ${called}, with ${known.join(", ")}`;
      }
      const key = String(issue.keys[0]);
      const nearest = nearestName(key, known);
      const remedy =
        nearest === undefined ? `its keys are ${known.join(", ")}` : `did you mean ${nearest}?`;
      return `unknown key ${JSON.stringify(key)} in ${called}; ${remedy}`;
    },
  });
}

/**
 * An object of any keys, whose values are alike. A map between is what keeps a key such as `__proto__`, which objects
 * treat apart.
 */
export function record<Value extends z.core.$ZodType>(
  key: z.core.$ZodType<string, string>,
  value: Value,
  error: string,
) {
  return z
    .preprocess(
      (given) =>
        typeof given === "object" && given !== null && !Array.isArray(given)
          ? new Map(Object.entries(given))
          : given,
      z.map(key, value, { error }),
    )
    .transform((entries) => Object.fromEntries(entries) as Record<string, z.output<Value>>);
}

/** One of a few words. */
export function choice<const Names extends readonly string[]>(names: Names) {
  return z.enum(names, {
    error: ({ input }) => {
      if (input === undefined) return `${missing}; give one of ${names.join(", ")}`;
      const text = typeof input === "string" ? input : shown(input);
      return `it cannot be ${JSON.stringify(text)}; ${didYouMean(text, names)}`;
    },
  });
}

/** A word, or an object in its place: a mistake in the object is told where it stands. */
export function wordOr<Word extends z.ZodType, Value extends z.ZodType>(
  word: Word,
  object: Value,
  neither: (given: string) => string,
) {
  return z.unknown().transform((given: unknown, context: Context) => {
    if (typeof given !== "string" && (typeof given !== "object" || given === null))
      return fail(context, neither(shown(given)));
    if (Array.isArray(given)) return fail(context, neither(shown(given)));
    const read = (typeof given === "string" ? word : object).safeParse(given);
    if (read.success) return read.data;
    for (const issue of read.error.issues)
      context.issues.push({ ...issue, input: given } as (typeof context.issues)[number]);
    return z.NEVER;
  });
}

/** How the message for a missing key begins; `explain` puts the key's name in place of "it". */
export const missing = "it is missing";

export const text = z.string({
  error: ({ input }) =>
    input === undefined
      ? `${missing}; give a text`
      : `this must be a text, not ${shown(input)}; put it in quotes`,
});

export const name = text.min(1, { error: "this must not be empty; give it a name" });

export const flag = z.boolean({
  error: ({ input }) =>
    input === undefined
      ? `${missing}; write true or false`
      : "this must be true or false; write one of them",
});

/** A whole number within bounds. */
export function whole(min: number, max: number) {
  const bounds = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  const error = ({ input }: { readonly input?: unknown }): string =>
    input === undefined
      ? `${missing}; give a whole number ${bounds}`
      : `this must be a whole number, not ${shown(input)}; give one ${bounds}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

/** Half of what the clock can count, so that an instant and a duration add up to an instant. */
const durationMaxNs = 1200 * 3_600_000_000_000;

/** `250ms`, `71s`, `5m`: nanoseconds, up to 1200h. */
export const duration = durationBy(parseDuration).refine((ns) => ns <= durationMaxNs, {
  error: "this must not be longer than 1200h; give a shorter duration",
});

/** A duration that is longer than nothing. */
export const positiveDuration = duration.refine((ns) => ns > 0, {
  error: "this must be longer than nothing; give a duration such as 250ms",
});

/** `+1h`, `-30s`: nanoseconds, either way. */
export const signedDuration = durationBy(parseSignedDuration);

function durationBy(parse: (text: string) => number) {
  return z.unknown().transform((value: unknown, context: Context): number => {
    if (value === undefined)
      return fail(context, `${missing}; give a duration such as 250ms or 71s`);
    if (typeof value === "number" || typeof value === "bigint") {
      return fail(
        context,
        `a duration needs a unit, and ${value} has none; write ${value}ms or ${value}s`,
      );
    }
    if (typeof value !== "string") {
      return fail(
        context,
        `a duration is text with a unit, not ${shown(value)}; write 250ms or 71s`,
      );
    }
    try {
      return parse(value);
    } catch (error) {
      if (!(error instanceof MockHostError)) throw error;
      return fail(
        context,
        `${error.what}; ${error.remedy ?? "write a number and a unit, such as 250ms"}`,
      );
    }
  });
}

const byteForms = "write text, {base64: …} or {repeat: …, times: N}";
/** More than any host buffers, less than what exhausts the machine. */
const sizeBytesMax = 256 * 1024 * 1024;

/** Text, `{base64: …}` or `{repeat: "x", times: N}`: bytes. */
export const bytes = z.unknown().transform((value: unknown, context: Context): Uint8Array => {
  if (value === undefined) return fail(context, `${missing}; ${byteForms}`);
  if (typeof value === "string") return new TextEncoder().encode(value);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const form = value as Readonly<Record<string, unknown>>;
    const keys = Object.keys(form).sort().join(" ");
    if (keys === "base64" && typeof form.base64 === "string")
      return fromBase64(form.base64, context);
    if (keys === "repeat times" && typeof form.repeat === "string") {
      return repeated(form.repeat, form.times, context);
    }
  }
  return fail(context, `this must be text or bytes, not ${shown(value)}; ${byteForms}`);
});

function fromBase64(encoded: string, context: Context): Uint8Array {
  const compact = encoded.replace(/\s+/g, "");
  if (compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) {
    return fail(context, "this is not base64; use A–Z a–z 0–9 + / and pad with =");
  }
  return Uint8Array.from(atob(compact), (char) => char.charCodeAt(0));
}

function repeated(unit: string, times: unknown, context: Context): Uint8Array {
  const one = new TextEncoder().encode(unit);
  if (typeof times !== "number" || !Number.isInteger(times) || times < 0) {
    return fail(
      context,
      `times must be a whole number, not ${shown(times)}; give one of at least 0`,
    );
  }
  if (one.length * times > sizeBytesMax) {
    return fail(context, `${one.length * times} bytes are too many; stay below ${sizeBytesMax}`);
  }
  const all = new Uint8Array(one.length * times);
  for (let at = 0; at < all.length; at += one.length) all.set(one, at);
  return all;
}

/** Values as text, or as bytes where they are written so. */
export type HeaderList = readonly (readonly [name: string, value: string | Uint8Array])[];

const headerForms = "write {name: value} or [[name, value], …]";

/** Where the file has a word of its own for a pseudo-header. */
const wordsOfPseudo: Readonly<Record<string, string>> = {
  ":path": "write path: beside headers:",
  ":method": "write method: beside headers:",
  ":status": "write status: beside headers:",
  ":authority": "write it as host in the headers of a request",
};

/** Headers in order, as `[[name, value]]` or `{name: value}`, without pseudo-headers. */
export const headers = headersWith([]);

/** The same of a request, in which the host takes some pseudo-headers. */
export const requestHeaders = headersWith([":authority", ":scheme"]);

function headersWith(pseudo: readonly string[]) {
  return z.unknown().transform((value: unknown, context: Context): HeaderList => {
    const made = headerList(value);
    if (typeof made === "string") return fail(context, made);
    const wrong = made
      .map(([name]) => name.toLowerCase())
      .find((name) => name.startsWith(":") && !pseudo.includes(name));
    if (wrong === undefined) return made;
    const remedy = wordsOfPseudo[wrong] ?? "leave it out";
    return fail(context, `${wrong} is a pseudo-header, which headers cannot set; ${remedy}`);
  });
}

/** The pairs, or what is wrong with them. */
function headerList(value: unknown): HeaderList | string {
  if (typeof value !== "object" || value === null) {
    return `headers are pairs, not ${shown(value)}; ${headerForms}`;
  }
  const entries: readonly unknown[] = Array.isArray(value) ? value : Object.entries(value);
  const made: [string, string | Uint8Array][] = [];
  for (const entry of entries) {
    const pair: readonly unknown[] = Array.isArray(entry) ? entry : [];
    const [key, content, ...more] = pair;
    if (typeof key !== "string" || key === "" || content === undefined || more.length > 0) {
      return `a header is a name and a text, not ${shown(entry)}; ${headerForms}`;
    }
    if (typeof content === "string") {
      made.push([key, content]);
      continue;
    }
    if (typeof content !== "object" || content === null || Array.isArray(content)) {
      return `header ${key} must be a text, not ${shown(content)}; put it in quotes`;
    }
    const read = bytes.safeParse(content);
    if (!read.success)
      return (read.error.issues[0]?.message ?? "").replace(/^this /, () => `header ${key} `);
    made.push([key, read.data]);
  }
  return made;
}

/** An object is sent as JSON text, a text as it is. */
export const configuration = z
  .unknown()
  .transform((value: unknown, context: Context): Uint8Array => {
    if (value === undefined) return fail(context, `${missing}; give an object or a text`);
    if (typeof value === "string") return new TextEncoder().encode(value);
    if (typeof value === "object" && value !== null) {
      const json = toJson(value);
      if (json !== undefined) return new TextEncoder().encode(json);
      return fail(context, "JSON has no infinite number and no NaN; write the number as text");
    }
    return fail(
      context,
      `a configuration is an object or a text, not ${shown(value)}; put it in quotes, or leave it out`,
    );
  });

/** JSON text of a parsed value, or undefined when JSON cannot say it; integers keep all their digits. */
function toJson(value: unknown): string | undefined {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return Number.isFinite(value) ? JSON.stringify(value) : undefined;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const parts: string[] = [];
  const isList = Array.isArray(value);
  for (const [key, item] of Object.entries(value)) {
    const json = toJson(item);
    if (json === undefined) return undefined;
    parts.push(isList ? json : `${JSON.stringify(key)}:${json}`);
  }
  return isList ? `[${parts.join(",")}]` : `{${parts.join(",")}}`;
}

function fail(context: Context, message: string): never {
  context.addIssue({ code: "custom", message });
  return z.NEVER;
}

/** A value as a message names it. */
export function shown(value: unknown): string {
  if (value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
    case "number":
    case "bigint":
    case "boolean":
      return String(value);
    default:
      return "an object";
  }
}
