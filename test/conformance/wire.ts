/** Protobuf messages for scripts, as hexadecimal digits. */

/** Bytes (one character a byte) as field `number`. */
export function fieldText(number: number, bytes: string): string {
  return (
    varint((number << 3) | 2) + varint(bytes.length) + Buffer.from(bytes, "latin1").toString("hex")
  );
}

export function fieldNumber(number: number, value: number): string {
  return varint(number << 3) + varint(value);
}

/** `~` for the message without fields. */
export function message(...fields: readonly string[]): string {
  return fields.join("") || "~";
}

function varint(value: number): string {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>= 7;
  }
  return Buffer.from([...bytes, rest]).toString("hex");
}
