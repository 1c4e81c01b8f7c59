import { fc, test } from "@fast-check/vitest";
import { expect, it } from "vitest";
import { utf8 } from "../../../host-mock/state/bytes.ts";
import {
  bytesField,
  readFields,
  textField,
  varintField,
  writeBytes,
  writeMessage,
  writeVarint,
} from "../../../host-mock/state/protobuf.ts";

function message(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));

it("what is written is read again", () => {
  const fields = readFields(
    message(writeBytes(1, "name"), writeVarint(2, 300), writeMessage(20, bytes("00ff"))),
  )!;

  expect(textField(fields, 1)).toBe("name");
  expect(varintField(fields, 2)).toBe(300n);
  expect(bytesField(fields, 20)).toEqual(bytes("00ff"));
});

it("an absent field is empty, or 0; empty values are not written", () => {
  expect(message(writeBytes(1, ""), writeVarint(2, 0))).toEqual(bytes(""));
  const fields = readFields(bytes(""))!;

  expect([textField(fields, 1), varintField(fields, 2)]).toEqual(["", 0n]);
});

it("the last of several occurrences counts", () => {
  const fields = readFields(message(writeVarint(1, 1), writeVarint(1, 2)))!;

  expect(varintField(fields, 1)).toBe(2n);
});

it("a field of another wire type is passed over", () => {
  const fields = readFields(
    message(writeVarint(1, 7), bytes("0d00000000"), bytes("110000000000000000")),
  )!;

  expect(textField(fields, 1)).toBe("");
  expect(varintField(fields, 2)).toBe(0n);
});

it("text that is no UTF-8 is no text, whichever occurrence it is", () => {
  const fields = readFields(message(writeBytes(1, bytes("ff")), writeBytes(1, "fine")))!;

  expect(textField(fields, 1)).toBeUndefined();
  expect(bytesField(fields, 1)).toEqual(utf8("fine"));
});

it.each(["0b0c", "0b08010c", "0b13140c"])("groups are passed over: %s", (hex) => {
  expect(readFields(bytes(hex))).toEqual([]);
});

it.each([
  ["a tag that is cut off", "80"],
  ["a number that is cut off", "08"],
  ["a number of eleven bytes", "08ffffffffffffffffffff01"],
  ["a length beyond the end", "0a02ff"],
  ["a fixed number that is cut off", "0d000000"],
  ["field 0", "0000"],
  ["a wire type that is none", "0e"],
  ["the end of a group that never began", "0c"],
  ["a group that does not end", "0b"],
  ["a group with another one's end", "0b14"],
])("%s is no message", (_what, hex) => {
  expect(readFields(bytes(hex))).toBeUndefined();
});

it("groups nest a hundred times and no more", () => {
  const nested = (depth: number) => bytes("0b".repeat(depth) + "0c".repeat(depth));

  expect(readFields(nested(100))).toEqual([]);
  expect(readFields(nested(101))).toBeUndefined();
});

test.prop([fc.uint8Array({ maxLength: 64 })])("any bytes are a message or none", (data) => {
  const fields = readFields(data);

  expect(fields === undefined || Array.isArray(fields)).toBe(true);
});
