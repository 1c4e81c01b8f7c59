import { describe, expect, it } from "vitest";
import { linkImports } from "../../../host-mock/abi/link.ts";
import { inspectModule } from "../../../host-mock/module/inspect.ts";
import { loadModule } from "../../../host-mock/module/load.ts";
import { profileByName } from "../../../host-mock/profiles/index.ts";
import { Instance } from "../../../host-mock/vm/instance.ts";
import { buildGuest } from "../../support/build-guest.ts";
import { FakeGuest } from "../../support/fake-guest.ts";

const entry = "test/guests/hello/plugin.guest.ts";

describe("a plugin that asc compiled", () => {
  it("is known as AssemblyScript, loads on both hosts and starts", async () => {
    const { bytes } = await buildGuest({ entry });
    const result = inspectModule(bytes);
    const outcomes = ["envoy", "higress"].map((name) => {
      const profile = profileByName(name);
      const loaded = loadModule(bytes, profile, "hello");
      const host = new FakeGuest({ profile: name });
      const vm = Object.create(host.host, {
        instance: { get: () => instance },
      }) as typeof host.host;
      const instance: Instance = new Instance(
        loaded,
        linkImports(loaded, profile, () => vm),
      );
      return instance.start().ok && instance.allocate(100) > 0;
    });

    expect(result.language).toBe("assemblyscript");
    expect(result.abi).toEqual(["0.2.1"]);
    expect(result.start_section).toBe(false);
    expect(result.missing).toEqual({ envoy: [], higress: [] });
    expect(outcomes).toEqual([true, true]);
  });

  it("keeps its language without any optimisation, and with the most", async () => {
    const modules = await Promise.all(
      ["-O0", "-Oz"].map((level) => buildGuest({ entry, args: [level] })),
    );

    expect(modules.map(({ bytes }) => inspectModule(bytes).language)).toEqual([
      "assemblyscript",
      "assemblyscript",
    ]);
  });
});
