import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { MockHostError } from "../errors.ts";
import { ExitCode, exitCodeOf, told, type ExitCodeValue } from "./exit-code.ts";
import { addExploreCommands } from "./explore-commands.ts";
import type { InspectOptions } from "./inspect.ts";
import { addModelCommand } from "./model-command.ts";
import { writeAll, type Streams } from "./output.ts";
import type { SimulateOptions } from "./simulate.ts";

/**
 * The whole command: parses the arguments, does the work, answers the exit code. Nothing is thrown, and the process
 * is left running so that its streams empty themselves.
 *
 *     process.exitCode = await runCommand(process.argv.slice(2), process);
 */
export async function runCommand(
  argv: readonly string[],
  streams: Streams,
): Promise<ExitCodeValue> {
  try {
    return await dispatch(argv, streams);
  } catch (error) {
    await writeAll(streams.stderr, told(error));
    return exitCodeOf(error);
  }
}

async function dispatch(argv: readonly string[], streams: Streams): Promise<ExitCodeValue> {
  let code: ExitCodeValue = ExitCode.fine;
  let help = "";
  const program = new Command("proxy-wasm-as")
    .description("Runs proxy-wasm plugins in a deterministic mock Envoy.")
    .version(version(), "--version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: (text) => (help += text), writeErr: () => undefined });

  program
    .command("simulate")
    .summary("run scenario files in virtual time and judge what happened")
    .description(
      "Runs scenario files (YAML or JSON) in virtual time, prints a timeline and a verdict per check.\n" +
        "Exits with 0 when every verdict is as expected, 1 when one is not, 2 for bad input.",
    )
    .argument("<file...>", "scenario files")
    .option("--json", "print one JSON document instead of the timeline")
    .option("--junit <file>", "write the verdicts as JUnit XML, a suite per scenario")
    .option("--trace <file>", "write every event as a JSON line; one scenario file only")
    .option("--report <file>", "write an HTML page of the run; one scenario file only")
    .option("--seed <number>", "in place of the files' seed")
    .option(
      "--profile <name>",
      "the host to be, in place of the files' profile: envoy, higress, nginx, proxytest, mosn, java, strict",
    )
    .option(
      "--log-level <name>",
      "in place of the files' log_level: trace, debug, info, warn, error, critical, off",
    )
    .option("--quiet", "print only the verdicts that are not as expected")
    .option("--no-color", "print without colours")
    .action(async (files: string[], options: SimulateOptions) => {
      const { simulate } = await import("./simulate.ts");
      code = await simulate(files, options, streams);
    });

  program
    .command("inspect")
    .summary("print what a plugin's module needs and offers")
    .description(
      "Prints a module's ABI markers, language, imports, exports, memory and size, and who can load it.",
    )
    .argument("<plugin.wasm>", "the module")
    .option("--json", "print one JSON document instead of the table")
    .option("--profile <name>", "refuse a module that this host would refuse: envoy, higress")
    .option("--quiet", "print nothing; the exit code says whether the module is one")
    .option("--no-color", "print without colours")
    .action(async (file: string, options: InspectOptions) => {
      const { inspect } = await import("./inspect.ts");
      code = await inspect(file, options, streams);
    });

  addExploreCommands(program, streams, (ended) => (code = ended));
  addModelCommand(program, streams, (ended) => (code = ended));

  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw wrongUse(error, program, argv);
    await writeAll(streams.stdout, help);
  }
  return code;
}

/** A mistake on the command line as one line that names what there is. */
function wrongUse(error: CommanderError, program: Command, argv: readonly string[]): MockHostError {
  const operand = argv.find((word) => !word.startsWith("-"));
  const verb = program.commands.find((command) => command.name() === operand);
  const commands = program.commands.map((command) => command.name()).join(", ");
  const called = verb === undefined ? "proxy-wasm-as" : `proxy-wasm-as ${verb.name()}`;
  const said = error.message.replace(/^error: /, "").replace(/\s*\n\s*/g, " ");
  const place = { place: called };
  if (error.code === "commander.help") {
    return new MockHostError("E_USAGE", "no command is given", {
      ...place,
      remedy: `there are ${commands}`,
    });
  }
  if (error.code === "commander.unknownCommand") {
    return new MockHostError("E_USAGE", said, { ...place, remedy: `there are ${commands}` });
  }
  if (error.code === "commander.unknownOption") {
    const options = (verb ?? program).createHelp().visibleOptions(verb ?? program);
    const names = options.map(({ long }) => long).join(", ");
    return new MockHostError("E_USAGE", said, { ...place, remedy: `there are ${names}` });
  }
  return new MockHostError("E_USAGE", said, { ...place, remedy: `see ${called} --help` });
}

/** Two folders up from the source and from `dist/cli/` alike. */
function version(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
