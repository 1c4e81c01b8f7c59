import { fromLatin1, latin1 } from "../../state/bytes.ts";
import type { HeaderMap } from "../../state/header-map.ts";
import { leaf, map, type AttributeValue } from "./value.ts";

const validName = /^:?[-!#$%&'*+.^_`|~0-9A-Za-z]+$/;

/**
 * Headers or trailers: one name in any case, its values joined by a comma; all as pairs with unique names, in the order
 * of their first occurrence. Without a map there are no names.
 *
 * Source: Envoy `source/extensions/filters/common/expr/context.h` (HeadersWrapper).
 */
export function headerValues(headers: HeaderMap | undefined): AttributeValue {
  return map(
    () => {
      const names = new Set(headers?.entries().map(([name]) => latin1(name)));
      return [...names].map((name) => [fromLatin1(name), joinedValue(headers!, name)!] as const);
    },
    (name) => {
      if (headers === undefined || !validName.test(name)) return undefined;
      const value = joinedValue(headers, name);
      return value === undefined ? undefined : leaf(value);
    },
  );
}

function joinedValue(map: HeaderMap, name: string): Uint8Array | undefined {
  const values = map.getAll(fromLatin1(name));
  return values.length <= 1 ? values[0] : fromLatin1(values.map(latin1).join(","));
}
