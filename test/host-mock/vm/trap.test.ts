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

describe("a trap", () => {
  it("prints Envoy's one line for a module without a name section", () => {
    const trap = trapIn(rawPlugin(nested));

    expect(trap.lines()).toEqual([
      "Function: proxy_on_tick failed: Uncaught RuntimeError: unreachable",
    ]);
    expect(trap.functionName).toBeNull();
    expect(trap.frames).toHaveLength(3);
    expect(trap.functionIndex).toBe(trap.frames[0]?.functionIndex);
  });

  it("prints a back trace, innermost first, for a module with names", () => {
    const trap = trapIn(rawPlugin(nested, { names: true }));

    const [first, title, ...frames] = trap.lines();
    expect(first).toBe("Function: proxy_on_tick failed: Uncaught RuntimeError: unreachable");
    expect(title).toBe("Proxy-Wasm plugin in-VM backtrace:");
    expect(frames).toHaveLength(3);
    expect(frames[0]).toMatch(/^ {2}0: {2}0x[0-9a-f]+ - inner$/);
    expect(frames[1]).toMatch(/^ {2}1: {2}0x[0-9a-f]+ - life\/onTick$/);
    expect(trap.functionName).toBe("inner");
  });

  it("is not what an error of the host is", () => {
    expect(trapOf(new TypeError("x is not a function"), "proxy_on_tick")).toBeUndefined();
    expect(trapOf(new RangeError("Invalid array length"), "proxy_on_tick")).toBeUndefined();
    expect(trapOf("text", "proxy_on_tick")).toBeUndefined();
  });

  it("takes only wasm frames out of a stack", () => {
    const stack = `RuntimeError: unreachable
    at a/b(c) (wasm://wasm/1234abcd:wasm-function[12]:0x3b39)
    at wasm://wasm/1234abcd:wasm-function[3]:0x1f
    at enter (file:///host/instance.ts:3:7)`;

    expect(framesOf(stack)).toEqual([
      { functionIndex: 12, offset: 0x3b39, name: "a/b(c)" },
      { functionIndex: 3, offset: 0x1f, name: null },
    ]);
  });
});
