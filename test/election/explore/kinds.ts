/** Kinds of counterexamples, recognised by their steps. */
import type { StepView } from "../../../host-mock/schedule/world.ts";

const get = "proxy_get_shared_data";
const set = "proxy_set_shared_data";
const leasePrefix = "higress_wasm_vm_lease:";

/** A step with its place, and the instant up to which time is known to have come. */
interface Placed {
  readonly at: number;
  readonly nowMs: number;
  readonly step: StepView;
}

type Steps = readonly StepView[];

function placed(steps: Steps): Placed[] {
  let nowMs = 0;
  return steps.map((step, at) => {
    const result = step.result as { readonly now_ms?: number } | null;
    nowMs = Math.max(nowMs, result?.now_ms ?? 0);
    return { at, nowMs, step };
  });
}

function keyOf({ args }: StepView): string {
  const key = args["key"];
  return typeof key === "string" ? key : "";
}

function isLease(step: StepView): boolean {
  const key = keyOf(step);
  return key.startsWith(leasePrefix) && !key.endsWith(":term") && !key.endsWith(":probe");
}

function isTermKey(step: StepView): boolean {
  return keyOf(step).endsWith(":term");
}

function isDone({ call, status }: StepView): boolean {
  return call === set && status === "Ok";
}

function valueOf({ args }: StepView): string {
  const value = args["value"];
  return typeof value === "string" ? value : "";
}

function foundBy({ result }: StepView): { readonly value: string; readonly cas: number } | null {
  return result as { readonly value: string; readonly cas: number } | null;
}

/** Successful sets, each with the get on which it rests: the same VM's last one of that key. */
function writes(steps: Steps, isKey: (step: StepView) => boolean) {
  const all = placed(steps);
  return all
    .filter(({ step }) => isDone(step) && isKey(step))
    .map((write) => {
      const read = all.findLast(({ at, step }) => {
        const isSame = step.vm === write.step.vm && keyOf(step) === keyOf(write.step);
        return at < write.at && step.call === get && isSame;
      });
      return { write, read };
    });
}

function isCell(step: StepView): boolean {
  return keyOf(step) === "cell";
}

/** Something that lies between two steps. */
function between(steps: Steps, from: number, to: number, isWanted: (step: StepView) => boolean) {
  return steps.slice(from + 1, to).some(isWanted);
}

/** Who leads after the last step. */
function lastLeaders(steps: Steps): string[] {
  return (steps.at(-1)?.leaders ?? []).map((leader) => leader.split(" ")[0] ?? "");
}

/** Both found the key absent; the later one writes over what the earlier one has written meanwhile. */
export function lateCreate(steps: Steps, isKey: (step: StepView) => boolean = isLease): boolean {
  return writes(steps, isKey).some(({ write, read }) => {
    const isBlind = write.step.args["cas"] === 0 && read?.step.status === "NotFound";
    const isOther = (step: StepView) => isDone(step) && isKey(step) && step.vm !== write.step.vm;
    return isBlind && between(steps, read.at, write.at, isOther);
  });
}

/** The same on the fence cell. */
export const lateCellCreate = (steps: Steps): boolean => lateCreate(steps, isCell);

/** A set with a version read before the map was wiped creates the key. */
export function staleVersionCreates(steps: Steps, count = 1): boolean {
  const isWipe = ({ call }: StepView) => call === "wipe";
  const found = writes(steps, isLease).filter(({ write, read }) => {
    const isConditional = write.step.args["cas"] !== 0 && read?.step.status === "Ok";
    return isConditional && between(steps, read.at, write.at, isWipe);
  });
  return found.length >= count;
}

export const twoStaleVersionsCreate = (steps: Steps): boolean => staleVersionCreates(steps, 2);

/** A leader's record is wiped, and a VM that has found nothing, before or after that, leads beside it. */
export function createsAfterWipe(steps: Steps): boolean {
  const wipe = steps.findIndex(({ call }) => call === "wipe");
  return writes(steps, isLease).some(({ write, read }) => {
    return wipe >= 0 && write.at > wipe && read?.step.status === "NotFound";
  });
}

/**
 * One leads still though the pass that wrote its record began more than a lease ago, and another has taken over: by a
 * flag, or by a promise that counts from a later clock.
 */
export function leadsPastLease(steps: Steps, leaseMs = 15_000): boolean {
  const all = placed(steps);
  const nowMs = all.at(-1)?.nowMs ?? 0;
  return lastLeaders(steps).some((vm) => {
    const last = all.findLast(({ step }) => step.vm === vm && isDone(step) && isLease(step));
    const begun = all.findLast(({ at, step }) => {
      return last !== undefined && at < last.at && step.vm === vm && isTickBegin(step);
    });
    return begun !== undefined && nowMs - begun.nowMs > leaseMs;
  });
}

/** The version that is claimed was observed from a clock read before it was written. */
export function observedBeforeWritten(steps: Steps): boolean {
  const claim = writes(steps, isLease).at(-1);
  if (claim?.read === undefined) return false;
  const all = placed(steps);
  const { vm, args } = claim.write.step;
  const first = all.find(({ step }) => {
    return (
      step.vm === vm && step.call === get && isLease(step) && foundBy(step)?.cas === args["cas"]
    );
  });
  if (first === undefined) return false;
  const begun = all.findLast(({ at, step }) => {
    return at < first.at && step.vm === vm && isTickBegin(step);
  });
  const written = all.findLast(({ at, step }) => at < first.at && isDone(step) && isLease(step));
  return begun !== undefined && written !== undefined && begun.nowMs < written.nowMs;
}

