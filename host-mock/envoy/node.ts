import { utf8 } from "../state/bytes.ts";

/** Who Envoy says it is. */
export interface Node {
  readonly id: string;
  readonly cluster: string;
}

/** As protobuf `envoy.config.core.v3.Node`, fields 1 (id) and 2 (cluster). */
export function nodeMessage(node: Node): Uint8Array {
  return Uint8Array.from([...textField(1, node.id), ...textField(2, node.cluster)]);
}

function textField(number: number, text: string): number[] {
  const bytes = utf8(text);
  return bytes.length === 0 ? [] : [(number << 3) | 2, ...varint(bytes.length), ...bytes];
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  bytes.push(rest);
  return bytes;
}
