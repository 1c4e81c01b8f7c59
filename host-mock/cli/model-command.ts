import type { Command } from "commander";
import type { ExitCodeValue } from "./exit-code.ts";
import type { ModelOptions } from "./model.ts";
import type { Streams } from "./output.ts";

/** Adds `model` to the command; `done` is told how it ended. */
export function addModelCommand(
  program: Command,
  streams: Streams,
  done: (code: ExitCodeValue) => void,
): void {
  program
    .command("model")
    .summary("simulate by numbers alone, without a plugin")
    .description(
      "Runs a simulation of numbers, without a plugin.\n" +
        "lease-pause: leaders pause while they hold a lease; how often another is elected meanwhile, how often newer " +
        "work is lost, and what a fence changes.\n" +
        "Exits with 0 when every share is within four standard errors of what theory expects, 1 when one is not, " +
        "2 for bad input.",
    )
    .argument("<name>", "lease-pause")
    .option("--generator <name>", "go, mulberry32 or xoroshiro128plus", "go")
    .option("--seed <number>", "of the generator, which each lease begins anew", "42")
    .option("--trials <number>", "for each lease", "200000")
    .option("--ttl <durations>", "lengths of the lease, 1s to 29s", "3s,5s,10s")
    .option("--json", "print one JSON document instead of the tables")
    .option("--plot <file>", "write the shares as an SVG picture")
    .option("--quiet", "print only the shares that are not as expected")
    .option("--no-color", "print without colours")
    .action(async (name: string, options: ModelOptions) => {
      const { model } = await import("./model.ts");
      done(await model(name, options, streams));
    });
}
