// Every VM tries once in each time slot to become that slot's leader, in three ways side by side: with wasm-go's
// recipe, with the same recipe and a cas that only creates, and with the SDK's elector. A slot has two beats, one for
// the recipes and one for the elector; VMs wait for a beat's edge on the monotonic clock, which all of them share.
export * from "proxy-wasm-as/assembly/abi";
import { wrapper, proxywasm } from "proxy-wasm-as/assembly";
import { electorOptions, handOver, parseCandidacy, takeOver, tryElector } from "./candidate.guest";
import { nowNs, outcomeName } from "./outcome.guest";
import { tryRecipe } from "./recipe.guest";

const NS_PER_US: i64 = 1_000;
const BEAT_NS: i64 = 10_000_000;
/** A tick that comes this close to an edge waits for it: ticks are a good millisecond apart. */
const WAIT_NS: i64 = 1_300_000;
/** Beats between the last VM's first tick and the first slot. */
const LEAD_IN: i64 = 20;

/** A run of slots, and what stands in the configuration of the plugin that beats time for it. */
class Round {
  name: string = "";
  /** VMs that take part. */
  vmCount: u64 = 0;
  firstSlot: i64 = 0;
  slotCount: i64 = 0;
  /** Spent between get and set of the recipes. */
  gapNs: i64 = 0;
}

/** Of this VM. */
let id: string = "";
let isReady: bool = false;
let isOver: bool = false;
/** The beat with which the round begins; 0: not agreed upon yet. */
let firstBeat: i64 = 0;
let lastBeat: i64 = 0;

function parseRound(
  ctx: wrapper.PluginContext<Round>,
  json: wrapper.Json,
  round: Round,
): string | null {
  round.name = json.Get("round").Int().toString();
  round.vmCount = <u64>json.Get("vmCount").Int();
  round.firstSlot = json.Get("firstSlot").Int();
  round.slotCount = json.Get("slotCount").Int();
  round.gapNs = json.Get("gapUs").Int() * NS_PER_US;
  id = proxywasm.Uuid();
  ctx.RegisterTickFunc(1, onTick);
  return null;
}

/** A VM that comes too late for an edge tries late; one that sleeps through a beat leaves it out. */
function onTick(ctx: wrapper.PluginContext<Round>, round: Round): void {
  if (isOver || !hasBegun(round)) return;
  const now = nowNs();
  let beat = now / BEAT_NS;
  const edgeNs = (beat + 1) * BEAT_NS;
  if (edgeNs - now < WAIT_NS) {
    while (nowNs() < edgeNs);
    beat++;
  }
  if (beat == lastBeat || beat < firstBeat) return;
  lastBeat = beat;
  const slotIndex = (beat - firstBeat) / 2;
  if (slotIndex >= round.slotCount) return end(round);
  const slot = round.firstSlot + slotIndex;
  if ((beat - firstBeat) % 2 == 0) recipeBeat(round, slot);
  else electorBeat(slot);
}

function recipeBeat(round: Round, slot: i64): void {
  const recipe = tryRecipe("recipe", slot, id, 0, round.gapNs);
  const createOnly = tryRecipe("create-only", slot, id, proxywasm.CREATE_ONLY, round.gapNs);
  tell(slot, "recipe=" + outcomeName(recipe) + " create-only=" + outcomeName(createOnly));
  handOver();
}

function electorBeat(slot: i64): void {
  const elector = tryElector(slot);
  takeOver();
  tell(slot, "elector=" + outcomeName(elector));
}

function tell(slot: i64, outcomes: string): void {
  proxywasm.LogInfo("race slot=" + slot.toString() + " " + outcomes);
}

function end(round: Round): void {
  isOver = true;
  handOver();
  proxywasm.DefineCounterMetric("race_over_" + round.name).Increment();
}

/** Once all VMs tick, one of them fixes the first beat for all. */
function hasBegun(round: Round): bool {
  if (firstBeat != 0) return true;
  const ready = proxywasm.DefineCounterMetric("race_ready_" + round.name);
  if (!isReady) ready.Increment();
  isReady = true;
  const key = "race:first:" + round.name;
  if (ready.Value() == round.vmCount) {
    const beat = nowNs() / BEAT_NS + LEAD_IN;
    proxywasm.SetSharedData(key, wrapper.utf8.encode(beat.toString()), proxywasm.CREATE_ONLY);
  }
  const first = proxywasm.GetSharedData(key);
  if (first.status != proxywasm.Status.Ok) return false;
  firstBeat = I64.parseInt(wrapper.utf8.decodeLossy(first.value));
  return true;
}

wrapper.SetCtx(
  "candidate",
  wrapper.ParseConfigWithContext(parseCandidacy),
  wrapper.WithLeaderElection(electorOptions()),
);
wrapper.SetCtx("metronome", wrapper.ParseConfigWithContext(parseRound));
