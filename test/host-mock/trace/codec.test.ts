import { expect, test } from "vitest";
import { fc, test as propertyTest } from "@fast-check/vitest";
import {
  decodeEvent,
  encodeEvent,
  type TraceEvent,
  type TraceValue,
} from "../../../host-mock/trace/index.ts";
import { TraceBuilder } from "../../support/trace-builder.ts";

const plainEvent: TraceEvent = {
  n: 7,
  atNs: 1_500_000_000,
  monoNs: 3_601_500_000_000n,
  thread: "main",
  vm: "main#1",
  plugin: "metrics-reporter",
  context: 1,
  event: "call",
  name: "proxy_set_shared_data",
  args: { key: new TextEncoder().encode("lease"), value: Uint8Array.of(0xff, 0x00), cas: 3 },
  status: "CasMismatch",
  result: null,
};

test("a line has the contract's fields, in its order, and bytes as text or base64", () => {
  const line = encodeEvent(plainEvent);

  expect(line).toBe(
    '{"n":7,"at_ns":1500000000,"mono_ns":3601500000000,"thread":"main","vm":"main#1","plugin":"metrics-reporter",' +
      '"context":1,"event":"call","name":"proxy_set_shared_data","args":{"key":{"utf8":"lease"},' +
      '"value":{"base64":"/wA="},"cas":3},"status":"CasMismatch","result":null}',
  );
});

test("integers that a reader of JSON would round are written as text", () => {
  const event = {
    ...plainEvent,
    args: { safe: 9_007_199_254_740_991n, wide: 1_767_225_600_000_000_001n },
  };

  const line = encodeEvent(event);

  expect(line).toContain('"safe":9007199254740991,');
  expect(line).toContain('"wide":{"int":"1767225600000000001"}');
  expect(decodeEvent(line)?.args).toEqual({
    safe: 9_007_199_254_740_991,
    wide: 1_767_225_600_000_000_001n,
  });
});

test("a byte order mark and a NUL survive", () => {
  const value = Uint8Array.of(0xef, 0xbb, 0xbf, 0x00, 0x41);

  const back = decodeEvent(encodeEvent({ ...plainEvent, result: { value } }));

  expect(back?.result).toEqual({ value });
});

test.each([
  ["no JSON", "{"],
  ["a list", "[]"],
  ["a missing field", '{"n":1}'],
  ["an unknown kind", encodeEvent(plainEvent).replace('"call"', '"guess"')],
  ["a fraction of a nanosecond", encodeEvent(plainEvent).replace("1500000000", "1.5")],
  [
    "arguments that are no object",
    encodeEvent(plainEvent).replace(/"args":\{.*\},"status"/, '"args":[],"status"'),
  ],
])("%s is no event", (_, line) => {
  expect(decodeEvent(line)).toBeUndefined();
});

const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Uint8Array.from(array));
const leaf: fc.Arbitrary<TraceValue> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.maxSafeInteger().map((value) => (Object.is(value, -0) ? 0 : value)),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n }),
  fc.string({ unit: "binary" }),
  bytes,
);
// A field named like a form of bytes could not be told from them; the host names none so.
const name = fc
  .string({ maxLength: 8 })
  .filter((text) => !["utf8", "base64", "int", "__proto__"].includes(text));
const { tree } = fc.letrec<{ tree: TraceValue }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(name, tie("tree"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

propertyTest.prop([tree, bytes])("what was encoded comes back", (result, message) => {
  const event = { ...plainEvent, args: { message, result }, result };

  expect(decodeEvent(encodeEvent(event))).toEqual(event);
});

propertyTest.prop([fc.string()])(
  "a mutated line is an event or undefined, never an exception",
  (noise) => {
    const line = encodeEvent(plainEvent);
    const at = noise.length % line.length;

    expect(() => decodeEvent(line.slice(0, at) + noise + line.slice(at + 1))).not.toThrow();
  },
);

test("a whole trace comes back event by event", () => {
  const { events } = new TraceBuilder()
    .start("main")
    .at("1s")
    .claim("main", 7)
    .call("main", { term: 7 })
    .end("2s");

  expect(events.map(encodeEvent).map(decodeEvent)).toEqual(events);
});
