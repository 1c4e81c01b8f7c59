#!/usr/bin/env node
import { runCommand } from "./program.ts";

// Who writes hears of a failure itself; without a listener Node would end the process with a stack trace.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

process.exitCode = await runCommand(process.argv.slice(2), process);
