import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { callbackTypes } from "../../host-mock/abi/callbacks.ts";
import * as host from "../../host-mock/abi/enums.ts";
import { hostSignatures } from "../../host-mock/abi/signatures.ts";
import { Status } from "../../host-mock/abi/status.ts";
import { readSections } from "../../host-mock/module/sections.ts";
import { buildGuest, root } from "../support/build-guest.ts";

const read = (file: string): string => readFileSync(join(root, "assembly/abi", file), "utf8");

/** An enum of the SDK as name → value. */
function enumOf(name: string): Record<string, number> {
  const body = new RegExp(`export enum ${name} \\{([^}]*)\\}`).exec(read("enums.ts"))?.[1];
  if (body === undefined) throw new Error(`assembly/abi/enums.ts has no enum ${name}`);
  return Object.fromEntries(
    [...body.matchAll(/(\w+) = (\d+)/g)].map(([, key, value]) => [key!, Number(value)]),
  );
}

/** The declared imports of a file as `module.name` → wasm types of its parameters. */
function importsOf(file: string): Map<string, string[]> {
  const declared = /@external\("(\w+)", "(\w+)"\)\nexport declare function (\w+)\(([^)]*)\): u32;/g;
  const found = new Map<string, string[]>();
  for (const [, module, name, alias, parameters] of read(file).matchAll(declared)) {
    expect(alias).toBe(name);
    const types = [...parameters!.matchAll(/: (\w+)/g)].map(([, type]) =>
      type!.endsWith("64") ? "i64" : "i32",
    );
    found.set(`${module!}.${name!}`, types);
  }
  return found;
}

describe("numbers of the SDK and of the host", () => {
  test.each([
    ["Status", Status, {}],
    ["HeadersAction", host.HeadersAction, {}],
    ["DataAction", host.DataAction, {}],
    ["MetricType", host.MetricType, {}],
    ["StreamType", host.StreamType, {}],
    [
      "BufferType",
      host.BufferType,
      { GrpcReceiveBuffer: "GrpcReceive", RedisCallResponse: "RedisResponse" },
    ],
    ["MapType", host.HeaderMapType, {}],
  ])("are the same in %s", (name, table, renamed: Record<string, string>) => {
    // The SDK says which bodies and headers are HTTP's; the host has no others.
    const short = (key: string): string =>
      renamed[key] ?? key.replace(/^Http(?=Request|Response)/, "");

    const named = Object.entries(enumOf(name)).map(([key, value]) => [short(key), value]);
    expect(Object.fromEntries(named)).toEqual(table);
  });

  test("are the same for log levels, off included", () => {
    const names = Object.entries(enumOf("LogLevel"))
      .sort(([, a], [, b]) => a - b)
      .map(([name]) => name.toLowerCase());

    expect(names).toEqual(host.logLevelNames);
  });

  test("are the same for those results of WASI that the SDK knows", () => {
    const known: Record<string, number> = host.Errno;
    for (const [name, value] of Object.entries(enumOf("Errno"))) {
      if (Object.hasOwn(known, name)) expect(value).toBe(known[name]);
    }
  });
});

describe("imports of the SDK and functions of the host", () => {
  const typesOf = (file: string): [string, string[]][] => [...importsOf(file)].sort();
  const offered = (group: string): [string, string[]][] =>
    hostSignatures
      .filter(({ module, versions }) => module === "env" && versions.has("0.2.1"))
      .filter((signature) => signature.group === group && signature.name.startsWith("proxy_"))
      .map(({ name, type }): [string, string[]] => [`env.${name}`, [...type.params]])
      .sort();

  test("of ABI 0.2.1 are the same, with the same types", () => {
    const declared = [...typesOf("imports.ts"), ...typesOf("proxy-log.ts")].sort();

    expect(declared).toEqual(offered("proxy-wasm"));
    expect(declared.length).toBe(39);
  });

  test("that only Higress has are the same, with the same types", () => {
    expect(typesOf("higress.ts")).toEqual(offered("higress"));
  });

  test("of WASI are among the host's, with the same types", () => {
    for (const [name, types] of typesOf("wasi.ts")) {
      const wanted = hostSignatures.find(
        (signature) =>
          signature.module === "wasi" && `wasi_snapshot_preview1.${signature.name}` === name,
      );
      expect(wanted?.type).toEqual({ params: types, results: ["i32"] });
    }
  });
});

describe("callbacks of the SDK and of the host", () => {
  // Not in the text of ABI 0.2.1: a host calls them, and no SDK exports them.
  const beyondTheText = new Set([
    "proxy_on_request_metadata",
    "proxy_on_response_metadata",
    "proxy_validate_configuration",
  ]);
  let exported: Map<string, unknown>;

  beforeAll(async () => {
    const built = await buildGuest({
      entry: "test/guests/every-callback/plugin.guest.ts",
      args: ["-O3", "--runtime", "incremental"],
      config: false,
    });
    exported = new Map(readSections(built.bytes).exports.map((entry) => [entry.name, entry.type]));
  });

  test("have the same names and types", () => {
    const looked = callbackTypes("0.2.1", new Set(["proxy-wasm", "higress"]));
    const wanted = [...looked].filter(([name]) => !beyondTheText.has(name)).sort();
    const ours = [...exported]
      .filter(([name]) => /^proxy_on_(?!memory_allocate)/.test(name))
      .sort();

    expect(ours).toEqual(wanted);
  });
});