function isTickBegin({ call }: StepView): boolean {
  return call === "proxy_on_tick";
}

/** The claimed version was watched for less than a lease. */
export function waitTooShort(steps: Steps, leaseMs = 15_000): boolean {
  const claim = writes(steps, isLease).at(-1);
  if (claim === undefined) return false;
  const all = placed(steps);
  const { vm, args } = claim.write.step;
  const first = all.find(({ step }) => {
    return (
      step.vm === vm && step.call === get && isLease(step) && foundBy(step)?.cas === args["cas"]
    );
  });
  const waitedMs = claim.write.nowMs - (first?.nowMs ?? 0);
  return first !== undefined && waitedMs > 0 && waitedMs < leaseMs;
}

/** A record that cannot be read is written over while the promise in what it was still runs. */
export function corruptClaimed(steps: Steps): boolean {
  return writes(steps, isLease).some(({ read }) => {
    return read !== undefined && foundBy(read.step)?.value === "not json";
  });
}

/** wasm-go's late create puts an old timestamp over a running lease, and another of us believes it. */
export function oldTimestampBelieved(steps: Steps): boolean {
  const claim = writes(steps, isLease).at(-1);
  const read = claim?.read === undefined ? null : foundBy(claim.read.step);
  return lateCreate(steps) && read !== null && !read.value.includes('"st"');
}

/** wasm-go's late create puts its record over a running lease. */
export function goOverwrites(steps: Steps): boolean {
  const last = writes(steps, isLease).at(-1);
  return lateCreate(steps) && last !== undefined && !valueOf(last.write.step).includes('"st"');
}

/** A term was raised, then another one above it; the lower one leads later. */
export function oldTermLeads(steps: Steps): boolean {
  const raised = placed(steps).filter(({ step }) => isDone(step) && isTermKey(step));
  const claims = writes(steps, isLease).map(({ write }) => write);
  const [first, last] = [claims.at(-2), claims.at(-1)];
  const raisedBy = (claim: Placed | undefined) =>
    raised.findLast(
      ({ at, step }) => claim !== undefined && at < claim.at && step.vm === claim.step.vm,
    );
  const [early, late] = [raisedBy(last), raisedBy(first)];
  return (
    early !== undefined &&
    late !== undefined &&
    early.step.vm !== late.step.vm &&
    early.at < late.at
  );
}

/** Between two of our claims with one term stands a record of wasm-go, which has none. */
export function termForgotten(steps: Steps): boolean {
  const values = writes(steps, isLease).map(({ write }) => valueOf(write.step));
  const last = values.at(-1) ?? "";
  const foreign = values.findLastIndex((value) => !value.includes('"st"'));
  const term = /"term":(\d+)/.exec(last)?.[1];
  return foreign > 0 && values.slice(0, foreign).some((value) => value.includes(`"term":${term},`));
}

/** A VM checks its lease, and acts when another leads already. */
export function actsAfterCheck(steps: Steps): boolean {
  const last = steps.at(-1);
  const claim = writes(steps, isLease).at(-1);
  return last !== undefined && claim !== undefined && claim.write.step.vm !== last.vm;
}

/** A renewal that was held up for longer than a lease lands after a wipe, while another leads. */
export function lateRenewalAfterWipe(steps: Steps, leaseMs = 15_000): boolean {
  const wipe = steps.findIndex(({ call }) => call === "wipe");
  return writes(steps, isLease).some(({ write, read }) => {
    if (wipe < 0 || read === undefined || write.at < wipe || read.at > wipe) return false;
    const { vm } = write.step;
    return (
      foundBy(read.step) !== null &&
      write.nowMs - read.nowMs > leaseMs &&
      !lastLeaders(steps.slice(0, write.at + 1)).includes(vm)
    );
  });
}

/** The cell is set without a condition after its term was looked at, and has changed meanwhile. */
export function changedAfterCheck(steps: Steps): boolean {
  return writes(steps, isCell).some(({ write, read }) => {
    const isBlind = write.step.args["cas"] === 0 && read?.step.status === "Ok";
    const isOther = (step: StepView) => isDone(step) && isCell(step);
    return isBlind && between(steps, read.at, write.at, isOther);
  });
}

/** A write whose version is right and whose term is not. */
export function lowerTermWrites(steps: Steps): boolean {
  const last = writes(steps, isCell).at(-1);
  if (last?.read === undefined) return false;
  return termIn(valueOf(last.write.step)) < termIn(foundBy(last.read.step)?.value ?? "");
}

/** Two writers have one term, and both write. */
export function tieWrites(steps: Steps): boolean {
  const last = writes(steps, isCell).at(-1);
  if (last?.read === undefined) return false;
  return termIn(valueOf(last.write.step)) === termIn(foundBy(last.read.step)?.value ?? "");
}

function termIn(text: string): number {
  return Number(/"term":(\d+)/.exec(text)?.[1] ?? -1);
}
