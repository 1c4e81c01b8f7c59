import type { Protocol } from "../protocol.ts";

/**
 * Judges a held record by its own time and a released one by its freshness; a record written at configuration is
 * claimed at once, everything unexpected waited for.
 */
export const P5: Protocol = {
  name: "P5",
  absent: "placeholder",
  claims: {
    placeholder: "waited",
    boot: "at once",
    held: "older",
    released: "fresh or waited",
    corrupt: "waited",
  },
  claimsOfGo: "waited",
  leads: "when written",
};

/** Waits for boot records, too. */
export const P5_STRICT: Protocol = {
  ...P5,
  name: "P5 strict",
  claims: { ...P5.claims, boot: "waited" },
};

/** Holds a claimed record for another T before it leads. */
export const P6: Protocol = { ...P5, name: "P6", leads: "after probation" };

/** Creates the record itself, on the condition that there is none. */
export const P7: Protocol = { ...P5, name: "P7", absent: "create" };
