/** What may be given to a plugin as its configuration. */
import type { Random } from "../../../host-mock/random.ts";
import { bytesOf, pick, type Bytes } from "./bytes-mutation.ts";
import { changedJson, fieldsOf, objectOf } from "./json-mutation.ts";

const sound = {
  collector: "collector",
  host: "collector.internal",
  path: "/report?a=b",
  leaseMs: 5_000,
  tickMs: 1_000,
  reportMs: 4_000,
  timeoutMs: 2_000,
  periodMs: 1_000,
  more: { a: [{ a: [1, "2", null, true, 1.5e10] }, [], {}], "a.b": { "": "\u0000" } },
};

const extremes = [1, 2, 249, 999, 1_000, 3_600_000, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53, 0, -1];

/** A configuration with one change or more; never exactly the sound one. */
export function changedConfiguration(random: Random): Bytes {
  const fields = fieldsOf(sound);
  if (random.below(4) === 0) {
    // Sound JSON with durations that do not go together, or hardly do.
    const [name] = pick(random, fields.slice(3, 8));
    const other = pick(random, fields.slice(3, 8))[0];
    const put = String(pick(random, extremes));
    const drawn = fields.map(([key, value]) => [key, key === name ? put : value] as const);
    return bytesOf(objectOf(drawn.filter(([key]) => key === name || key !== other)));
  }
  return changedJson(random, fields);
}
