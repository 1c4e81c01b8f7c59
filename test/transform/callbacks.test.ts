import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { newOptions, newProgram, parse } from "assemblyscript";
import { describe, expect, it, vi } from "vitest";
import { answeredBy } from "../../transform/answered-by.js";
import { buildGuest, root } from "../support/build-guest.ts";
import { exportNames, importNames } from "../support/module-face.ts";

// Each guest is compiled when its content is new.
vi.setConfig({ testTimeout: 240_000 });

/** What every plugin exports, in the order of the SDK's files. */
const base = [
  "proxy_abi_version_0_2_1",
  "proxy_on_memory_allocate",
  "proxy_on_context_create",
  "proxy_on_vm_start",
  "proxy_on_configure",
  "proxy_on_done",
  "proxy_on_delete",
];

/** The exports of a guest in test/guests/transform-callbacks beyond those. */
async function callbacksOf(name: string, args: readonly string[] = []): Promise<string[]> {
  const { bytes } = await buildGuest({
    entry: `test/guests/transform-callbacks/${name}.guest.ts`,
    args,
  });
  const names = exportNames(bytes);
  for (const one of [...base, "memory", "_initialize"]) expect(names).toContain(one);
  return names.filter((one) => ![...base, "memory", "_initialize"].includes(one));
}

describe("a plugin exports the callbacks it answers and no other:", () => {
  it.each([
    ["request-headers", ["proxy_on_request_headers"]],
    ["response-headers", ["proxy_on_response_headers"]],
    ["stream-done", ["proxy_on_log"]],
    ["tick", ["proxy_on_tick"]],
    ["election", ["proxy_on_tick"]],
    ["call", ["proxy_on_request_headers", "proxy_on_http_call_response"]],
    ["configuration-alone", []],
    ["words-alone", []],
    ["through-a-file", ["proxy_on_request_headers"]],
    ["own-callback", ["proxy_on_tick"]],
    [
      "slots",
      [
        "proxy_on_queue_ready",
        "proxy_on_grpc_receive_initial_metadata",
        "proxy_on_grpc_receive",
        "proxy_on_grpc_receive_trailing_metadata",
        "proxy_on_grpc_close",
        "proxy_on_new_connection",
        "proxy_on_downstream_data",
        "proxy_on_downstream_connection_close",
        "proxy_on_upstream_data",
        "proxy_on_upstream_connection_close",
      ],
    ],
  ])("%s", async (name, callbacks) => {
    expect(await callbacksOf(name)).toEqual(callbacks);
  });

  it("the same in a debug build", async () => {
    const callbacks = await callbacksOf("call", ["--debug", "--optimizeLevel", "0"]);

    expect(callbacks).toEqual(["proxy_on_request_headers", "proxy_on_http_call_response"]);
  });
});

describe("the marker", () => {
  it("is 0.2.100, and no other, when the module is built for Higress", async () => {
    const { bytes } = await buildGuest({
      entry: "test/guests/transform-callbacks/request-headers.guest.ts",
      args: ["--target", "higress"],
    });

    const names = exportNames(bytes);
    expect(names.filter((name) => name.startsWith("proxy_abi_version"))).toEqual([
      "proxy_abi_version_0_2_100",
    ]);
  });

  it("keeps the redirected abort in a module built for Higress", async () => {
    const { bytes } = await buildGuest({
      entry: "test/guests/transform-callbacks/request-headers.guest.ts",
      args: ["--target", "higress"],
    });

    const imports = importNames(bytes);
    expect(imports).toContain("env.proxy_log");
    expect(imports.filter((name) => !name.startsWith("env.proxy_"))).toEqual([]);
  });
});

describe("the table of names", () => {
  const callbackFiles = readdirSync(join(root, "assembly/abi"))
    .filter((file) => file.startsWith("on-"))
    .map((file) => file.replace(/\.ts$/, ""));

  it("knows each callback file of the SDK", () => {
    expect([...answeredBy.keys()].sort()).toEqual(callbackFiles.sort());
  });

  it("has a name for each callback whose slot the SDK fills, and for no other", () => {
    const filled = new Set(sdkSources().flatMap(({ text }) => slotsFilledIn(text)));

    const named = [...answeredBy].filter(([, names]) => names.length > 0).map(([file]) => file);
    const answered = callbackFiles.filter((file) =>
      slotsReadIn(file).some((slot) => filled.has(slot)),
    );
    expect(answered.length).toBeGreaterThan(3);
    expect(named.sort()).toEqual(answered.sort());
  });

  it("names calls that the SDK has", () => {
    const text = sdkSources()
      .map((source) => source.text)
      .join("\n");

    const declaration = (name: string) =>
      new RegExp(`^(export (function|class) ${name}\\b|  ${name}[<(])`, "m");
    const names = [...answeredBy.values()].flat();
    expect(names.filter((name) => !declaration(name).test(text))).toEqual([]);
  });
});

/** The rooms above abi/, whose features fill slots. */
function sdkSources(): { text: string }[] {
  return ["wrapper", "proxywasm", "election"].flatMap((room) => {
    const folder = join(root, "assembly", room);
    return readdirSync(folder).map((file) => ({ text: readFileSync(join(folder, file), "utf8") }));
  });
}

/** `slots.tick = …`, read from the syntax tree: a comment fills nothing. */
function slotsFilledIn(text: string): string[] {
  const program = newProgram(newOptions());
  parse(program, text, "sdk.ts", true);
  const source = program.sources.at(-1);
  const found: string[] = [];
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (node === null || typeof node !== "object" || !("range" in node)) return;
    if ("left" in node && "right" in node) {
      const slot = slotIn(node.left);
      if (slot !== null) found.push(slot);
    }
    for (const [key, value] of Object.entries(node)) if (key !== "range") walk(value);
  };
  walk(source?.statements);
  return found;
}

/** The name of a slot, when the node is `slots.name` or `….slots.name`. */
function slotIn(node: unknown): string | null {
  const { expression, property } = node as Access;
  const object = expression?.property?.text ?? expression?.text;
  return object === "slots" && property ? property.text : null;
}

/** What a property access has, and an identifier. */
interface Access {
  readonly text?: string;
  readonly property?: { readonly text: string };
  readonly expression?: Access;
}

function slotsReadIn(file: string): string[] {
  const text = readFileSync(join(root, "assembly/abi", `${file}.ts`), "utf8");
  return [...text.matchAll(/\.slots\.(\w+)/g)].map((match) => match[1]!);
}
