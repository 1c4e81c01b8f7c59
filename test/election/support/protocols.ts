/** The guests of test/guests/protocols and test/guests/explore-elector, built. */
import { buildGuest, type Built } from "../../support/build-guest.ts";

const raw = {
  config: false,
  args: [
    ...["--runtime", "stub", "--exportStart", "_initialize", "--use", "abort="],
    ...["--optimizeLevel", "3", "--shrinkLevel", "1", "--initialMemory", "1"],
  ],
} as const;

/** All protocols in one module; its configuration says which. */
export function protocolGuest(): Promise<Built> {
  return buildGuest({ entry: "test/guests/protocols/plugin.guest.ts", ...raw });
}

/** A writer of a fence cell. */
export function writerGuest(): Promise<Built> {
  return buildGuest({ entry: "test/guests/protocols/writer.guest.ts", ...raw });
}

/** The published SDK's elector; its root_id says in which make. */
export function electorGuest(): Promise<Built> {
  return buildGuest({ entry: "test/guests/explore-elector/plugin.guest.ts" });
}
