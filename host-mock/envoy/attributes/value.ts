import { encodePairs, type BytePair } from "../../abi/pairs.ts";
import { boolValue, numberValue, textValue } from "../../state/properties.ts";

/**
 * A value of a property path, or of its first components. Components are binary strings.
 *
 * Source: Envoy `source/extensions/common/wasm/context.cc` (getProperty, serializeValue).
 */
export interface AttributeValue {
  /** What is handed out; undefined: SerializationFailure. */
  bytes(): Uint8Array | undefined;
  /** The value one component further; undefined: NotFound. */
  child(name: string): AttributeValue | undefined;
}

/** Fields by name, each made when it is asked for; undefined: NotFound. */
export type Fields = Readonly<Record<string, () => AttributeValue | undefined>>;

/** Bytes without children. */
export function leaf(bytes: Uint8Array): AttributeValue {
  return { bytes: () => bytes, child: () => undefined };
}

export function text(value: string): AttributeValue {
  return leaf(textValue(value));
}

/** Eight bytes; undefined stays undefined. */
export function number(value: number | bigint): AttributeValue {
  return leaf(numberValue(value));
}

export function optionalText(value: string | undefined): AttributeValue | undefined {
  return value === undefined ? undefined : text(value);
}

export function optionalNumber(value: number | undefined): AttributeValue | undefined {
  return value === undefined ? undefined : number(value);
}

export function bool(value: boolean): AttributeValue {
  return leaf(boolValue(value));
}

/** Exists, has no children, cannot be serialised. */
export const nothing: AttributeValue = { bytes: () => undefined, child: () => undefined };

/** Fields that can be read one by one only. */
export function group(fields: Fields): AttributeValue {
  return { bytes: () => undefined, child: (name) => fieldOf(fields, name) };
}

/** A protobuf message: its bytes as a whole, its fields by name. */
export function message(bytes: Uint8Array, fields: Fields): AttributeValue {
  return { bytes: () => bytes, child: (name) => fieldOf(fields, name) };
}

/** A map whose keys are known: as a whole a block of pairs, of no pairs too. */
export function map(
  pairs: () => readonly BytePair[],
  child: (name: string) => AttributeValue | undefined,
): AttributeValue {
  return { bytes: () => pairsBlock(pairs()), child };
}

/** Elements by decimal index; as a whole a block of pairs without values. */
export function list(items: readonly AttributeValue[]): AttributeValue {
  return map(
    () => items.map((item) => [item.bytes() ?? new Uint8Array(0), new Uint8Array(0)] as const),
    (name) => (/^\s*[+-]?\d+\s*$/.test(name) ? items[Number(name)] : undefined),
  );
}

export const emptyMap = map(
  () => [],
  () => undefined,
);

function fieldOf(fields: Fields, name: string): AttributeValue | undefined {
  return Object.hasOwn(fields, name) ? fields[name]!() : undefined;
}

/** Unlike a header map's, the block of no pairs has its count. */
function pairsBlock(pairs: readonly BytePair[]): Uint8Array {
  return pairs.length === 0 ? new Uint8Array(4) : encodePairs(pairs);
}
