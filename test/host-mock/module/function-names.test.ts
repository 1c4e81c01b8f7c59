import { describe, expect, it } from "vitest";
import { cppName } from "../../../host-mock/module/cpp-names.ts";
import { functionBodyAt } from "../../../host-mock/module/function-bodies.ts";
import { functionNames } from "../../../host-mock/module/function-names.ts";
import { rawModule } from "../../support/raw-guest.ts";

const text = `(module (func $first (nop)) (func $second (nop) (nop)) (func (export "third")))`;

describe("names of functions", () => {
  it("are read from the name section, by index", () => {
    const names = functionNames(rawModule(text, { names: true }));

    expect([...names].slice(0, 2)).toEqual([
      [0, "first"],
      [1, "second"],
    ]);
  });

  it("are none without that section, and none where it is damaged", () => {
    const damaged = rawModule(text, { names: true });
    damaged[damaged.length - 1] = 0xff;

    expect(functionNames(rawModule(text)).size).toBe(0);
    expect(functionNames(damaged).size).toBe(0);
  });
});

describe("the body of a function", () => {
  it("is found by an offset in it, and by none outside of the code", () => {
    const bytes = rawModule(text);

    const starts = Array.from(bytes.keys(), (offset) => functionBodyAt(bytes, offset)?.start);

    const bodies = new Set(starts.filter((start) => start !== undefined));
    expect(bodies.size).toBe(3);
    expect(functionBodyAt(bytes, 0)).toBeUndefined();
    expect(functionBodyAt(bytes, bytes.length - 1)?.end).toBe(bytes.length);
    expect(functionBodyAt(rawModule("(module)"), 8)).toBeUndefined();
  });
});

describe("a name of C++", () => {
  it.each([
    ["_ZN3foo3barEv", "foo::bar()"],
    ["_ZN4core9panicking5panic17h0123456789abcdefE", "core::panicking::panic::h0123456789abcdef"],
    ["_Z3addij", "add(int, unsigned int)"],
    ["_ZN3log4lineEPKcRm", "log::line(char const*, unsigned long&)"],
  ])("is turned back as in Envoy's back trace: %s", (name, shown) => {
    expect(cppName(name)).toBe(shown);
  });

  it.each(["_ZN3fooIiE3barEv", "_Z3fooSs", "_ZN99fooE", "_ZN3foo", "_Z", "onTick", ""])(
    "stays as it is where more would be needed: %s",
    (name) => {
      expect(cppName(name)).toBe(name);
    },
  );

  it("may be as long as a module, also where it is one type within another", () => {
    const name = `_Z1f${"P".repeat(100_000)}i`;

    expect(cppName(name)).toBe(`f(int${"*".repeat(100_000)})`);
  });
});
