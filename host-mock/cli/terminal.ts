import { styleText } from "node:util";
import type { OutputStream } from "./output.ts";

/** Columns when no terminal says how many it has. */
const widthDefault = 100;

export function widthOf(stream: OutputStream): number {
  return stream.columns ?? widthDefault;
}

/** NO_COLOR, FORCE_COLOR and whether it is a terminal decide; only a real stream is asked. */
export function showsColor(stream: OutputStream): boolean {
  if (!("fd" in stream)) return false;
  return styleText("red", "x", { stream: stream as unknown as NodeJS.WriteStream }) !== "x";
}
