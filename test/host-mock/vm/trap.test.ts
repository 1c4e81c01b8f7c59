import { describe, expect, it } from "vitest";
import { loadModule } from "../../../host-mock/module/load.ts";
import { profileByName } from "../../../host-mock/profiles/index.ts";
import { Instance } from "../../../host-mock/vm/instance.ts";
import { framesOf, type Trap, trapOf } from "../../../host-mock/vm/trap.ts";
import { rawPlugin } from "../../support/raw-guest.ts";

const nested = `
  (func $inner (unreachable))
  (func $life/onTick (call $inner))
  (func (export "proxy_on_tick") (param i32) (call $life/onTick))`;

function trapIn(bytes: Uint8Array): Trap {
  const outcome = new Instance(loadModule(bytes, profileByName("envoy"), "raw"), {}).call(
    "proxy_on_tick",
    [1],
  );
  if (outcome.ok) throw new Error("no trap");
  return outcome.trap;
}

const anyModule = { bytes: rawPlugin(""), originalOffset: (offset: number) => offset };

describe("a trap", () => {
  it("prints Envoy's one line for a module without a name section", () => {
    const trap = trapIn(rawPlugin(nested));

    expect(trap.text()).toBe("Function: proxy_on_tick failed: Uncaught RuntimeError: unreachable");
    expect(trap.functionName).toBeNull();
    expect(trap.frames).toHaveLength(3);
    expect(trap.functionIndex).toBe(trap.frames[0]?.functionIndex);
  });

  it("prints a back trace, innermost first, for a module with names", () => {
    const trap = trapIn(rawPlugin(nested, { names: true }));

    const [first, title, ...frames] = trap.text().split("\n");
    expect(first).toBe("Function: proxy_on_tick failed: Uncaught RuntimeError: unreachable");
    expect(title).toBe("Proxy-Wasm plugin in-VM backtrace:");
    expect(frames).toHaveLength(3);
    expect(frames[0]).toMatch(/^ {2}0: {2}0x[0-9a-f]+ - inner$/);
    expect(frames[1]).toMatch(/^ {2}1: {2}0x[0-9a-f]+ - life\/onTick$/);
    expect(frames[2]).toMatch(/^ {2}2: {2}0x[0-9a-f]+ - unknown\(function index:\d+\)$/);
    expect(trap.functionName).toBe("inner");
  });

  it("keeps twenty frames, whatever the program has set as the engine's limit", () => {
    const endless = `(func $again (export "proxy_on_tick") (param i32) (call $again (i32.const 1)))`;
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;

    const trap = trapIn(rawPlugin(endless));
    const after = Error.stackTraceLimit;
    Error.stackTraceLimit = limit;

    expect(trap.frames).toHaveLength(20);
    expect(trap.message).toBe("RangeError: Maximum call stack size exceeded");
    expect(after).toBe(0);
  });

  it("has offsets of the module as it was given, though the engine got its memory bounded", () => {
    const bytes = rawPlugin(nested);

    const { frames } = trapIn(bytes);

    const unreachable = 0x00;
    expect(bytes[frames[0]!.offset]).toBe(unreachable);
  });

  it("has Envoy's words where Node's engine has others", () => {
    const calls = `(table 1 funcref) (func (export "proxy_on_tick") (param i32)
      (call_indirect (param i32) (i32.const 0) (i32.const 0)))`;

    expect(trapIn(rawPlugin(calls)).message).toBe("RuntimeError: function signature mismatch");
  });

  it("is not what an error of the host is", () => {
    const notTraps = [new TypeError("x is not a function"), new RangeError("Invalid array length")];

    for (const error of [...notTraps, "text"]) {
      expect(trapOf(error, "proxy_on_tick", anyModule)).toBeUndefined();
    }
  });

  it("takes only wasm frames out of a stack", () => {
    const stack = `RuntimeError: unreachable
    at a/b(c) (wasm://wasm/1234abcd:wasm-function[12]:0x3b39)
    at wasm://wasm/1234abcd:wasm-function[3]:0x1f
    at enter (file:///host/instance.ts:3:7)`;

    expect(framesOf(stack, anyModule)).toEqual([
      { functionIndex: 12, offset: 0x3b39, name: null },
      { functionIndex: 3, offset: 0x1f, name: null },
    ]);
  });
});
