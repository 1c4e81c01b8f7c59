import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { Status } from "../../../host-mock/abi/status.ts";
import { Body } from "../../../host-mock/state/body.ts";
import { latin1, utf8 } from "../../../host-mock/state/bytes.ts";

describe("body edits, as in Envoy", () => {
  it.each([
    ["start 0, length 0 prepends", 0, 0, "XYabcd"],
    ["start 0 and a length below the size replaces that many bytes", 0, 3, "XYd"],
    ["start 0 and the size replaces all", 0, 4, "XY"],
    ["start 0 and a huge length replaces all", 0, 0xffffffff, "XY"],
    ["start at the size appends", 4, 0, "abcdXY"],
    ["start beyond the size appends, whatever the length", 99, 99, "abcdXY"],
  ])("%s", (_name, start, length, expected) => {
    const body = new Body(utf8("abcd"));

    const status = body.edit(start, length, utf8("XY"));

    expect(status).toBe(Status.Ok);
    expect(latin1(body.bytes())).toBe(expected);
    expect(body.size).toBe(expected.length);
  });

  it.each([1, 2, 3])("start %i inside is refused and nothing changes", (start) => {
    const body = new Body(utf8("abcd"));

    const status = body.edit(start, 1, utf8("XY"));

    expect(status).toBe(Status.BadArgument);
    expect(latin1(body.bytes())).toBe("abcd");
  });

  it("an empty body is filled by start 0 and by any other start", () => {
    const [first, other] = [new Body(), new Body()];

    const statuses = [first.edit(0, 5, utf8("x")), other.edit(7, 0, utf8("y"))];

    expect(statuses).toEqual([Status.Ok, Status.Ok]);
    expect([latin1(first.bytes()), latin1(other.bytes())]).toEqual(["x", "y"]);
  });

  it("a read-only one refuses every edit, and the host may still append", () => {
    const body = new Body(utf8("conf"), true);

    const statuses = [body.edit(0, 0, utf8("x")), body.edit(9, 0, utf8("x"))];
    body.append(utf8("!"));

    expect(statuses).toEqual([Status.BadArgument, Status.BadArgument]);
    expect(latin1(body.bytes())).toBe("conf!");
  });

  it.each([
    [0, 4, "abcd"],
    [1, 2, "bc"],
    [2, 0xffffffff, "cd"],
    [4, 1, ""],
    [5, 0xffffffff, ""],
    [0, 0, ""],
  ])("slice(%i, %i) gives what exists of it", (start, length, expected) => {
    const slice = new Body(utf8("abcd")).slice(start, length);

    expect(latin1(slice)).toBe(expected);
  });

  it("can be drained and filled again", () => {
    const body = new Body(utf8("ab"));
    body.append(utf8("cd"));

    const all = latin1(body.drain());
    body.append(utf8("e"));

    expect(all).toBe("abcd");
    expect(latin1(body.bytes())).toBe("e");
    expect(body.size).toBe(1);
  });

  const edit = fc.tuple(fc.nat(8), fc.nat(8), fc.string({ maxLength: 3, unit: "grapheme-ascii" }));
  test.prop([fc.array(edit, { maxLength: 12 })])(
    "agrees with the same edits on a string",
    (edits) => {
      const body = new Body();
      let text = "";

      for (const [start, length, data] of edits) {
        body.edit(start, length, utf8(data));
        if (start === 0) text = data + text.slice(length);
        else if (start >= text.length) text += data;
      }

      expect(latin1(body.bytes())).toBe(text);
      expect(body.size).toBe(text.length);
    },
  );
});
