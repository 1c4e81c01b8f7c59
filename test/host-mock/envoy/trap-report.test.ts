import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MockEnvoy } from "../../../host-mock/envoy/mock-envoy.ts";
import type { TraceEvent } from "../../../host-mock/trace/event.ts";
import { compile, root } from "../../support/build-guest.ts";
import { rawPlugin } from "../../support/raw-guest.ts";

const source = "test/guests/trap-lines/plugin.guest.ts";
const folder = join(root, ".cache/guests", `trap-lines-${process.pid}`);
const mapped = join(folder, "mapped.wasm");
let map: string;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  const args = ["--runtime", "stub", "--sourceMap", "--use", "abort=", "--debug"];
  const { failed, stderr } = await compile({ entry: source, config: false, args }, mapped);
  if (failed) throw new Error(stderr);
  const [found] = readdirSync(folder).filter((name) => name.endsWith(".map"));
  map = readFileSync(join(folder, found!), "utf8");
  rmSync(join(folder, found!));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `FILE:LINE` of the line with that comment. */
function placeOf(comment: string): string {
  const lines = readFileSync(join(root, source), "utf8").split("\n");
  return `${source}:${lines.findIndex((line) => line.endsWith(`// ${comment}`)) + 1}`;
}

interface Report {
  readonly source: string | null;
  readonly function: string | null;
  readonly function_index: number | null;
  readonly frames: readonly string[];
  readonly calls: readonly string[];
  readonly source_map?: string;
}

/** The arguments of the one trap event that a request makes. */
function trapOf(wasm: string | Uint8Array, callback = "proxy_on_request_headers"): Report {
  const envoy = new MockEnvoy({ plugins: [{ name: "lines", wasm }] });
  envoy.start();
  const { root: context } = [...envoy.thread("worker_0").handles.values()][0]!;
  if (callback === "proxy_on_request_headers") envoy.thread("worker_0").request();
  else context!.owner.call(context!, callback, [context!.id]);
  const traps = envoy.trace.filter((event: TraceEvent) => event.event === "trap");
  expect(traps).toHaveLength(1);
  return traps[0]!.args as unknown as Report;
}

describe("a trap of a module with a source map beside it", () => {
  beforeAll(() => writeFileSync(`${mapped}.map`, map));

  test("tells the line, those of the callers, and the last host calls", () => {
    const report = trapOf(mapped);

    expect(report.source).toMatch(new RegExp(`^${placeOf("the end")}:\\d+$`));
    expect(report.function).toMatch(/\/descend$/);
    expect(report.frames.slice(0, 4)).toEqual([
      expect.stringContaining(`/descend (${placeOf("the end")}:`),
      ...Array.from({ length: 3 }, () => expect.stringContaining(`/descend (${source}:`)),
    ]);
    expect(report.calls).toEqual([
      'proxy_log(level=2, message="going down") Ok',
      "proxy_set_tick_period_milliseconds(period=0) Ok",
    ]);
    expect(report).not.toHaveProperty("source_map");
  });

  test("tells the plugin's own line where a library's function traps", () => {
    const report = trapOf(mapped, "proxy_on_tick");

    expect(report.frames[0]).toContain("(~lib/array.ts:");
    expect(report.source).toMatch(new RegExp(`^${placeOf("beyond the end")}:`));
  });

  test("tells where an inlined function's body stands", () => {
    expect(trapOf(mapped, "proxy_on_done").source).toMatch(new RegExp(`^${placeOf("inlined")}:`));
  });
});

