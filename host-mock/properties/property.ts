/** What a property says of one run. */
export interface Judgement {
  readonly holds: boolean;
  /** One sentence: what, when, which VMs; "" when there is nothing to say. */
  readonly detail: string;
  /** The instant of the violation since the start of the run; null when it holds or has no instant. */
  readonly atMs: number | null;
}

/** A judgement beside what was expected of it: one entry of the result's `properties`. */
export interface Verdict extends Judgement {
  /** The check's name: `single_winner`, `calls`, `expect`, … */
  readonly property: string;
  /** A plugin, a cluster, or `request at 40s`. */
  readonly subject: string;
  readonly expected: "holds" | "violated";
  readonly implied: boolean;
  /** holds === (expected === "holds") */
  readonly ok: boolean;
}
