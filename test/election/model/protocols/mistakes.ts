import type { Protocol } from "../protocol.ts";
import { P4 } from "./p1-to-p4.ts";
import { P5, P6 } from "./p5-to-p7.ts";

/** One line wrong in each. */
export const OBSERVES_FROM_R0: Protocol = {
  ...P4,
  name: "P4, observes from r0",
  mistakes: { observesFromR0: true },
};
export const WAITS_ONE_LESS: Protocol = {
  ...P4,
  name: "P4, waits T − 1",
  mistakes: { waitsOneLess: true },
};
export const PROMISES_AFTER_SET: Protocol = {
  ...P4,
  name: "P4, promise from a clock after the set",
  mistakes: { promisesAfterSet: true },
};
export const FLAG_NEVER_EXPIRES: Protocol = {
  ...P4,
  name: "P4, flag without expiry",
  mistakes: { flagNeverExpires: true },
};
export const CLAIMS_CORRUPT: Protocol = {
  ...P5,
  name: "P5, claims a corrupt record at once",
  claims: { ...P5.claims, corrupt: "at once" },
};
export const TRUSTS_TIME_OF_GO: Protocol = {
  ...P5,
  name: "P5, judges wasm-go's records by their time",
  claimsOfGo: "older",
};
export const IGNORES_LATE_RENEWAL: Protocol = {
  ...P6,
  name: "P6, goes on after a late renewal",
  mistakes: { ignoresLateRenewal: true },
};
