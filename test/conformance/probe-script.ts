/** The scripted guest: how it is built, and how guests of other kinds get their bytes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildGuest } from "../support/build-guest.ts";
import type { BuildOptions } from "../support/build-guest.ts";
import { rawModule } from "../support/raw-guest.ts";
import type { ProbeGuest } from "./probe.ts";

export const probeScript: BuildOptions = {
  entry: "test/guests/probe-script/plugin.guest.ts",
  config: false,
  args: ["-O3", "--runtime", "incremental", "--exportStart", "_initialize", "--use", "abort="],
};

/** The module of a guest; the scripted one when none is named. */
export async function guestBytes(
  guest: ProbeGuest = probeScript,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!("wat" in guest)) return (await buildGuest(guest)).bytes;
  const text = readFileSync(join(import.meta.dirname, "wat", guest.wat), "utf8");
  return rawModule(text, { names: guest.names ?? false });
}
