import type { ExplorationStep } from "./html/exploration.ts";
import { clean } from "./paint.ts";

const argsMax = 64;
const answerMax = 72;

/** The steps of a schedule as a table: number, VM, call, answer, who leads. */
export function stepTable(steps: readonly ExplorationStep[]): string[] {
  const rows = steps.map((step, index) => [
    String(index + 1),
    clean(step.vm === "" ? "–" : step.vm),
    `${step.call}${clean(argsOf(step.args), argsMax)}`,
    clean(answerOf(step), answerMax),
    clean(step.leaders.join(", ")) || "nobody",
  ]);
  const heads = ["step", "VM", "call", "answer", "who leads"];
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]): string =>
    `  ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join("  ")}`.trimEnd();
  return [line(heads), ...rows.map(line)];
}

function argsOf(args: ExplorationStep["args"]): string {
  const shown = Object.entries(args).map(([name, value]) => `${name}=${valueText(value)}`);
  return shown.length === 0 ? "" : `(${shown.join(", ")})`;
}

function answerOf({ status, result }: ExplorationStep): string {
  const words = [status ?? "", result === null || result === undefined ? "" : valueText(result)];
  return words.filter((word) => word !== "").join(" ");
}

function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || typeof value !== "object") return String(value);
  if ("value" in value && "cas" in value)
    return `${valueText(value.value)} (version ${String(value.cas)})`;
  if ("now_ms" in value) return `${Number(value.now_ms) / 1000} s`;
  return JSON.stringify(value);
}
