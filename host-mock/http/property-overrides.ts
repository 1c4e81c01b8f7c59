import { requireRecord } from "../did-you-mean.ts";
import { MockHostError } from "../errors.ts";
import { latin1, utf8 } from "../state/bytes.ts";
import type { PropertyValue } from "../state/properties.ts";

/**
 * Values of properties by path, in front of what the host knows. A path has its components separated by dots, or by
 * NUL where a component has a dot itself: `{ "connection.tls_version": "TLSv1.3" }`. Text is UTF-8, a whole number and
 * a bigint an integer of 8 bytes, another number a double, a bool one byte, bytes as they are; `null`: NotFound.
 */
export type PropertyOverrides = Readonly<Record<string, PropertyValue>>;

const none: ReadonlyMap<string, PropertyValue> = new Map();

/** By path as plugins write it. E_OPTION for what is no such value, or an empty path. */
export function resolveProperties(
  called: string,
  properties: PropertyOverrides | undefined,
): ReadonlyMap<string, PropertyValue> {
  if (properties === undefined) return none;
  requireRecord(called, properties, "give an object of values by path");
  const resolved = new Map<string, PropertyValue>();
  for (const [path, value] of Object.entries(properties)) {
    if (path === "" || !isValue(value)) {
      throw new MockHostError(
        "E_OPTION",
        `${called}: ${JSON.stringify(path)} has no value for a property`,
        {
          remedy:
            "give a text, a finite number or a bigint of 64 bits, a bool, bytes, or null for a property that is not there",
        },
      );
    }
    resolved.set(latin1(utf8(path.includes("\0") ? path : path.replaceAll(".", "\0"))), value);
  }
  return resolved;
}

function isValue(value: unknown): value is PropertyValue {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value === "bigint") return value >= -(2n ** 63n) && value < 2n ** 64n;
  const isPlain = ["string", "boolean"].includes(typeof value);
  return isPlain || value === null || value instanceof Uint8Array;
}
