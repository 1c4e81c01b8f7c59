import type { Protocol } from "../protocol.ts";

/** Writes a placeholder on nothing, without a condition, and claims one at once. */
export const P1: Protocol = {
  name: "P1",
  absent: "placeholder",
  claims: {
    placeholder: "at once",
    boot: "at once",
    held: "older",
    released: "at once",
    corrupt: "never",
  },
  claimsOfGo: "older",
  leads: "when written",
};

/** Writes its own record on nothing, without a condition, and leads when it reads it again. */
export const P2: Protocol = { ...P1, name: "P2", absent: "own record", leads: "when read again" };

/** Finds the key ensured before it starts; writes a placeholder should it be gone. */
export const P3: Protocol = { ...P1, name: "P3" };

/** As P3, but waits for somebody else when the key is gone. */
export const P3_NEVER_CREATES: Protocol = { ...P3, name: "P3 never creates", absent: "nothing" };

/** Claims only what it has seen unchanged for longer than T. */
export const P4: Protocol = {
  name: "P4",
  absent: "placeholder",
  claims: {
    placeholder: "waited",
    boot: "waited",
    held: "waited",
    released: "waited",
    corrupt: "waited",
  },
  claimsOfGo: "waited",
  leads: "when written",
};
