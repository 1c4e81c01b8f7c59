/** A user's project, made of a page's blocks, in which the page's commands are run. */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { runCommand } from "../../../host-mock/cli/program.ts";
import { collectors } from "../../host-mock/cli/collecting-streams.ts";
import { buildGuest, root } from "../../support/build-guest.ts";

export interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

interface AscOptions {
  readonly extends: string;
  readonly entries: readonly string[];
  readonly options: { readonly outFile: string };
}

/**
 * Lies inside the repository, so that packages are found as in a project that has them installed: `proxy-wasm-as` is
 * the repository itself. What npm installs is tested in test/packaging.
 */
export class Project {
  readonly folder: string;

  /** `isKept`: a page goes on with what another one has made. */
  constructor(name: string, isKept = false) {
    this.folder = join(root, ".cache/docs", name);
    if (!isKept) rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.folder, { recursive: true });
    // Without it vitest would take the repository's.
    this.write("vitest.config.js", "export default {};\n");
  }

  path(file: string): string {
    return join(this.folder, file);
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(this.path(file)), { recursive: true });
    writeFileSync(this.path(file), text);
  }

  /** Puts the `+` lines of a difference in the place of its `-` lines, which must stand there once. */
  change(file: string, difference: string): void {
    const lines = difference.trimEnd().split("\n");
    const of = (sign: string): string =>
      lines
        .filter((line) => line.startsWith(sign))
        .map((line) => `${line.slice(1)}\n`)
        .join("");
    const before = readFileSync(this.path(file), "utf8");
    const parts = before.split(of("-"));
    if (of("-") === "" || parts.length !== 2) throw new Error(`${file} has not once: ${of("-")}`);
    this.write(file, parts.join(of("+")));
  }

  /** Runs a line that a page shows. A line of a kind that nobody tests is an error. */
  async run(line: string): Promise<Outcome> {
    const words = line.split(" ");
    const [program, verb = "", ...args] = words;
    if (program === "npm" && (verb === "init" || verb === "pkg")) return this.spawn(words);
    if (program === "npx" && verb === "asc") return this.compile(args);
    if (program === "npx" && verb === "proxy-wasm-as") return this.command(args);
    if (program === "npx" && verb === "vitest")
      return this.spawn(["npx", "--no-install", verb, ...args]);
    throw new Error(`no test runs the line ${line}`);
  }

  /** `npx asc [--config FILE] [--target NAME] [--outFile FILE]`, in process: a cold compiler is slow. */
  private async compile(args: readonly string[]): Promise<Outcome> {
    const rest = [...args];
    const config = take(rest, "--config") ?? "asconfig.json";
    const { entry, outFile: configured } = this.ascOptions(config);
    const target = take(rest, "--target");
    const outFile = take(rest, "--outFile") ?? configured;
    if (rest.length > 0) {
      // asc takes an entry of the command line beside those of the file: one module of both.
      throw new Error(`no test runs asc with ${rest.join(" ")} beside the entry of ${config}`);
    }
    const built = await buildGuest({
      entry: relative(root, this.path(entry)),
      args: target === undefined ? [] : ["--target", target],
    });
    mkdirSync(dirname(this.path(outFile)), { recursive: true });
    copyFileSync(built.path, this.path(outFile));
    return { code: 0, output: "" };
  }

  /** What the page's file of options says, which must be nothing that changes the code. */
  private ascOptions(file: string): { entry: string; outFile: string } {
    const config = JSON.parse(readFileSync(this.path(file), "utf8")) as AscOptions;
    const [entry = ""] = config.entries;
    const { outFile } = config.options;
    const plain = {
      extends: "proxy-wasm-as/asconfig.json",
      entries: [entry],
      options: { outFile },
    };
    if (JSON.stringify(config) !== JSON.stringify(plain)) {
      throw new Error(`${file} is more than ${JSON.stringify(plain)}`);
    }
    return { entry, outFile };
  }

  private async command(args: readonly string[]): Promise<Outcome> {
    const streams = collectors();
    const before = process.cwd();
    process.chdir(this.folder);
    try {
      const code = await runCommand(args, streams);
      return { code, output: streams.stdout.text + streams.stderr.text };
    } finally {
      process.chdir(before);
    }
  }

  private spawn([program = "", ...args]: readonly string[]): Outcome {
    const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: "1" };
    // A vitest inside a vitest is its own.
    for (const name of Object.keys(env)) if (name.startsWith("VITEST")) delete env[name];
    const run = spawnSync(program, args, { cwd: this.folder, env, encoding: "utf8" });
    return { code: run.status, output: run.stdout + run.stderr };
  }

  read(file: string): string | undefined {
    return existsSync(this.path(file)) ? readFileSync(this.path(file), "utf8") : undefined;
  }
}

/** Takes an option and its value out of the arguments. */
function take(args: string[], name: string): string | undefined {
  const at = args.indexOf(name);
  return at < 0 ? undefined : args.splice(at, 2)[1];
}
