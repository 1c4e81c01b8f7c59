import type { FilterState, StoredValue } from "../../state/filter-state.ts";
import { emptyMap, group, leaf, map, message, number, text, type AttributeValue } from "./value.ts";

/** What a plugin stores under a name is found under this prefix and the name. */
export const pluginPrefix = "wasm.";

/**
 * `filter_state`: values of plugins and objects of Envoy, by name.
 *
 * Source: Envoy `source/extensions/filters/common/expr/context.cc` (FilterStateWrapper), `cel_state.cc`.
 */
export function filterStateAttributes(state: FilterState): AttributeValue {
  return {
    ...group({}),
    child: (name) => {
      const value = state.get(name);
      return value === undefined ? undefined : shown(value);
    },
  };
}

/** A plugin's value under its own name, without `filter_state`. */
export function pluginValue(state: FilterState, name: string): AttributeValue | undefined {
  const value = state.get(pluginPrefix + name);
  return value?.kind === "plugin" ? leaf(value.bytes) : undefined;
}

function shown(value: StoredValue): AttributeValue | undefined {
  switch (value.kind) {
    case "plugin":
      return leaf(value.bytes);
    case "text":
      return text(value.text);
    case "address":
      return addressValue(value.ip, value.port);
    case "opaque":
      return undefined;
  }
}

/** Has fields, and no keys to list. */
function addressValue(ip: string, port: number): AttributeValue {
  const fields = message(new Uint8Array(0), { ip: () => text(ip), port: () => number(port) });
  return map(
    () => [],
    (name) => fields.child(name) ?? emptyMap.child(name),
  );
}
