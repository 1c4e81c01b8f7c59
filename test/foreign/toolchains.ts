/** The compilers that foreign plugins need: found or, for Rust, installed from Debian; missing ones are an error. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

export interface Run {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs a command to its end; throws with all it said when it fails. */
export function run({ command, args, folder, environment = {} }: Run): string {
  const env = { ...process.env, ...environment };
  const result = spawnSync(command, args, {
    cwd: folder,
    env,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  if (result.error === undefined && result.status === 0) return result.stdout;
  const why =
    result.error?.message ?? `exit ${String(result.status)}\n${result.stdout}${result.stderr}`;
  throw new Error(`${[command, ...args].join(" ")} in ${folder}: ${why}`);
}

/** Checks for a Go that knows wasip1 reactors (`-buildmode=c-shared`) and `go:wasmexport`; returns its version. */
export function goVersion(folder: string): string {
  const need = "make foreign needs Go >= 1.24 on the PATH";
  let said: string;
  try {
    said = run({ command: "go", args: ["env", "GOVERSION"], folder }).trim();
  } catch (error) {
    throw new Error(`${need}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  const [, major, minor] = /^go(\d+)\.(\d+)/.exec(said) ?? [];
  if (major !== "1" || Number(minor) < 24) throw new Error(`${need}: this one is ${said}`);
  return said;
}

const packages = ["rustc-web", "cargo-web", "rust-web-src", "lld", "wasi-libc"];
const landmarks = [
  "/usr/bin/cargo",
  "/usr/bin/rustc",
  "/usr/bin/wasm-ld",
  "/usr/lib/rustlib/src/rust/library/std/Cargo.toml",
  "/usr/lib/wasm32-wasi/libc.a",
];

/**
 * The standard library for wasm is built from Debian's Rust sources, which go with Debian's compiler of the very
 * same version: so `/usr/bin` comes before any other Rust on the PATH.
 */
export const rustEnvironment: Readonly<Record<string, string>> = {
  PATH: `/usr/bin:${process.env["PATH"] ?? ""}`,
  RUSTC_BOOTSTRAP: "1",
  CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: "wasm-ld",
  CARGO_TARGET_WASM32_WASIP1_LINKER: "wasm-ld",
  CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS: "-L native=/usr/lib/wasm32-wasi",
};

/** Installs Debian's Rust when it is not there; returns its version. */
export function rustVersion(folder: string): string {
  const version = (): string =>
    run({
      command: "/usr/bin/cargo",
      args: ["--version"],
      folder,
      environment: rustEnvironment,
    }).split(" (")[0] ?? "";
  if (landmarks.every(existsSync) && /^cargo 1\.(?:[89]\d|\d{3})/.test(version())) return version();
  const need = installed(packages, folder);
  const missing = landmarks.filter((path) => !existsSync(path));
  if (missing.length > 0)
    throw new Error(`${need}: they are installed, but not there: ${missing.join(" ")}`);
  return version();
}

/** Installs packages of Debian; returns what an error about them begins with. */
function installed(names: readonly string[], folder: string): string {
  const need = `make foreign needs Debian's ${names.join(" ")}`;
  try {
    run({ command: "apt-get", args: ["update", "-q"], folder });
    const args = ["install", "-q", "-y", "--no-install-recommends", ...names];
    run({ command: "apt-get", args, folder, environment: { DEBIAN_FRONTEND: "noninteractive" } });
  } catch (error) {
    throw new Error(`${need}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  return need;
}

const redisServer = "/usr/bin/redis-server";

/** Installs Debian's Redis when it is not there; returns its program. */
export function redisProgram(folder: string): string {
  if (existsSync(redisServer)) return redisServer;
  const need = installed(["redis-server"], folder);
  if (!existsSync(redisServer))
    throw new Error(`${need}: it is installed, but not there: ${redisServer}`);
  return redisServer;
}
