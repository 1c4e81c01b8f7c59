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

const labelWidth = 22;
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
    table.push([paintLabel(printable(label), options.color), printable(value)]);
  const text = table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
  return `${printable(file)}\n\n${text}\n`;
}

type Row = readonly [label: string, value: string];

function rows(result: InspectResult, refusals: Refusals): Row[] {
  const { imports } = result;
  return [
    ["size", bytesText(result.bytes)],
    ["ABI", result.abi.join(", ") || none],
    ["language", result.language],
    ["SDK", result.sdk ?? "unknown"],
    ...Object.entries(result.producers).map(([field, values]): Row => [field, values.join(", ")]),
    ...[...refusals].map(([profile, refusal]): Row => [
      `on ${profile}`,
      refusal === "" ? "loads" : refusal,
    ]),
    ["memory", memoryText(result.memory)],
    ["start section", result.start_section ? "yes" : "no"],
    ["features", result.features.join(" ") || none],
    ...(result.declared_features.length === 0
      ? []
      : [["  declared", result.declared_features.join(" ")] as const]),
    ["imports", String(imports.length)],
    ...[...byArea(imports)].map(([area, names]): Row => [`  ${area}`, names.join(" ")]),
    ...perProfile("lacks", result.missing),
    ["exports", result.exports.join(" ") || none],
    ...perProfile("never calls", result.never_called),
    ["names", namesText(result)],
    ["source map", result.source_map ?? none],
    ["custom sections", result.custom_sections.join(", ") || none],
    ["size by section", ""],
    ...bySize(result),
  ];
}

function perProfile(what: string, byProfile: Readonly<Record<string, readonly string[]>>): Row[] {
  return Object.entries(byProfile).map(([profile, names]): Row => [
    `  ${profile} ${what}`,
    names.join(" ") || none,
  ]);
}

function memoryText(memory: InspectResult["memory"]): string {
  const maximum =
    memory.maximum_pages === null ? "no maximum" : `at most ${pages(memory.maximum_pages)}`;
  const more = [...(memory.shared ? ["shared"] : []), ...(memory.imported ? ["imported"] : [])];
  return [pages(memory.initial_pages), maximum, ...more].join(", ");
}

function namesText({ names, dwarf }: InspectResult): string {
  const own = names?.module === null || names?.module === undefined ? "" : `${names.module}, `;
  const shown = names === null ? none : `${own}${names.functions} functions`;
  return dwarf ? `${shown}; DWARF, which no host reads` : shown;
}

/** The largest first; parts of a custom section's name are its own. */
function bySize({ sections, bytes }: InspectResult): Row[] {
  return [...sections]
    .sort((one, other) => other.bytes - one.bytes)
    .map(({ name, custom, bytes: size }): Row => [
      `  ${custom ? `"${name}"` : name}`,
      `${bytesText(size)} (${((100 * size) / bytes).toFixed(1)} %)`,
    ]);
}

function bytesText(count: number): string {
  return `${count.toLocaleString("en-US")} bytes`;
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
