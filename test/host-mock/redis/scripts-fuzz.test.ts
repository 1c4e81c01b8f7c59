import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RedisServer } from "../../../host-mock/redis/server.ts";
import { transcripts } from "./transcript.ts";

const client = () => new RedisServer({ nowMs: () => 0 }).connect();
const run = (script: string) => client().run(["EVAL", script, "1", "key", "1", "2"]);
const scripts = transcripts
  .filter(({ name }) => name === "scripts")
  .flatMap(({ commands }) => commands.map(([, script = ""]) => script));

describe("scripts that are wrong", () => {
  test("any text is run or refused, never a throw", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(run(String.fromCharCode(...bytes)).kind).toMatch(/error|bulk|integer|status|array/);
      }),
      { numRuns: 2000 },
    );
  });

  test("so is a right script with a part cut out, doubled or exchanged", () => {
    const cut = fc.tuple(
      fc.constantFrom(...scripts),
      fc.nat(),
      fc.nat(40),
      fc.constantFrom(...scripts),
      fc.nat(2),
    );
    fc.assert(
      fc.property(cut, ([script, place, length, other, way]) => {
        const at = place % (script.length + 1);
        const part =
          way === 0
            ? ""
            : way === 1
              ? script.slice(at, at + length).repeat(2)
              : other.slice(0, length);
        const mutated = script.slice(0, at) + part + script.slice(at + length);
        // Loops whose end was cut away are another test's.
        if (/while|repeat|for/.test(mutated)) return;

        expect(run(mutated).kind).toMatch(/error|bulk|integer|status|array/);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    [
      "too many levels of parentheses",
      `return ${"(".repeat(5000)}1${")".repeat(5000)}`,
      /syntax levels/,
    ],
    ["too many blocks", `${"do ".repeat(5000)}${"end ".repeat(5000)}`, /syntax levels/],
    [
      "a recursion without an end",
      "local function f() return 1 + f() end return f()",
      /user_script:1: stack overflow/,
    ],
    [
      "a recursion through a library",
      "local function f() table.sort({1,2,3},f) end return f()",
      /stack overflow/,
    ],
    ["a text of 10 GB", "return string.rep('x',1e10)", /ERR not enough memory/],
    ["a text that doubles", "local s = 'x' while true do s = s .. s end", /ERR not enough memory/],
    ["a billion results", "return {unpack({},1,1e9)}", /too many results to unpack/],
    ["a long slice", "return {string.byte(string.rep('x',9000),1,-1)}", /string slice too long/],
    [
      "a table of long texts",
      "local t = {} for i = 1, 1e5 do t[i] = string.upper(string.rep('x', 1e5) .. i) end",
      /ERR not enough memory/,
    ],
    [
      "many long parts of a text",
      "local s = string.rep('x', 1e6) for i = 1, 1e5 do local _ = string.sub(s, 2) end",
      /ERR not enough memory/,
    ],
  ])("%s is an error of the script", (_, script, message) => {
    const reply = run(script);

    expect(reply.kind === "error" ? reply.text : "").toMatch(message);
  });

  test.each([
    ["a loop", "while true do end"],
    ["a loop around pcall", "while true do pcall(function() while true do end end) end"],
    ["an iterator", "for _ in function() return 1 end do end"],
    ["a pattern", "return string.find(string.rep('a',60),'.-.-.-.-.-.-.-.-b')"],
    ["a search", "local s = string.rep('x', 1e8) while true do string.find(s, 'y', 1, true) end"],
    ["a heap of results", "local t, x = {}, {} for i = 1, 1e9 do t[i] = {unpack(x, 1, 7000)} end"],
    ["an insertion far below the first place", "table.insert({},-1e15,1)"],
  ])("%s without an end is stopped as SCRIPT KILL does it", (_, script) => {
    const sha = createHash("sha1").update(script).digest("hex");

    expect(run(script)).toEqual({
      kind: "error",
      text: `ERR Script killed by user with SCRIPT KILL... script: ${sha}, on @user_script:1.`,
    });
  });

  test("goes on after a refused text, which does not count", () => {
    const script = `
      local fine = pcall(string.rep, 'x', 1e10)
      return {tostring(fine), #string.rep('x', 1000)}`;

    expect(run(script)).toMatchObject({ items: [{ text: "false" }, { value: 1000n }] });
  });

  test("a recursion is as deep in every run", () => {
    const script = `
      local depth = 0
      local function f() depth = depth + 1 return 1 + f() end
      pcall(f)
      return depth`;

    const depths = Array.from({ length: 300 }, () => run(script));

    expect(new Set(depths.map((reply) => reply.kind === "integer" && reply.value))).toEqual(
      new Set([199n]),
    );
  });

  test("what a failed call went down does not count any more", () => {
    const script = `
      local function deep() return 1 + deep() end
      for i = 1, 20 do pcall(deep) end
      return 'fine'`;

    expect(run(script)).toEqual({ kind: "bulk", text: "fine" });
  });

  test.each(["cjson.encode({})", "setmetatable({}, {})", "redis.setresp(3)", "bit.bor(1, 2)"])(
    "%s, which Redis has and the model does not, is named",
    (expression) => {
      expect(() => run(`return ${expression}`)).toThrow(
        expect.objectContaining({ code: "E_UNSUPPORTED" }),
      );
    },
  );
});
