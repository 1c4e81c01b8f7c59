import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { writeAll } from "../../../host-mock/cli/output.ts";

/** A reader that takes a piece at a time, or goes away after some. */
function slowReader(
  taken: string[],
  options: { readonly leavesAfter?: number; readonly code?: string } = {},
): Writable {
  return new Writable({
    highWaterMark: 1,
    decodeStrings: false,
    write(piece: string, _encoding, done) {
      setImmediate(() => {
        if (taken.length === options.leavesAfter) {
          const { code = "EPIPE" } = options;
          done(Object.assign(new Error(`write ${code}`), { code }));
          return;
        }
        taken.push(piece);
        done();
      });
    },
  });
}

describe("writing to a pipe", () => {
  test("gives a slow reader all of the text, in order", async () => {
    const text = Array.from({ length: 40_000 }, (_, index) => `line ${index}\n`).join("");
    const taken: string[] = [];
    const reader = slowReader(taken);

    await writeAll(reader, text);
    await new Promise((resolve) => reader.end(resolve));

    expect(taken.length).toBeGreaterThan(1);
    expect(taken.join("")).toBe(text);
  });

  test("ends quietly when the reader goes away", async () => {
    const taken: string[] = [];
    const reader = slowReader(taken, { leavesAfter: 1 });

    await writeAll(reader, "x".repeat(1_000_000));

    expect(taken).toHaveLength(1);
  });

  test("is E_FILE when the disk is full", async () => {
    const full = slowReader([], { leavesAfter: 0, code: "ENOSPC" });
    full.on("error", () => undefined);

    await expect(writeAll(full, "x".repeat(200_000))).rejects.toMatchObject({
      code: "E_FILE",
      message:
        "stdout: the output cannot be written (write ENOSPC); make room, or send it elsewhere",
    });
  });
});
