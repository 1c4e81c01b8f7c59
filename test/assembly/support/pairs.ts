/** Header maps on the wire, written and read apart from the SDK's own codec. */
export function encodePairs(pairs: readonly (readonly [string, string])[]): Buffer {
  const head = Buffer.alloc(4 + 8 * pairs.length);
  head.writeUInt32LE(pairs.length, 0);
  const parts: Buffer[] = [head];
  pairs.forEach(([name, value], i) => {
    const [a, b] = [Buffer.from(name), Buffer.from(value)];
    head.writeUInt32LE(a.length, 4 + 8 * i);
    head.writeUInt32LE(b.length, 8 + 8 * i);
    parts.push(a, Buffer.alloc(1), b, Buffer.alloc(1));
  });
  return Buffer.concat(parts);
}

export function decodePairs(bytes: Buffer): [string, string][] {
  const count = bytes.readUInt32LE(0);
  const pairs: [string, string][] = [];
  let at = 4 + 8 * count;
  for (let i = 0; i < count; i++) {
    const [a, b] = [bytes.readUInt32LE(4 + 8 * i), bytes.readUInt32LE(8 + 8 * i)];
    pairs.push([
      bytes.toString("utf8", at, at + a),
      bytes.toString("utf8", at + a + 1, at + a + 1 + b),
    ]);
    at += a + b + 2;
  }
  return pairs;
}
