/** Runs a suite on a host, and gives its transcript block by block. */
import type { ProbeCase, ProbeHost, ProbeSuite } from "./probe.ts";

/** A host with the doors that only the runner uses. */
export interface RunningHost extends ProbeHost {
  /** Ends a block: waits until nothing more comes, and hands out its lines. */
  block(head: { readonly id: string; readonly what: string }): Promise<string[]>;
  /** Whatever state the run is in. */
  close(): Promise<void>;
}

/** What became of a case: its block, or why it failed. */
export type Outcome = { readonly lines: readonly string[] } | { readonly error: unknown };

/** The name of the block before the first case. */
export const startId = "start";
const start = { id: startId, what: "The plugins start." };

/**
 * Every case in order, in one run of the host. A case that fails does not stop the others, but what they see may
 * differ then.
 */
export async function runSuite(
  suite: ProbeSuite,
  begin: (suite: ProbeSuite) => Promise<RunningHost>,
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  let host: RunningHost;
  try {
    host = await begin(suite);
  } catch (error) {
    for (const { id } of blocks(suite)) outcomes.set(id, { error });
    return outcomes;
  }
  try {
    outcomes.set(startId, await settled(host.block(start)));
    for (const probe of suite.cases) outcomes.set(probe.id, await runCase(probe, host));
  } finally {
    await host.close();
  }
  return outcomes;
}

/** Ids and names of all blocks of a suite's transcript, in order. */
export function blocks(suite: ProbeSuite): { readonly id: string; readonly what: string }[] {
  return [start, ...suite.cases.map(({ id, what }) => ({ id, what }))];
}

async function runCase(probe: ProbeCase, host: RunningHost): Promise<Outcome> {
  try {
    await probe.run(host);
  } catch (error) {
    const lines = await host.block(probe).catch((failure: unknown) => [String(failure)]);
    return { error: new Error(`${messageOf(error)}\n${lines.join("\n")}`, { cause: error }) };
  }
  return settled(host.block(probe));
}

async function settled(block: Promise<string[]>): Promise<Outcome> {
  try {
    return { lines: await block };
  } catch (error) {
    return { error };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The block's lines, or the error that there are none. */
export function linesOf(outcome: Outcome | undefined): readonly string[] {
  if (outcome === undefined) throw new Error("the case did not run");
  if ("error" in outcome) throw outcome.error;
  return outcome.lines;
}
