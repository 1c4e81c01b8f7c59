import { tryUtf8 } from "../state/bytes.ts";
import type { TraceEvent, TraceEventKind, TraceValue } from "./event.ts";
import { base64, fromBase64, isSafe } from "./values.ts";

/**
 * An event as one line of a trace file, without the line's end:
 *
 * `{"n":7,"at_ns":0,"mono_ns":3600000000000,"thread":…,"vm":…,"plugin":…,"context":1,"event":…,"name":…,"args":{…},"status":…,"result":…}`
 *
 * Bytes are `{"utf8":"…"}` when they are valid UTF-8, else `{"base64":"…"}`. An integer is written in digits up to 2^53 − 1 in
 * size; beyond, where readers of JSON would round it, as `{"int":"…"}`. Equal events give equal lines.
 */
export function encodeEvent(event: TraceEvent): string {
  const { n, atNs, monoNs, thread, vm, plugin, context, name, args, status, result } = event;
  return (
    `{"n":${n},"at_ns":${atNs},"mono_ns":${monoNs},"thread":${quoted(thread)},"vm":${quoted(vm)}` +
    `,"plugin":${quoted(plugin)},"context":${context},"event":"${event.event}","name":${quoted(name)}` +
    `,"args":${encodeValue(args)},"status":${status === null ? "null" : quoted(status)}` +
    `,"result":${encodeValue(result)}}`
  );
}

/** Names come again and again: of threads, VMs, calls, arguments. */
const quotes = new Map<string, string>();
const quoteCountMax = 4096;

function quoted(name: string): string {
  let text = quotes.get(name);
  if (text === undefined) {
    text = JSON.stringify(name);
    if (quotes.size >= quoteCountMax) quotes.clear();
    quotes.set(name, text);
  }
  return text;
}

function encodeValue(value: TraceValue): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return Number.isFinite(value) ? String(value) : "null";
    case "boolean":
      return value ? "true" : "false";
    case "bigint":
      return isSafe(value) ? value.toString() : `{"int":"${value}"}`;
    default:
      return value === null ? "null" : encodeObject(value);
  }
}

function encodeObject(
  value: Exclude<TraceValue, null | boolean | number | bigint | string>,
): string {
  if (value instanceof Uint8Array) return encodeBytes(value);
  if (isList(value)) {
    let items = "";
    for (const item of value) items += items === "" ? encodeValue(item) : `,${encodeValue(item)}`;
    return `[${items}]`;
  }
  let fields = "";
  for (const name in value) {
    const field = value[name];
    if (field === undefined) continue;
    fields += `${fields === "" ? "" : ","}${quoted(name)}:${encodeValue(field)}`;
  }
  return `{${fields}}`;
}

function encodeBytes(bytes: Uint8Array): string {
  const text = tryUtf8(bytes);
  return text === undefined ? `{"base64":"${base64(bytes)}"}` : `{"utf8":${JSON.stringify(text)}}`;
}

function isList(value: object): value is readonly TraceValue[] {
  return Array.isArray(value);
}

const kinds: ReadonlySet<string> = new Set<TraceEventKind>([
  "call",
  "callback",
  "return",
  "fault",
  "timer",
  "log",
  "trap",
]);

/**
 * The event of a line, or undefined when the line is not one. Integers come back as numbers where they are safe
 * (`mono_ns` always as a bigint), `{ utf8 }` and `{ base64 }` as bytes.
 */
export function decodeEvent(line: string): TraceEvent | undefined {
  let read: unknown;
  try {
    read = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isRecord(read)) return undefined;
  const { n, at_ns, mono_ns, thread, vm, plugin, context, event, name, args, status } = read;
  const areIntegers = [n, at_ns, mono_ns, context].every((value) => Number.isSafeInteger(value));
  const areTexts = [thread, vm, plugin, event, name].every((value) => typeof value === "string");
  const isEvent = areIntegers && areTexts && kinds.has(event as string) && isRecord(args);
  if (!isEvent || (status !== null && typeof status !== "string")) return undefined;
  const decodedArgs: Record<string, TraceValue> = {};
  for (const [key, value] of Object.entries(args)) decodedArgs[key] = decodeValue(value);
  return {
    n: n as number,
    atNs: at_ns as number,
    monoNs: BigInt(mono_ns as number),
    thread: thread as string,
    vm: vm as string,
    plugin: plugin as string,
    context: context as number,
    event: event as TraceEventKind,
    name: name as string,
    args: decodedArgs,
    status,
    result: decodeValue(read["result"]),
  };
}

function decodeValue(value: unknown): TraceValue {
  if (Array.isArray(value)) return value.map(decodeValue);
  if (!isRecord(value)) return (value ?? null) as TraceValue;
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length === 1 && only !== undefined && typeof only[1] === "string") {
    if (only[0] === "utf8") return new TextEncoder().encode(only[1]);
    if (only[0] === "base64") return fromBase64(only[1]);
    if (only[0] === "int") return BigInt(only[1]);
  }
  return Object.fromEntries(entries.map(([name, item]) => [name, decodeValue(item)]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
