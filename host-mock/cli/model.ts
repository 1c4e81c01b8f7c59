import { MockHostError } from "../errors.ts";
import {
  generatorNames,
  isAsExpected,
  leasePauseJson,
  leasePausePlot,
  modelLeasePause,
  parseDuration,
  type GeneratorName,
} from "../index.ts";
import { ExitCode, type ExitCodeValue } from "./exit-code.ts";
import { openFile } from "./files.ts";
import { leasePauseText } from "./lease-pause-text.ts";
import { writeAll, type Streams } from "./output.ts";
import { showsColor } from "./terminal.ts";

/** As commander hands them over. */
export interface ModelOptions {
  readonly generator: string;
  readonly seed: string;
  readonly trials: string;
  readonly ttl: string;
  readonly json?: boolean;
  readonly plot?: string;
  readonly quiet?: boolean;
  readonly color: boolean;
}

const place = "proxy-wasm-as model";

/** `model lease-pause`: nothing is simulated before every option is known to be right and the plot can be written. */
export async function model(
  name: string,
  options: ModelOptions,
  streams: Streams,
): Promise<ExitCodeValue> {
  if (name !== "lease-pause") throw wrong("the model", name, "there is lease-pause");
  const chosen = {
    generator: generatorOf(options.generator),
    seed: whole("--seed", options.seed, { from: 0, until: Number.MAX_SAFE_INTEGER }),
    trials: whole("--trials", options.trials, { from: 1, until: 100_000_000 }),
    ttlsMs: options.ttl.split(",").map(ttlMs),
  };
  const plot = options.plot === undefined ? undefined : openFile(options.plot);
  try {
    const found = modelLeasePause(chosen);
    plot?.write(leasePausePlot(found));
    plot?.keep();
    const color = options.color && showsColor(streams.stdout);
    const text =
      options.json === true
        ? `${JSON.stringify(leasePauseJson(found))}\n`
        : leasePauseText(found, { color, isQuiet: options.quiet === true });
    await writeAll(streams.stdout, text);
    return isAsExpected(found) ? ExitCode.fine : ExitCode.unexpected;
  } catch (error) {
    plot?.discard();
    throw error;
  }
}

function generatorOf(text: string): GeneratorName {
  const found = generatorNames.find((name) => name === text);
  if (found === undefined)
    throw wrong("--generator", text, `there are ${generatorNames.join(", ")}`);
  return found;
}

function whole(option: string, text: string, range: { from: number; until: number }): number {
  const value = Number(text);
  const isInside = value >= range.from && value <= range.until;
  if (/^\d+$/.test(text) && isInside) return value;
  throw wrong(option, text, `give a whole number from ${range.from} to ${range.until}`);
}

/** The shares of the model hold for leases of this length alone. */
const ttlMin = 1_000;
const ttlMax = 29_000;

function ttlMs(text: string): number {
  const ms = parseDuration(text, `${place}: --ttl`) / 1e6;
  if (ms >= ttlMin && ms <= ttlMax) return ms;
  throw wrong("--ttl", text, "give lengths from 1s to 29s, with commas between: 3s,5s,10s");
}

function wrong(what: string, text: string, remedy: string): MockHostError {
  return new MockHostError("E_USAGE", `${what} cannot be ${JSON.stringify(text)}`, {
    place,
    remedy,
  });
}
