// Leaders that pause: the shares of `proxy-wasm-as model lease-pause`, and those of the published SDK's module in the
// mock Envoy with pauses drawn from the same distribution. `node bench/lease-pause.bench.js 2000`: so many long pauses.
import { MockEnvoy, drawPause, generatorOf, modelLeasePause } from "../dist/index.js";
import { leasePauseTrial } from "./lease-pause-trial.js";
import { compile } from "./measure.js";

const wasm = compile("test/guests/late-writer/plugin.guest.ts", ["--config", "asconfig.json"]);
const longCount = Number(process.argv[2] ?? 200);
const shortCount = 50;
const longMinMs = 1_000;
/** One pause in a hundred is long, and a short one never outlives a lease: the tables speak of all pauses. */
const longShare = 0.01;
/** How often the elector looks, by default. */
const periodMs = (ttlMs) => Math.min(ttlMs / 5, 3_000);

/** Runs long pauses between ticks, as many within one, and a few short ones. */
function measure(ttlMs) {
  const stream = generatorOf("mulberry32", 42);
  const found = { drawn: 0, between: [], within: [], shortElections: 0 };
  let shortLeft = shortCount;
  while (found.between.length < longCount) {
    const phaseMs = 10_000 * stream.unit();
    const pauseMs = 1_000 * drawPause(stream);
    const run = (within) =>
      leasePauseTrial({
        ...{ MockEnvoy, wasm, ttlMs, pauseMs, phaseMs, within },
        seed: found.between.length + 1,
      });
    found.drawn++;
    if (pauseMs >= longMinMs) {
      found.between.push(run(false));
      found.within.push(run(true));
    } else if (shortLeft-- > 0 && run(false).isElected) found.shortElections++;
  }
  return found;
}

const percent = (number) => `${(100 * number).toFixed(2)} %`;
const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;

function quantile(trials, part) {
  const sorted = trials.map(({ latencyMs }) => latencyMs).sort((one, other) => one - other);
  return sorted[Math.floor(part * sorted.length)];
}

/** What the module showed, what the model says, the ratio of the two, and the cases behind the module's share. */
function line(name, { module, model, text, cases = "" }) {
  const ratio = model === 0 ? (module === 0 ? "both 0" : "") : (module / model).toFixed(2);
  const compared = model === undefined ? ["", ""] : [text(model), ratio];
  const cells = [text(module), ...compared].map((cell) => cell.padStart(10)).join("");
  console.log(`  ${name.padEnd(54)}${cells}${cases.padStart(14)}`.trimEnd());
}

/** A share of trials; `times` is how many of all pauses a trial stands for. */
function shareLine(name, trials, is, { model, times = 1 } = {}) {
  const count = trials.filter(is).length;
  const module = (times * count) / trials.length;
  line(name, { module, model, text: percent, cases: `${count} of ${trials.length}` });
}

const isElected = (trial) => trial.isElected;
const is =
  (receiver, ...fates) =>
  ({ writes }) =>
    fates.includes(writes[receiver]);
const taken = ["taken", "over newer work"];

const { rows } = modelLeasePause();
for (const { ttlMs, elections, split, latency, fencing, outlived } of rows) {
  const { drawn, between, within, shortElections } = measure(ttlMs);
  const elected = between.filter(isElected);
  const electedWithin = within.filter(isElected);
  const stale = (policy) => fencing[policy].accepted / elections.count;
  console.log(
    `\nlease of ${seconds(ttlMs)}: of ${drawn} pauses ${longCount} long ones run, and ${shortCount} short ones, which elected ${shortElections}`,
  );
  const heads = ["module", "model", "ratio"].map((head) => head.padStart(10)).join("");
  console.log(`${"".padEnd(56)}${heads}${"cases".padStart(14)}`);
  const ofAll = { times: longShare };
  shareLine("elections, of all pauses", between, isElected, { ...ofAll, model: elections.rate });
  for (const [name, part, model] of [
    ["P50 from the pause to the election", 0.5, latency.p50.valueMs],
    ["P99", 0.99, latency.p99.valueMs],
  ])
    line(name, { module: quantile(elected, part), model, text: seconds });
  shareLine(
    "waking write over newer work, of elections: no fence",
    elected,
    is("plain", "over newer work"),
    { model: split.rate },
  );
  shareLine("  taken by a fence that learns at the first write", elected, is("lazy", ...taken), {
    model: stale("lazy"),
  });
  shareLine("  taken by a fence that is touched at the election", elected, is("eager", ...taken), {
    model: stale("eager"),
  });
  shareLine("  sent after asking again", elected, is("asked", ...taken));
  shareLine("pause after asking: outlives the lease, of effects", within, isElected, {
    ...ofAll,
    model: outlived.rate,
  });
  shareLine(
    "  over newer work, of elections: no fence",
    electedWithin,
    is("asked", "over newer work"),
  );
  shareLine(
    "  taken by a fence that is touched at the election",
    electedWithin,
    is("eager", ...taken),
  );
}
const means = rows.map(({ ttlMs }) => seconds(ttlMs - periodMs(ttlMs) / 4)).join(", ");
console.log(
  `\nThe module's three followers look every fifth of the lease, at most 3 s, and the leader renews as often: on average an` +
    `\nelection comes ${means} after the pause began, within a period either way of the lease's length.` +
    `\nThe model's comes 0.15 s after the lease's length, within 0.15 s either way.`,
);
