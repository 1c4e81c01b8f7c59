// Other hosts that run the same module: the emulator of the Go SDK and the Rust host crate. Each is built once, into
// .cache/bench; what cannot be built here is named with the reason, and its lines are left out.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./measure.js";

const out = join(root, ".cache/bench");
const recipes = {
  "Go emulator": {
    folder: "bench/rivals/go",
    command: ["go", "build", "-o", join(out, "go-rival"), "."],
    binary: join(out, "go-rival"),
    env: {},
  },
  "Rust host crate": {
    folder: "bench/rivals/rust",
    command: ["cargo", "build", "--release", "--quiet"],
    binary: join(out, "rust-rival/release/rival"),
    // Debian's Rust 1.96 (rustc-web, cargo-web) stands here; another toolchain may come first on the PATH.
    env: { CARGO_TARGET_DIR: join(out, "rust-rival"), PATH: `/usr/bin:${process.env.PATH}` },
  },
};

/** The rivals that can be built, by name: a function from (kind, module, count, warm-up) to nanoseconds for each. */
export function rivals() {
  mkdirSync(out, { recursive: true });
  const built = {};
  for (const [name, { folder, command, binary, env }] of Object.entries(recipes)) {
    const [program, ...args] = command;
    const run = spawnSync(program, args, {
      cwd: join(root, folder),
      env: { ...process.env, ...env },
      encoding: "utf8",
    });
    if (run.status !== 0) {
      const why = run.error?.message ?? run.stderr.trim().split("\n").at(-1);
      console.log(`${name}: cannot be built here: ${command.join(" ")}: ${why}`);
      continue;
    }
    built[name] = (kind, wasm, count, warmUp) => nanoseconds(binary, kind, wasm, count, warmUp);
  }
  return built;
}

function nanoseconds(binary, kind, wasm, count, warmUp) {
  const run = spawnSync(binary, [kind, wasm, String(count), String(warmUp)], { encoding: "utf8" });
  if (run.status !== 0) throw new Error(`${binary} ${kind}: ${run.stderr}`);
  return Number(run.stdout);
}
