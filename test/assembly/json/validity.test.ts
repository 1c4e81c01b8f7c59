import { beforeAll, describe, expect, test } from "vitest";
import { loadRoom, type Room } from "../../support/load-room.ts";

let room: Room;

beforeAll(async () => {
  room = await loadRoom("test/guests/json/plugin.guest.ts");
});

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("texts that are not JSON", () => {
  test.each([
    ["", "the text ends early at byte 0"],
    ["  ", "the text ends early at byte 2"],
    ["nul", "a value is expected at byte 0"],
    ["falsy", "a value is expected at byte 0"],
    ["'a'", "a value is expected at byte 0"],
    ["[1,]", "a value is expected at byte 3"],
    ["[,1]", "a value is expected at byte 1"],
    ["[1 2]", '"," or a closing bracket is expected at byte 3'],
    ["[1}", '"," or a closing bracket is expected at byte 2'],
    ['{"a":1]', '"," or a closing bracket is expected at byte 6'],
    ['{"a" 1}', '":" is expected at byte 5'],
    ["{a:1}", "a quoted name is expected at byte 1"],
    ['{"a":1,}', "a quoted name is expected at byte 7"],
    ['{"a":}', "a value is expected at byte 5"],
    ["{}}", "the text goes on after its value at byte 2"],
    ["1 2", "the text goes on after its value at byte 2"],
    ["01", "malformed number at byte 1"],
    ["-", "the text ends early at byte 1"],
    ["-x", "malformed number at byte 1"],
    ["1.", "the text ends early at byte 2"],
    ["1.x", "malformed number at byte 2"],
    ["1e+]", "malformed number at byte 3"],
    ["+1", "a value is expected at byte 0"],
    [".5", "a value is expected at byte 0"],
    ["NaN", "a value is expected at byte 0"],
    ['{"timestamp":n5}', "a value is expected at byte 13"],
    ['"a', "the text ends early at byte 2"],
    ['"a\\', "the text ends early at byte 3"],
    ['"\\x"', "malformed escape at byte 2"],
    ['"\\u12g4"', "malformed escape at byte 5"],
    ['"\\u12"', "malformed escape at byte 5"],
    ['"a\nb"', "control character in a string at byte 2"],
    ["\ufeff1", "a value is expected at byte 0"],
    ["[[1]", "the text ends early at byte 4"],
  ])("%j: %s", (text, error) => {
    expect(room.call("valid", utf8(text))).toBe(0);
    expect(room.call("kindOf", utf8(text), "")).toBe(0);
    expect(room.text("error", utf8(text))).toBe(error);
    expect(() => JSON.parse(text) as unknown).toThrow();
  });

  test.each([
    ["a byte that is no UTF-8", [0x22, 0xff, 0x22]],
    ["an overlong form", [0x22, 0xc0, 0xaf, 0x22]],
    ["a surrogate in three bytes", [0x22, 0xed, 0xa0, 0xbd, 0x22]],
    ["a quote in the middle of a character", [0x22, 0xc3, 0x22]],
  ])("%s in a string", (_, bytes) => {
    expect(room.text("error", Uint8Array.from(bytes))).toBe("not UTF-8 at byte 1");
  });

  test("bad UTF-8 in a name", () => {
    expect(room.call("valid", Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toBe(0);
  });
});

describe("depth", () => {
  test("of 256 is read, of 257 refused, of a million refused without harm", () => {
    const nested = (depth: number): Uint8Array => utf8("[".repeat(depth) + "]".repeat(depth));

    expect(room.call("valid", nested(256))).toBe(1);
    expect(room.text("getOnly", nested(256), Array(255).fill("0").join("."))).toBe("[]");
    expect(room.text("error", nested(257))).toBe("more than 256 levels at byte 256");
    expect(room.call("valid", utf8("[".repeat(1_000_000)))).toBe(0);
    expect(room.call("valid", utf8('{"a":'.repeat(1_000_000)))).toBe(0);
  });

  test("mixes arrays and objects at every level", () => {
    const depth = 255;
    const open = Array.from({ length: depth }, (_, i) => (i % 3 === 0 ? "[" : '{"k":')).join("");
    const close = Array.from({ length: depth }, (_, i) => (i % 3 === 0 ? "]" : "}"))
      .reverse()
      .join("");

    expect(room.call("valid", utf8(`${open}1${close}`))).toBe(1);
    expect(room.call("valid", utf8(`${open}1${close.replace("]", "}")}`))).toBe(0);
  });
});

describe("50,000 mutated texts", () => {
  // A room of their own: the million brackets above have grown the other one's memory.
  let room: Room;

  beforeAll(async () => {
    room = await loadRoom("test/guests/json/plugin.guest.ts");
  });

  const texts = [
    '{"vmID":"a-b","timestamp":1767225600,"until":9223372036854775807,"list":[1,-2.5e3,true,null]}',
    '{"_rules_":[{"_match_domain_":["*.x"],"a":{"b":[[],{}]}}],"s":"\\u00e9\\ud83d\\ude00\\n"}',
    '[{"a":"grüße 😀"},"",0,-0,1e5,[[[[]]]],false]',
  ].map(utf8);

  test("are judged as JSON.parse judges them, and every question gets an answer", () => {
    const random = mutations(7);
    const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    let valid = 0;
    for (let i = 0; i < 50_000; i++) {
      const text = random(texts[i % texts.length]!);
      const isValid = room.call("valid", text) === 1;
      expect(isValid).toBe(parses(strict, text));
      if (isValid) valid++;
      if (isValid || i % 10 === 0) room.call("visit", text);
    }

    expect(valid).toBeGreaterThan(1000);
    expect(room.pages()).toBeLessThanOrEqual(8);
  });

  test("put in the place of a text that was read already do no harm", () => {
    const random = mutations(8);
    for (let i = 0; i < 5000; i++) {
      const text = texts[i % texts.length]!;
      room.call("visitChanged", text, random(text));
    }

    expect(room.pages()).toBeLessThanOrEqual(8);
  });
});

function parses(strict: InstanceType<typeof TextDecoder>, text: Uint8Array): boolean {
  try {
    JSON.parse(strict.decode(text));
    return true;
  } catch {
    return false;
  }
}

/** Changes, cuts, doubles and inserts bytes, JSON's own more often than others. */
function mutations(seed: number): (bytes: Uint8Array) => Uint8Array {
  const likely = Buffer.from('{}[]",:\\u0129-+.eEtfn \n');
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return (bytes) => {
    const out = [...bytes];
    for (let n = 1 + next(3); n > 0; n--) {
      const at = next(out.length);
      const byte = next(3) === 0 ? next(256) : likely[next(likely.length)]!;
      const kind = next(4);
      if (kind === 0) out[at] = byte;
      else if (kind === 1) out.splice(at, 1 + next(4));
      else if (kind === 2) out.splice(at, 0, byte);
      else out.splice(at, 0, ...out.slice(at, at + next(12)));
    }
    return Uint8Array.from(out);
  };
}
