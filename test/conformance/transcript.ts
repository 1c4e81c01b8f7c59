/**
 * The transcript of a case: what its plugins logged, thread by thread, and then what the case itself wrote about
 * clients, upstreams and statistics. What no two runs share is replaced by a word.
 *
 *     # id: what
 *     worker_0
 *       A request_headers(ctx=2 n=6 end=1)
 *     client
 *       200 [server=envoy, date=<time>] ok
 */
import { shownLine } from "./bytes-shown.ts";

/** A line of a plugin, or of the host about one. */
export interface LoggedLine {
  /** `main`, `worker_0`, … */
  readonly thread: string;
  /** The plugin's name; "" for what belongs to none. */
  readonly plugin: string;
  /** `trace` … `critical`. */
  readonly level: string;
  /** One character a byte. */
  readonly text: string;
}

/** Envoy sums up a failed load once more, on each thread that gets to it before the configuration is gone again. */
const summary = /^Plugin .* failed to load$/;

/** Lines of one case, in the order of a transcript. */
export function blockOf(
  head: { readonly id: string; readonly what: string },
  logged: readonly LoggedLine[],
  notes: readonly string[],
): string[] {
  const lines = [`# ${head.id}: ${head.what}`];
  const isSummary = ({ plugin, text }: LoggedLine): boolean => plugin === "" && summary.test(text);
  for (const { name, lines: own } of sections(logged.filter((line) => !isSummary(line)))) {
    lines.push(name, ...own.map((line) => `  ${line}`));
  }
  if (notes.length > 0) lines.push("seen", ...notes.map((line) => `  ${line}`));
  return lines.map(normalised);
}

/**
 * Main first. Several workers cannot be told apart from outside, so their sections are sorted by content, and equal
 * ones become one.
 */
function sections(logged: readonly LoggedLine[]): { name: string; lines: string[] }[] {
  const byThread = new Map<string, string[]>();
  for (const line of logged) {
    const lines = byThread.get(line.thread) ?? [];
    byThread.set(line.thread, lines);
    lines.push(written(line));
  }
  const main = byThread.get("main");
  byThread.delete("main");
  const found = main === undefined ? [] : [{ name: "main", lines: main }];
  const workers = [...byThread.entries()];
  if (workers.length <= 1) {
    for (const [, lines] of workers) found.push({ name: "worker", lines });
    return found;
  }
  const alike = new Map<string, { count: number; lines: string[] }>();
  for (const [, lines] of workers) {
    const key = lines.map(normalised).join("\n");
    const known = alike.get(key);
    if (known === undefined) alike.set(key, { count: 1, lines });
    else known.count++;
  }
  const sorted = [...alike.entries()].sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [, { count, lines }] of sorted) {
    found.push({ name: count === 1 ? "a worker" : `${String(count)} workers each`, lines });
  }
  return found;
}

function written({ plugin, level, text }: LoggedLine): string {
  const who = plugin === "" ? "host" : plugin;
  const how = level === "info" ? "" : ` [${level}]`;
  return `${who}${how} ${shownLine(text)}`;
}

const httpDate = /[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g;
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const serviceTime = /(x-envoy-upstream-service-time(?: = \d+ |=|: ))\d+/g;
const address = /\b127\.0\.0\.1:\d+\b/g;

/** Times, request ids and ports are words; the rest is as it was. */
export function normalised(line: string): string {
  return line
    .replace(httpDate, "<time>")
    .replace(uuid, "<id>")
    .replace(serviceTime, "$1<ms>")
    .replace(address, "127.0.0.1:<port>");
}
