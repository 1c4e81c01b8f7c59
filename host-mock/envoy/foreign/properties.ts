import { Status } from "../../abi/status.ts";
import { latin1, utf8 } from "../../state/bytes.ts";
import type { LifeSpan, StoredType } from "../../state/filter-state.ts";
import { bytesField, readFields, textField, varintField } from "../../state/protobuf.ts";
import type { Context } from "../context.ts";
import { badArgument, ok, type ForeignFunction } from "./foreign-function.ts";
import { filterStateObjects } from "./filter-state-objects.ts";

const types: readonly StoredType[] = ["bytes", "string", "flatbuffers", "protobuf"];
const spans: readonly LifeSpan[] = ["filter chain", "request", "connection"];

/**
 * | function                 | argument                                         | status                               |
 * | ------------------------ | ------------------------------------------------ | ------------------------------------ |
 * | `declare_property`       | 1 name, 2 read-only, 3 type, 4 schema, 5 span    | Ok; BadArgument for a second time    |
 * | `set_envoy_filter_state` | 1 key, 2 value, 3 span                           | Ok; NotFound for a key without an object, or without a stream; BadArgument for a value that it refuses |
 *
 * Both are BadArgument for what is no such message. A declaration counts for streams when the root's own callback has
 * made it.
 *
 * Source: Envoy `source/extensions/common/wasm/foreign.cc`, `context.cc` (declareProperty, setEnvoyFilterState).
 */
export const propertyFunctions: Readonly<Record<string, ForeignFunction>> = {
  declare_property(argument, acting) {
    const fields = readFields(argument);
    const name = fields && textField(fields, 1);
    if (fields === undefined || name === undefined) return badArgument;
    const context = acting.owner.current;
    const key = latin1(utf8(name));
    const declared = (context.declared ??= new Map());
    if (declared.has(key)) return badArgument;
    declared.set(key, {
      type: types[Number(varintField(fields, 3))] ?? "bytes",
      isReadOnly: varintField(fields, 2) !== 0n,
      span: spanOf(varintField(fields, 5)),
    });
    return ok;
  },

  set_envoy_filter_state(argument, acting: Context) {
    const fields = readFields(argument);
    const key = fields && textField(fields, 1);
    const value = fields && textField(fields, 2);
    if (fields === undefined || key === undefined || value === undefined) return badArgument;
    const make = filterStateObjects.get(key);
    if (make === undefined) return { status: Status.NotFound };
    const object = make(latin1(bytesField(fields, 2)));
    if (object === undefined) return badArgument;
    const { filterState } = acting;
    if (filterState === undefined) return { status: Status.NotFound };
    filterState.put(key, object, spanOf(varintField(fields, 3)));
    return ok;
  },
};

function spanOf(value: bigint): LifeSpan {
  return spans[Number(value)] ?? "filter chain";
}
