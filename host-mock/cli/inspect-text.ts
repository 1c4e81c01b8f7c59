import Table from "cli-table3";
import type { InspectResult } from "../index.ts";
import { byArea } from "./import-areas.ts";
import { printable } from "./printable.ts";

/** Whether a profile's host takes the module: "" when it does, else what it says. */
export type Refusals = ReadonlyMap<string, string>;

export interface InspectTextOptions {
  readonly color: boolean;
  readonly width: number;
}

const labelWidth = 18;
const pageBytes = 65_536;
const none = "none";

/** What a module needs and offers, as a table of two columns. */
export function inspectText(
  file: string,
  result: InspectResult,
  refusals: Refusals,
  options: InspectTextOptions,
): string {
  const table = new Table({
    chars: borderless,
    colWidths: [labelWidth, Math.max(40, options.width - labelWidth)],
    wordWrap: true,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 1, compact: true },
  });
  for (const [label, value] of rows(result, refusals))
    table.push([paintLabel(label, options.color), printable(value)]);
  const text = table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
  return `${printable(file)}\n\n${text}\n`;
}

function rows(result: InspectResult, refusals: Refusals): [label: string, value: string][] {
  const { memory, imports } = result;
  const maximum =
    memory.maximum_pages === null ? "no maximum" : `at most ${pages(memory.maximum_pages)}`;
  return [
    ["size", `${result.bytes.toLocaleString("en-US")} bytes`],
    ["ABI", result.abi.join(", ") || none],
    ["language", result.language],
    ...[...refusals].map(([profile, refusal]): [string, string] => [
      `on ${profile}`,
      refusal === "" ? "loads" : refusal,
    ]),
    ["memory", `${pages(memory.initial_pages)}, ${maximum}`],
    ["start section", result.start_section ? "yes" : "no"],
    ["imports", String(imports.length)],
    ...[...byArea(imports)].map(([area, names]): [string, string] => [
      `  ${area}`,
      names.join(" "),
    ]),
    ...Object.entries(result.missing).map(([profile, names]): [string, string] => [
      `  ${profile} lacks`,
      names.join(" ") || none,
    ]),
    ["exports", result.exports.join(" ") || none],
    ["custom sections", result.custom_sections.join(", ") || none],
  ];
}

function pages(count: number): string {
  const bytes = count * pageBytes;
  const size =
    bytes >= 1_048_576 ? `${+(bytes / 1_048_576).toFixed(1)} MiB` : `${bytes / 1024} KiB`;
  return `${count} page${count === 1 ? "" : "s"} (${size})`;
}

function paintLabel(label: string, color: boolean): string {
  return color ? `\u001b[2m${label}\u001b[22m` : label;
}

const borderless = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "",
};