describe("a source map", () => {
  test("is taken from the module itself where it stands there", () => {
    const named = join(folder, "inline.wasm");
    const url = `data:application/json;base64,${Buffer.from(map).toString("base64")}`;
    const bytes = withMappingUrl(readFileSync(mapped), url);
    writeFileSync(named, bytes);

    expect(trapOf(named).source).toContain(placeOf("the end"));
    expect(trapOf(new Uint8Array(bytes)).source).toContain(placeOf("the end"));
  });

  test("is found where the module says", () => {
    const elsewhere = join(folder, "elsewhere.wasm");
    mkdirSync(join(folder, "maps"));
    writeFileSync(join(folder, "maps/other.map"), map);
    writeFileSync(elsewhere, withMappingUrl(readFileSync(mapped), "./maps/other.map"));

    expect(trapOf(elsewhere).source).toContain(placeOf("the end"));
  });

  test("that is damaged is named, and the functions' names remain", () => {
    const damaged = join(folder, "damaged.wasm");
    copyFileSync(mapped, damaged);
    writeFileSync(`${damaged}.map`, "{ no json");

    const report = trapOf(damaged);

    expect(report.source).toBeNull();
    expect(report.source_map).toContain("damaged.wasm.map cannot be used: ");
    expect(report.function).toMatch(/\/descend$/);
  });

  test.each([
    ["a text that is no URL", "data:application/json,%zz"],
    ["no JSON", "data:application/json;base64,AAAA"],
  ])("in the module itself that is damaged is named: %s", (_, url) => {
    const report = trapOf(new Uint8Array(withMappingUrl(readFileSync(mapped), url)));

    expect(report.source).toBeNull();
    expect(report.source_map).toContain("its source map cannot be used: ");
    expect(report.function).toMatch(/\/descend$/);
  });

  test("whose place is damaged is named", () => {
    const whole = withMappingUrl(readFileSync(mapped), "x");
    // The name is longer than its section.
    whole[whole.length - 2] = 100;

    expect(trapOf(new Uint8Array(whole)).source_map).toContain("its source map cannot be used: ");
  });

  test("of an older build is left alone where the module names none", () => {
    const rebuilt = join(folder, "rebuilt.wasm");
    writeFileSync(rebuilt, withoutMappingUrl(readFileSync(mapped)));
    writeFileSync(`${rebuilt}.map`, map);

    const report = trapOf(rebuilt);

    expect(report.source).toBeNull();
    expect(report).not.toHaveProperty("source_map");
    expect(report.function).toMatch(/\/descend$/);
  });

  test("that is not there is named with the places where it was looked for", () => {
    const lonely = join(folder, "lonely.wasm");
    writeFileSync(lonely, withMappingUrl(readFileSync(mapped), "./maps/none.map"));

    const report = trapOf(lonely);

    expect(report.source).toBeNull();
    expect(report.source_map).toBe(
      `its source map cannot be found: no ${join(folder, "maps/none.map")}, no ${lonely}.map`,
    );
  });

  test("cannot be found from bytes alone, and that is said", () => {
    const bytes = withMappingUrl(readFileSync(mapped), "./bytes.wasm.map");

    const report = trapOf(new Uint8Array(bytes));

    expect(report.source).toBeNull();
    expect(report.source_map).toBe(
      "its source map ./bytes.wasm.map cannot be found: only the module's bytes were given",
    );
    expect(report.frames[0]).toMatch(/\/descend$/);
  });

  test("says nothing of code that it does not know", () => {
    const bare = join(folder, "bare.wasm");
    copyFileSync(mapped, bare);
    writeFileSync(
      `${bare}.map`,
      JSON.stringify({ version: 3, sources: [], names: [], mappings: "" }),
    );

    expect(trapOf(bare).source).toBeNull();
  });
});

describe("a trap in a library's code that the compiler inlined", () => {
  test("tells the plugin's own function where no place is its own", () => {
    const inlined = rawPlugin(
      `(func $~lib/abort/abortHook (unreachable))
       (func $assembly/boom/onRequest (call $~lib/abort/abortHook))
       (func (export "proxy_on_request_headers") (param i32 i32 i32) (result i32)
         (call $assembly/boom/onRequest) (i32.const 0))`,
      { names: true },
    );
    const everywhere = { version: 3, sources: ["~lib/array.ts"], names: [], mappings: libraryOnly };
    const url = `data:application/json,${encodeURIComponent(JSON.stringify(everywhere))}`;

    const { source: place, frames } = trapOf(new Uint8Array(withMappingUrl(inlined, url)));

    expect(frames[0]).toMatch(/^~lib\/abort\/abortHook \(~lib\/array\.ts:1:1\)$/);
    expect(place).toBe("~lib/array.ts:1:1 in assembly/boom/onRequest");
  });
});

const trapping = (names: boolean): Uint8Array =>
  rawPlugin(
    `(func $_RNvNtC8mypluginC3sub4fail (unreachable))
     (func $_RNvC8myplugin4fail (unreachable))
     (func (export "proxy_on_request_headers") (param i32 i32 i32) (result i32)
       (call $_RNvC8myplugin4fail) (i32.const 0))`,
    { names },
  );

describe("a trap of a module without a source map", () => {
  test("tells the function's name as Rust's author wrote it", () => {
    const report = trapOf(trapping(true));

    expect(report.function).toBe("myplugin::fail");
    expect(report.frames[0]).toBe("myplugin::fail");
  });

  test("tells the function's index where there are no names", () => {
    const report = trapOf(trapping(false));

    expect(report).toMatchObject({ function: null, source: null });
    expect(report.frames[0]).toBe(`function ${report.function_index}`);
  });
});

/** A mapping of each of the first 2000 bytes to the first source's first character. */
const libraryOnly = ["AAAA", ...Array<string>(1999).fill("CAAA")].join(",");

/** A module's bytes whose section of the map has another name, which nobody looks for. */
function withoutMappingUrl(bytes: Uint8Array): Buffer {
  const renamed = Buffer.from(bytes);
  const at = renamed.indexOf("sourceMappingURL");
  if (at >= 0) renamed[at] = "S".charCodeAt(0);
  return renamed;
}

/** A module's bytes with another `sourceMappingURL`; a name is not looked for twice. */
function withMappingUrl(bytes: Uint8Array, url: string): Buffer {
  const text = Buffer.from("sourceMappingURL");
  const renamed = withoutMappingUrl(bytes);
  const content = Buffer.concat([sized(text), sized(Buffer.from(url))]);
  return Buffer.concat([renamed, Buffer.from([0]), leb(content.length), content]);
}

function sized(bytes: Buffer): Buffer {
  return Buffer.concat([leb(bytes.length), bytes]);
}

function leb(value: number): Buffer {
  const rest = Math.floor(value / 128);
  return rest === 0
    ? Buffer.from([value])
    : Buffer.concat([Buffer.from([(value % 128) | 128]), leb(rest)]);
}
