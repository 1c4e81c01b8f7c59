import { describe, expect, it } from "vitest";
import { MockEnvoy } from "../../../host-mock/index.ts";
import { rawPlugin } from "../../support/raw-guest.ts";

const envoyOf = (profile: string): MockEnvoy =>
  new MockEnvoy({ profile, plugins: [{ name: "p", wasm: rawPlugin("") }] });

describe("an evicted key", () => {
  it("is gone, others and its namesakes of another vm_id are not, and it counts anew", () => {
    const envoy = envoyOf("nginx");
    for (const [vmId, key] of [
      ["", "a"],
      ["", "b"],
      ["v", "a"],
    ] as const)
      envoy.setSharedData({ vmId, key, value: "x" });
    envoy.setSharedData({ key: "a", value: "y", cas: 1 });

    const was = envoy.evict({ key: "a" });
    const left = [...envoy.sharedData().keys(), ...envoy.sharedData("v").keys()];
    envoy.setSharedData({ key: "a", value: "z" });

    expect(was).toBe(true);
    expect(left).toEqual(["b", "a"]);
    expect(envoy.sharedData().get("a")).toMatchObject({ cas: 1 });
  });

  it("is recorded as a fault, and one that is not there as one that did not happen", () => {
    const envoy = envoyOf("nginx");
    envoy.setSharedData({ key: "ü", value: "x" });

    const happened = [envoy.evict({ key: "ü" }), envoy.evict({ key: "ü", vmId: "v" })];

    const told = envoy.trace
      .filter(({ name }) => name === "evict")
      .map(({ args, status, result }) => [args, status, result]);
    expect(happened).toEqual([true, false]);
    expect(told).toEqual([
      [{ vm_id: "", key: "ü" }, "applied", null],
      [{ vm_id: "v", key: "ü" }, "not_applied", "there is no such key"],
    ]);
  });

  it.each(["envoy", "mosn", "strict"])("is none under a host that evicts none: %s", (profile) => {
    expect(() => envoyOf(profile).evict({ key: "a" })).toThrow(
      `profile ${profile} never evicts a key; use wipe, or profile nginx`,
    );
  });

  it("must be named by text", () => {
    const wrong = [{ key: 5 }, {}, { key: "a", vmId: 5 }, { key: "a", vm_id: "" }];

    for (const entry of wrong) {
      expect(() => envoyOf("nginx").evict(entry as never)).toThrow(
        expect.objectContaining({ code: "E_OPTION" }),
      );
    }
  });
});
