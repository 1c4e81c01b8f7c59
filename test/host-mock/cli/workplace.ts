import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { runCommand } from "../../../host-mock/cli/program.ts";
import { collectors } from "./collecting-streams.ts";
import { beacon, writeModule } from "./guests.ts";

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The command, in process, with what it wrote. */
export async function simulate(...argv: string[]): Promise<Outcome> {
  const streams = collectors();
  const code = await runCommand(["simulate", ...argv], streams);
  return { code, out: streams.stdout.text, err: streams.stderr.text };
}

const frame: Readonly<Record<string, string>> = {
  name: "name: a beacon",
  duration: "duration: 10s",
  plugins: "plugins:\n  - {name: beacon, wasm: beacon.wasm, configuration: collector}",
  clusters: "clusters:\n  collector: {status: 204, delay: 5ms}",
  properties: "properties:\n  - {check: calls, cluster: collector, at_least: 10}",
};

/** A folder with modules of several kinds, and a way to write scenarios beside them. */
export class Workplace {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<Workplace> {
    const folder = mkdtempSync(join(tmpdir(), "proxy-wasm-as-"));
    copyFileSync(await beacon(), join(folder, "beacon.wasm"));
    writeFileSync(join(folder, "text.wasm"), "not a module");
    writeModule(join(folder, "plain.wasm"), {});
    writeModule(join(folder, "higress.wasm"), { exports: ["proxy_abi_version_0_2_100"] });
    writeModule(join(folder, "redis.wasm"), {
      exports: ["proxy_abi_version_0_2_1"],
      imports:
        '(import "env" "proxy_redis_init" (func (param i32 i32 i32 i32 i32 i32 i32) (result i32)))',
    });
    return new Workplace(folder);
  }

  /** Writes a right scenario with some parts replaced; its path. */
  scenario(name: string, parts: Readonly<Record<string, string>> = {}): string {
    const path = join(this.folder, name);
    writeFileSync(path, Object.values({ ...frame, ...parts }).join("\n"));
    return path;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** What the tests read of a result. */
export interface Result {
  readonly ok: boolean;
  readonly seed: number;
  readonly profile: string;
  readonly properties: readonly {
    readonly property: string;
    readonly subject: string;
    readonly ok: boolean;
    readonly holds: boolean;
    readonly implied: boolean;
    readonly detail: string;
  }[];
  readonly calls: readonly { readonly status: number | null }[];
  readonly requests: readonly {
    readonly at_ms: number;
    readonly status: number | null;
    readonly body: string;
  }[];
  readonly logs: readonly { readonly message: string }[];
}

/** Runs with `--json`, and reads the document. */
export async function result(...argv: string[]): Promise<Outcome & { readonly result: Result }> {
  const outcome = await simulate(...argv, "--json");
  expect(outcome.out, outcome.err).not.toBe("");
  return { ...outcome, result: JSON.parse(outcome.out) as Result };
}

export function property(
  { properties }: Result,
  name: string,
): Result["properties"][number] | undefined {
  return properties.find((found) => found.property === name);
}
