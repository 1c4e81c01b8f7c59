import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Reply } from "../../../host-mock/redis/reply.ts";
import {
  decodeCommands,
  decodeReply,
  encodeCommand,
  encodeReply,
} from "../../../host-mock/redis/resp.ts";

const binary = fc.uint8Array({ maxLength: 20 }).map((bytes) => String.fromCharCode(...bytes));

const replies = fc.letrec<{ reply: Reply }>((tie) => ({
  reply: fc.oneof(
    { maxDepth: 3 },
    fc.constant({ kind: "status", text: "OK" } as const),
    fc.constant({ kind: "error", text: "ERR no" } as const),
    fc
      .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
      .map((value) => ({ kind: "integer", value }) as const),
    fc.option(binary).map((text) => ({ kind: "bulk", text }) as const),
    fc
      .option(fc.array(tie("reply"), { maxLength: 4 }))
      .map((items) => ({ kind: "array", items }) as const),
  ),
})).reply;

describe("commands", () => {
  test("are read as they were written, whatever bytes they hold", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(binary, { minLength: 1, maxLength: 5 }), { maxLength: 4 }),
        (commands) => {
          const text = commands.map(encodeCommand).join("");

          expect(decodeCommands(text)).toEqual({ commands, error: null, usedLength: text.length });
        },
      ),
    );
  });

  test("that are cut off are left over, wherever", () => {
    const text = encodeCommand(["SET", "key", "a\r\nb"]);

    for (let length = 0; length < text.length; length++)
      expect(decodeCommands(text.slice(0, length))).toEqual({
        commands: [],
        error: null,
        usedLength: 0,
      });
  });

  test("may stand on a line, with quoted words", () => {
    expect(decodeCommands("SET k \"a \\x41\\n\" 'it\\'s'\r\nPING\n").commands).toEqual([
      ["SET", "k", "a A\n", "it's"],
      ["PING"],
    ]);
    expect(decodeCommands('GET "open\r\n').error).toMatch(/unbalanced quotes/);
  });

  test.each([
    ["*x\r\n", /invalid multibulk length/],
    ["*1\r\n:1\r\n", /expected '\$', got ':'/],
    ["*1\r\n$-5\r\n", /invalid bulk length/],
    ["*1\r\n$999999999999\r\n", /invalid bulk length/],
  ])("that are wrong are protocol errors: %j", (text, message) => {
    expect(decodeCommands(text).error).toMatch(message);
  });

  test("any bytes are read without a throw", () => {
    fc.assert(
      fc.property(fc.oneof(binary, fc.stringMatching(/^[*$\d\r\n:+ -]{0,40}$/)), (text) => {
        const { usedLength } = decodeCommands(text);

        expect(usedLength).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});

describe("replies", () => {
  test("are read as they were written, and not before they are whole", () => {
    fc.assert(
      fc.property(replies, (reply) => {
        const text = encodeReply(reply);

        expect(decodeReply(text)).toEqual({ reply, end: text.length });
        expect(decodeReply(text.slice(0, -1))).toBeUndefined();
      }),
    );
  });
});
