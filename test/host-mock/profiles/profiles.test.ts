import { describe, expect, it } from "vitest";
import { hostSignatures, findHostFunction } from "../../../host-mock/abi/signatures.ts";
import { hostFunction } from "../../../host-mock/abi/link.ts";
import { profileByName, profileNames } from "../../../host-mock/profiles/index.ts";

describe("profiles", () => {
  it("are found by name", () => {
    const names = ["envoy", "higress", "nginx", "proxytest", "mosn", "java", "strict"];

    expect(profileNames).toEqual(names);
    expect(profileByName("higress").name).toBe("higress");
  });

  it("are named when one is unknown", () => {
    expect(() => profileByName("istio")).toThrow(
      expect.objectContaining({ code: "E_UNKNOWN_NAME" }),
    );
    expect(() => profileByName("istio")).toThrow(
      /there is no profile "istio"; there are envoy, higress, nginx, proxytest, mosn, java, strict/,
    );
  });

  it("differ by the marker 0.2.100, five functions, the buffer of Redis answers and the allocator's rights", () => {
    const [envoy, higress] = [profileByName("envoy"), profileByName("higress")];
    const extra = hostSignatures.filter(
      ({ name, module }) =>
        module === "env" &&
        findHostFunction({ module: "env", name }, "0.2.1", envoy.groups) === undefined &&
        findHostFunction({ module: "env", name }, "0.2.1", higress.groups) !== undefined,
    );

    expect(extra.map(({ name }) => name)).toEqual([
      "proxy_redis_init",
      "proxy_redis_call",
      "proxy_inject_encoded_data_to_filter_chain",
      "proxy_get_upstream_hosts",
      "proxy_set_upstream_override_host",
    ]);
    expect([envoy.abiVersions.has("0.2.100"), higress.abiVersions.has("0.2.100")]).toEqual([
      false,
      true,
    ]);
    expect([envoy.bufferTypeMax, higress.bufferTypeMax]).toEqual([8, 9]);
    expect([envoy.restrictsAllocator, higress.restrictsAllocator]).toEqual([true, false]);
  });

  it("offer only functions that exist", () => {
    const broken = hostSignatures.filter(
      (signature) => typeof hostFunction(signature) !== "function",
    );

    expect(broken).toEqual([]);
  });

  it("offer WASI under both of its names and nothing under others", () => {
    const { groups } = profileByName("envoy");
    const found = (module: string): boolean =>
      findHostFunction({ module, name: "fd_write" }, "0.2.1", groups) !== undefined;

    expect([found("wasi_snapshot_preview1"), found("wasi_unstable")]).toEqual([true, true]);
    expect([found("env"), found("wasi"), found("toString")]).toEqual([false, false, false]);
  });

  it("allow in start functions what Envoy allows", () => {
    const env = hostSignatures
      .filter(({ module, inStart }) => module === "env" && inStart)
      .map(({ name }) => name);
    const refused = hostSignatures
      .filter(({ module, inStart }) => module === "wasi" && !inStart)
      .map(({ name }) => name);
    const inAllocator = hostSignatures
      .filter((signature) => signature.inAllocator)
      .map(({ name }) => name);

    expect(env).toEqual(["proxy_log", "emscripten_notify_memory_growth"]);
    expect(refused.sort()).toEqual([
      "fd_close",
      "fd_read",
      "fd_seek",
      "path_open",
      "proc_exit",
      "sched_yield",
    ]);
    expect(inAllocator.sort()).toEqual(["clock_time_get", "fd_write", "poll_oneoff", "proxy_log"]);
  });
});
