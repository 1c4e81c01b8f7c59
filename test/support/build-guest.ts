/** Compiles AssemblyScript guests in process, once per content: sources, SDK, transform and options. */
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";

export const root = resolve(import.meta.dirname, "../..");
const cache = join(root, ".cache/guests");

export interface BuildOptions {
  /** The entry, relative to the repository root. */
  readonly entry: string;
  /** Further asc arguments, as on its command line. */
  readonly args?: readonly string[];
  /** The asconfig to use, relative to the repository root; `false`: none. Default: the shipped one. */
  readonly config?: string | false;
}

export interface Built {
  /** Absolute path of the module. */
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Builds a guest, or takes it from the cache; throws with asc's messages when it does not compile. */
export async function buildGuest(options: BuildOptions): Promise<Built> {
  const key = contentKey(options);
  const path = join(cache, `${key}.wasm`);
  if (!existsSync(path)) {
    const outcome = await compile(options, path);
    if (outcome.failed)
      throw new Error(`asc: ${options.entry} does not compile\n${outcome.stderr}`);
  }
  return { path, bytes: new Uint8Array(readFileSync(path)) };
}

/** Compiles without the cache and hands back what asc said. */
export async function compile(
  options: BuildOptions,
  path: string,
): Promise<{ failed: boolean; stderr: string }> {
  const asc = (await import("assemblyscript/asc")).default;
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}`;
  let stderr = "";
  // asc reads ./asconfig.json unless another is named; a file that does not exist is none.
  const config =
    options.config === false
      ? ["--config", "no-asconfig.json"]
      : ["--config", options.config ?? "asconfig.json"];
  const { error } = await asc.main(
    [options.entry, ...config, "--outFile", relative(root, temporary), ...(options.args ?? [])],
    {
      stdout: { write: () => true },
      stderr: {
        write: (text: string | Uint8Array) => {
          stderr += typeof text === "string" ? text : Buffer.from(text).toString();
          return true;
        },
      },
      readFile: (name: string, base: string) => {
        const file = resolve(root, base, name);
        return existsSync(file) ? readFileSync(file, "utf8") : null;
      },
      writeFile: (name: string, contents: string | Uint8Array, base: string) => {
        writeFileSync(resolve(root, base, name), contents);
      },
      listFiles: (name: string, base: string) => {
        const folder = resolve(root, base, name);
        if (!existsSync(folder)) return null;
        return readdirSync(folder).filter(
          (file) => file.endsWith(".ts") && !file.endsWith(".d.ts"),
        );
      },
    },
  );
  const failed = error !== null;
  if (!failed) renameSync(temporary, path);
  // asc colours its messages where the environment asks for it, as some CI does.
  return { failed, stderr: stripVTControlCharacters(stderr) };
}

function contentKey(options: BuildOptions): string {
  const hash = createHash("sha256");
  hash.update(JSON.stringify(options));
  for (const folder of ["assembly", "transform", dirname(options.entry)]) {
    for (const file of sources(join(root, folder))) hash.update(file).update(readFileSync(file));
  }
  for (const file of ["asconfig.json", "package-lock.json"])
    hash.update(readFileSync(join(root, file)));
  return hash.digest("hex").slice(0, 32);
}

function sources(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      if (name === "node_modules" || name === "build") return [];
      if (statSync(path).isDirectory()) return sources(path);
      return /\.(ts|js|json)$/.test(name) && !name.endsWith(".test.ts") ? [path] : [];
    });
}
