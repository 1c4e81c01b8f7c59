/** Packs the repository and installs the tarball as a user would, without a network. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/build-guest.ts";

/** Where a registry would be. Nothing listens there: a test that asked it would fail. */
const noRegistry = "http://127.0.0.1:9";

export interface Packed {
  /** The package's own tarball. */
  readonly tarball: string;
  /** Paths inside it. */
  readonly files: readonly string[];
  /** Package name → tarball, for each runtime dependency. */
  readonly dependencies: ReadonlyMap<string, string>;
}

interface LockFile {
  readonly packages: Readonly<
    Record<string, { readonly dependencies?: Readonly<Record<string, string>> } | undefined>
  >;
}

/**
 * Runs `npm pack` (with the build it begins with), and packs the dependencies out of node_modules.
 */
export function pack(folder: string): Packed {
  mkdirSync(folder, { recursive: true });
  const [own] = npmPack(folder, ["."]);
  const names = runtimeDependencies();
  const packed = npmPack(folder, [
    "--ignore-scripts",
    ...names.map((name) => `./node_modules/${name}`),
  ]);
  return {
    tarball: join(folder, own!.filename),
    files: own!.files.map((file) => file.path),
    dependencies: new Map(packed.map((one) => [one.name, join(folder, one.filename)])),
  };
}

/** Copies the user's project and installs the package there. `nested`: no dependency is hoisted. */
export function install(packed: Packed, folder: string, strategy: "hoisted" | "nested"): void {
  cpSync(join(import.meta.dirname, "fixtures/project"), folder, { recursive: true });
  const manifest = {
    name: "greeter",
    private: true,
    type: "module",
    dependencies: { "proxy-wasm-as": `file:${packed.tarball}` },
    overrides: Object.fromEntries(
      [...packed.dependencies].map(([name, path]) => [name, `file:${path}`]),
    ),
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  npm(folder, [
    "install",
    "--offline",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    "--legacy-peer-deps",
    `--install-strategy=${strategy}`,
    `--registry=${noRegistry}`,
    `--cache=${join(folder, ".npm")}`,
  ]);
  // The peer is the user's own: 100 MB that need no second copy.
  symlinkSync(
    join(root, "node_modules/assemblyscript"),
    join(folder, "node_modules/assemblyscript"),
  );
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
  symlinkSync("../assemblyscript/bin/asc.js", join(folder, "node_modules/.bin/asc"));
  const own = join(folder, "node_modules/proxy-wasm-as/package.json");
  if (!existsSync(own)) throw new Error(`npm did not install ${own}`);
}

function npmPack(
  folder: string,
  args: readonly string[],
): { name: string; filename: string; files: { path: string }[] }[] {
  const stdout = npm(root, ["pack", "--json", "--pack-destination", folder, ...args]);
  // The build that comes first may write to stdout as well.
  return JSON.parse(stdout.slice(stdout.indexOf("[\n"))) as ReturnType<typeof npmPack>;
}

/** What the package needs at run time, and what that needs, as the lock file has it. */
function runtimeDependencies(): string[] {
  const { packages } = JSON.parse(
    readFileSync(join(root, "package-lock.json"), "utf8"),
  ) as LockFile;
  const found = new Set<string>();
  const add = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const below of Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {}))
      add(below);
  };
  for (const name of Object.keys(packages[""]?.dependencies ?? {})) add(name);
  return [...found];
}

function npm(cwd: string, args: readonly string[]): string {
  const run = spawnSync("npm", args, { cwd, encoding: "utf8" });
  if (run.status !== 0) throw new Error(`npm ${args[0]} failed\n${run.stdout}\n${run.stderr}`);
  return run.stdout;
}
