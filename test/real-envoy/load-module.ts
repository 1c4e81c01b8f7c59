/** A real Envoy with one module and nothing else: does it come up, and what does it say? */
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Loading } from "../conformance/load-module.ts";
import { startLogged } from "./children.ts";
import { get } from "./http-client.ts";
import { installEnvoy } from "./install.ts";
import { address, anyPort } from "./json.ts";
import { bootstrapService } from "./plugin-config.ts";
import { PluginLog } from "./plugin-log.ts";

const patienceMs = 60_000;
/** Workers get their plugins just after Envoy calls itself ready. */
const workersMs = 50;
const name = "module";

export async function loadInEnvoy(bytes: Uint8Array): Promise<Loading> {
  const folder = mkdtempSync(join(tmpdir(), "proxy-wasm-as-loading-"));
  try {
    writeFileSync(join(folder, "module.wasm"), bytes);
    return await outcome(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function outcome(folder: string): Promise<Loading> {
  const child = start(folder);
  const ended = new Promise<NodeJS.Signals | number>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(signal ?? code ?? 0));
  });
  const end = await Promise.race([ended, served(join(folder, "admin"), child)]);
  if (end === undefined) {
    await sleep(workersMs);
    child.kill("SIGTERM");
    await ended;
  }
  const log = new PluginLog(join(folder, "log"), child.pid ?? 0, [
    { name, rootId: name, vmId: "" },
  ]);
  const lines = log.take();
  const logged = lines.length > 0 ? lines : log.lines;
  log.close();
  if (end === undefined) return { outcome: "accepted", logged };
  return { outcome: typeof end === "number" ? "refused" : "crashed", logged };
}

function start(folder: string): ChildProcess {
  const wasm = join(folder, "module.wasm");
  const spec = { name, rootId: name, wasm, vmConfiguration: "abc", kind: "service" } as const;
  const config = {
    admin: { address: address(anyPort) },
    bootstrap_extensions: [bootstrapService(spec)],
  };
  writeFileSync(join(folder, "envoy.json"), JSON.stringify(config));
  const args = ["-c", join(folder, "envoy.json"), "--concurrency", "1", "--disable-hot-restart"];
  args.push("--admin-address-path", join(folder, "admin"));
  args.push("-l", "warning", "--component-log-level", "wasm:debug");
  args.push("--log-format", "[%H:%M:%S.%f][%t][%l][%n] %v");
  return startLogged({ command: installEnvoy(), args, log: join(folder, "log") });
}

/** Undefined once Envoy is ready; never, when it ends before. */
async function served(adminPath: string, child: ChildProcess): Promise<undefined> {
  const end = performance.now() + patienceMs;
  while (performance.now() < end) {
    const port = existsSync(adminPath) ? Number(readFileSync(adminPath, "utf8").split(":")[1]) : 0;
    const answer = port > 0 ? await get(port, "/ready").catch(() => undefined) : undefined;
    if (answer?.status === 200) return undefined;
    if (child.exitCode !== null || child.signalCode !== null) return new Promise(() => undefined);
    await sleep(20);
  }
  throw new Error("Envoy neither came up nor ended within a minute");
}
