/** Builds the foreign plugins into `.cache/foreign`, each once per state of its sources and compiler. */
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { cppModule, higressModule, higressPlugins, type HigressPlugin } from "./downloads.ts";
import { goVersion, run, rustEnvironment, rustVersion } from "./toolchains.ts";

const root = resolve(import.meta.dirname, "../..");
const out = join(root, ".cache/foreign");

/** How each module is made. A Go module comes in two forms: as wasm-go makes it, and with a second ABI marker. */
const recipes = {
  go_hello: { language: "go", folder: "go-hello", variant: "" },
  go_hello_stock: { language: "go", folder: "go-hello", variant: "stock_envoy" },
  go_metrics_reporter: { language: "go", folder: "go-metrics-reporter", variant: "" },
  go_metrics_reporter_stock: {
    language: "go",
    folder: "go-metrics-reporter",
    variant: "stock_envoy",
  },
  rust_add_header: {
    language: "rust",
    folder: "rust-add-header",
    variant: "wasm32-unknown-unknown",
  },
  rust_add_header_wasip1: { language: "rust", folder: "rust-add-header", variant: "wasm32-wasip1" },
  rust_lease: { language: "rust", folder: "rust-lease", variant: "wasm32-unknown-unknown" },
  rust_lease_wasip1: { language: "rust", folder: "rust-lease", variant: "wasm32-wasip1" },
} as const satisfies Record<string, Recipe>;

interface Recipe {
  readonly language: "go" | "rust";
  readonly folder: string;
  /** Go: the build tag; Rust: the target. */
  readonly variant: string;
}

type BuiltName = keyof typeof recipes;

export type ForeignName = BuiltName | HigressPlugin | "mosn_cpp_abi010";

export const foreignNames: readonly ForeignName[] = [
  ...(Object.keys(recipes) as BuiltName[]),
  ...(Object.keys(higressPlugins) as HigressPlugin[]),
  "mosn_cpp_abi010",
];

/** Made here, not fetched. */
export function isBuilt(name: ForeignName): name is BuiltName {
  return name in recipes;
}

/** Absolute path of a module: fetched when it is not there, built when its sources have changed. */
export function foreignModule(name: ForeignName): string {
  if (name === "mosn_cpp_abi010") return cppModule();
  return isBuilt(name) ? builtModule(name) : higressModule(name);
}

function builtModule(name: BuiltName): string {
  const recipe: Recipe = recipes[name];
  const source = join(import.meta.dirname, recipe.folder);
  const version = recipe.language === "go" ? goVersion(source) : rustVersion(source);
  const path = join(out, `${name}.wasm`);
  const stamp = join(out, `${name}.stamp`);
  const state = stateOf(recipe, source, version);
  if (existsSync(path) && existsSync(stamp) && readFileSync(stamp, "utf8") === state) return path;
  mkdirSync(out, { recursive: true });
  process.stderr.write(
    `building ${name} with ${version}; the first one in a language takes a minute or more\n`,
  );
  if (recipe.language === "go") buildGo(recipe, source, path);
  else buildRust(recipe, source, path);
  writeFileSync(stamp, state);
  return path;
}

function buildGo(recipe: Recipe, source: string, path: string): void {
  const tags = recipe.variant === "" ? [] : ["-tags", recipe.variant];
  const args = ["build", "-trimpath", ...tags, "-buildmode=c-shared", "-o", path, "."];
  run({ command: "go", args, folder: source, environment: { GOOS: "wasip1", GOARCH: "wasm" } });
}

function buildRust(recipe: Recipe, source: string, path: string): void {
  const target = join(out, "cargo-target");
  const args = [
    "build",
    "--release",
    "-Z",
    "build-std=std,panic_abort",
    "--target",
    recipe.variant,
  ];
  const environment = { ...rustEnvironment, CARGO_TARGET_DIR: target };
  run({ command: "/usr/bin/cargo", args, folder: source, environment });
  copyFileSync(
    join(target, recipe.variant, "release", `${recipe.folder.replaceAll("-", "_")}.wasm`),
    path,
  );
}

function stateOf(recipe: Recipe, source: string, version: string): string {
  const hash = createHash("sha256").update(JSON.stringify(recipe)).update(version);
  for (const file of [join(import.meta.dirname, "Cargo.toml"), ...filesOf(source)])
    hash.update(readFileSync(file));
  return `${hash.digest("hex")}\n`;
}

function filesOf(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? filesOf(path) : [path]));
}
