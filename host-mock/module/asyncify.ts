import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execPath, stderr } from "node:process";
import { fileURLToPath } from "node:url";
import { wasm } from "../abi/wasm-api.ts";
import { MockHostError } from "../errors.ts";
import { readCached, writeCached } from "./cache-folder.ts";
import { exportGlobals } from "./export-globals.ts";
import type { LoadedModule } from "./load.ts";
import { boundMemory } from "./memory-limit.ts";
import { readSections } from "./sections.ts";

/** What has changed in how modules are rewritten; older results in the cache are not found any more. */
const edition = 2;
/** Above it the pass takes longer than somebody waits without a word, and its result is not optimised. */
const largeBytes = 400_000;
/** A Go module of 2.6 MB takes a minute or two. */
const bytesPerSecond = 40_000;

/** Imports as `MODULE.NAME`. */
export interface AsyncifyOptions {
  readonly imports: readonly string[];
  /** Told before work of more than some seconds; by default the line goes to stderr. */
  readonly announce?: (line: string) => void;
}

/**
 * The module rewritten so that a running callback can be left at a call of the given imports and entered again later,
 * with its mutable globals exported. Only what can reach one of these imports is changed, so list no more than needed.
 *
 * The result is kept on disk (`cacheFolder`) under the module's hash and the list. The pass is binaryen's Asyncify: of a
 * native `wasm-opt` where one is on the path, else of the `assemblyscript` package.
 *
 * E_UNSUPPORTED where neither is there, or the pass fails.
 *
 *     const stepped = asyncify(loaded, { imports: ["env.proxy_get_shared_data"] });
 */
export function asyncify(loaded: LoadedModule, options: AsyncifyOptions): LoadedModule {
  const imports = [...options.imports].sort();
  const key = createHash("sha256").update(`${edition} ${loaded.hash} ${imports.join(" ")}`);
  const name = `${key.digest("hex").slice(0, 40)}.wasm`;
  const cached = compiled(readCached(name));
  if (cached !== undefined) return stepped(loaded, cached.bytes, cached.module);
  if (loaded.bytes.length > largeBytes) announceWork(loaded, options.announce);
  const { bytes } = boundMemory(rewritten(loaded, imports));
  const made = compiled(bytes);
  if (made === undefined) {
    throw new MockHostError("E_UNSUPPORTED", "the module cannot be stepped", {
      place: loaded.name,
      remedy: "what the Asyncify pass made of it does not compile in this Node",
    });
  }
  writeCached(name, bytes);
  return stepped(loaded, bytes, made.module);
}

function announceWork({ name, bytes }: LoadedModule, announce: AsyncifyOptions["announce"]): void {
  const size = (bytes.length / 1e6).toFixed(1);
  const seconds = Math.ceil(bytes.length / bytesPerSecond / 10) * 10;
  const line = `${name}: preparing ${size} MB for stepping, once; about ${seconds} s`;
  if (announce === undefined) stderr.write(`${line}\n`);
  else announce(line);
}

/** A damaged file in the cache is as good as none. */
function compiled(bytes: Uint8Array<ArrayBuffer> | undefined) {
  if (bytes === undefined) return undefined;
  try {
    return { bytes, module: new wasm.Module(bytes) };
  } catch {
    return undefined;
  }
}

/** Offsets of the rewritten module say nothing of the author's file, so no source map is looked for. */
function stepped(
  loaded: LoadedModule,
  bytes: Uint8Array<ArrayBuffer>,
  module: LoadedModule["module"],
): LoadedModule {
  const { exports } = readSections(bytes);
  return { ...loaded, bytes, module, exports, path: null, originalOffset: (offset) => offset };
}

function rewritten(loaded: LoadedModule, imports: readonly string[]): Uint8Array<ArrayBuffer> {
  const folder = mkdtempSync(join(tmpdir(), "proxy-wasm-as-asyncify-"));
  try {
    const [input, output] = [join(folder, "in.wasm"), join(folder, "out.wasm")];
    writeFileSync(input, exportGlobals(loaded.bytes));
    const optimise = loaded.bytes.length <= largeBytes;
    const job = { input, output, imports: imports.join(","), optimise };
    let done = runNative(job);
    if (done.error !== undefined || done.status !== 0) done = runBinaryen(job);
    if (done.error !== undefined || done.status !== 0) throw passFailed(loaded, done);
    return new Uint8Array(readFileSync(output));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Job {
  readonly input: string;
  readonly output: string;
  readonly imports: string;
  readonly optimise: boolean;
}

type Finished = SpawnSyncReturns<string>;

/** Features that Node 20 loads; with all of them binaryen writes an encoding that it does not. */
const nativeFeatures = [
  ...["mutable-globals", "bulk-memory", "sign-ext", "nontrapping-float-to-int"],
  ...["simd", "reference-types", "multivalue"],
].map((feature) => `--enable-${feature}`);

function runNative({ input, output, imports, optimise }: Job): Finished {
  const passes = ["--asyncify", `--pass-arg=asyncify-imports@${imports}`];
  const level = optimise ? ["-O1"] : [];
  const args = [input, "-o", output, "-g", ...nativeFeatures, ...passes, ...level];
  return spawnSync("wasm-opt", args, { encoding: "utf8" });
}

/** Runs in a process of its own: binaryen takes a second to load and some 100 MB, and loads asynchronously. */
const binaryenScript = `
import binaryen from "assemblyscript/binaryen";
import { readFileSync, writeFileSync } from "node:fs";
const { input, output, imports, optimise } = JSON.parse(process.argv[1]);
const module = binaryen.readBinary(readFileSync(input));
const { Features } = binaryen;
const names = ["MutableGlobals", "BulkMemory", "BulkMemoryOpt", "SignExt", "NontrappingFPToInt",
  "SIMD128", "ReferenceTypes", "Multivalue"];
module.setFeatures(names.reduce((all, name) => all | (Features[name] ?? 0), 0));
binaryen.setDebugInfo(true);
binaryen.setPassArgument("asyncify-imports", imports);
binaryen.setOptimizeLevel(optimise ? 1 : 0);
binaryen.setShrinkLevel(0);
module.runPasses(["asyncify"]);
if (optimise) module.optimize();
writeFileSync(output, module.emitBinary());
`;

function runBinaryen(job: Job): Finished {
  const args = ["--input-type=module", "-e", binaryenScript, JSON.stringify(job)];
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  return spawnSync(execPath, args, { cwd, encoding: "utf8" });
}

function passFailed(loaded: LoadedModule, { stderr: said, error }: Finished): MockHostError {
  const isMissing = /Cannot find package 'assemblyscript'/.test(said ?? "");
  const [reason] = (said ?? "").split("\n").filter((line) => /error|assert/i.test(line));
  return new MockHostError("E_UNSUPPORTED", "the module cannot be stepped", {
    place: loaded.name,
    remedy: isMissing
      ? "install assemblyscript, whose binaryen rewrites it, or put binaryen's wasm-opt on the path"
      : `binaryen's Asyncify failed: ${(reason ?? error?.message ?? "no message").slice(0, 200)}`,
  });
}
