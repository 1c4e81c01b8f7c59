import type { Command } from "commander";
import type { ExitCodeValue } from "./exit-code.ts";
import type { ExploreFlags } from "./explore.ts";
import type { MergeFlags } from "./merge.ts";
import type { Streams } from "./output.ts";
import type { ReplayFlags } from "./replay.ts";

type Done = (code: ExitCodeValue) => void;

/** Adds `explore`, `merge` and `replay` to the command; `done` is told how they ended. */
export function addExploreCommands(program: Command, streams: Streams, done: Done): void {
  addExplore(program, streams, done);
  addMerge(program, streams, done);
  addReplay(program, streams, done);
}

function withBounds(command: Command): Command {
  return command
    .option("--ticks <number>", "ticks of each VM")
    .option("--time-steps <number>", "how often time passes by itself, at any point")
    .option("--time-step <duration>", "by how much, such as 16s")
    .option("--crashes <number>", "VMs that crash, each before any of its host calls")
    .option("--wipes <number>", "losses of all shared data, at any point")
    .option("--refusals <number>", "host calls that answer InternalFailure")
    .option("--corruptions <number>", "times the lease becomes text that is no JSON");
}

function addExplore(program: Command, streams: Streams, done: Done): void {
  const command = program
    .command("explore")
    .summary("run a scenario's VMs under every schedule of their host calls")
    .description(
      "Runs a scenario's VMs under every schedule of their host calls, within the bounds of its explore: block,\n" +
        "and prints counts, the shortest violation and the line that runs it again.\n" +
        "Exits with 0 when every verdict is as expected, 1 when one is not, 2 for bad input, 3 when cut off before.",
    )
    .argument("<file>", "a scenario file")
    .option("--strategy <name>", "exhaustive, random, pct, round-robin")
    .option("--seed <number>", "of random and pct")
    .option("--schedules <number>", "how many random and pct run")
    .option("--depth <number>", "of pct: bugs of so many ordered steps are found");
  withBounds(command)
    .option(
      "--preemptions <number>",
      "switches in the middle of a callback at most, or none for no bound",
    )
    .option("--max-states <number>", "give up after so many states")
    .option("--time-limit <duration>", "give up after so long")
    .option("--shard <i/n>", "search this part; merge joins the results of all")
    .option("--profile <name>", "the host to be, or all for a table of all hosts")
    .option("--all", "go on after a violation, and count them")
    .option("--no-symmetry", "take VMs that are alike for different ones")
    .option("--sleep-sets", "leave out steps that only swap independent neighbours")
    .option("--save <file>", "write the violation's schedule, for replay")
    .option("--report <file>", "write an HTML page of the search")
    .option("--json", "print one JSON document")
    .option("--quiet", "print only what is not as expected")
    .option("--no-color", "print without colours")
    .action(async (file: string, flags: ExploreFlags) => {
      const { explore } = await import("./explore.ts");
      done(await explore(file, flags, streams));
    });
}

function addMerge(program: Command, streams: Streams, done: Done): void {
  program
    .command("merge")
    .summary("join the results of the shards of a search")
    .description("Joins what explore --shard I/N --json printed; exits as the whole search would.")
    .argument("<file...>", "results of shards")
    .option("--json", "print one JSON document")
    .option("--no-color", "print without colours")
    .action(async (files: string[], flags: MergeFlags) => {
      const { merge } = await import("./merge.ts");
      done(await merge(files, flags, streams));
    });
}

function addReplay(program: Command, streams: Streams, done: Done): void {
  const command = program
    .command("replay")
    .summary("run exactly that schedule or trace again")
    .description(
      "Runs a schedule again, step by step, or a scenario of which there is a trace, event by event.\n" +
        "Exits with 0 when nothing is violated or different, 1 when something is, 2 for bad input.",
    )
    .argument("<file>", "a scenario, a schedule that explore --save wrote, or a trace (.jsonl)")
    .option("--schedule <text>", "the schedule of a scenario: main*3 worker_0*2 time");
  withBounds(command)
    .option("--scenario <file>", "of a trace: what it is of")
    .option("--seed <number>", "of a trace: in place of the file's seed")
    .option("--profile <name>", "the host to be, in place of the file's")
    .option("--json", "print one JSON document")
    .option("--quiet", "print only the verdict")
    .option("--no-color", "print without colours")
    .action(async (file: string, flags: ReplayFlags) => {
      const { replay } = await import("./replay.ts");
      done(await replay(file, flags, streams));
    });
}
