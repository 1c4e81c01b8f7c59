/** What stands under the lease key. `placeholder` is a record without holder that a candidate wrote on finding nothing. */
export type RecordKind = "absent" | "placeholder" | "boot" | "held" | "released" | "corrupt";

/**
 * When a record of another is claimed. `older`: its age is above T. `waited`: this VM has seen the same version for
 * longer than T. `fresh or waited`: its age is at most T, or waited.
 */
export type ClaimRule = "at once" | "older" | "waited" | "fresh or waited" | "never";

/** What is done when the key is absent. All but `create` write without a condition; `create` succeeds only while absent. */
export type AbsentRule = "placeholder" | "own record" | "create" | "nothing";

/**
 * An elector as data. What is common to all: read the clock (r0), get, read the clock (r1) and decide, set; an own
 * record is renewed or claimed anew by compare-and-swap; the promise is r0 + T.
 */
export interface Protocol {
  readonly name: string;
  readonly absent: AbsentRule;
  readonly claims: Readonly<Record<Exclude<RecordKind, "absent">, ClaimRule>>;
  /** A held record that wasm-go's recipe wrote; it has no term and no monotonic time. */
  readonly claimsOfGo: ClaimRule;
  /** From when on a successful writer leads. */
  readonly leads: "when written" | "when read again" | "after probation";
  /** Deviations, each of them one line in an elector. */
  readonly mistakes?: Mistakes;
}

export interface Mistakes {
  /** A new version counts as seen since r0, the clock before the get, instead of r1, the clock after it. */
  readonly observesFromR0?: boolean;
  /** The wait is T − 1. */
  readonly waitsOneLess?: boolean;
  /** The promise counts from a clock read after the set. */
  readonly promisesAfterSet?: boolean;
  /** Leadership is a flag that only the next pass can clear. */
  readonly flagNeverExpires?: boolean;
  /** A renewal in probation that landed later than T after its r0 does not start the probation again. */
  readonly ignoresLateRenewal?: boolean;
}

/** How terms are given out, and where a smaller one is refused. */
export interface TermRules {
  /**
   * `record first`: read the record, raise the term key, set the record. `term key first`: raise the key, then read.
   * `record only`: one above the term in the record, which wasm-go's recipe drops.
   */
  readonly order: "record first" | "term key first" | "record only";
  /** The fence learns a new term with the first work (`lazy`), or before leadership is reported (`eager`). */
  readonly fence: "none" | "lazy" | "eager";
}

/** `as`: follows the row's protocol; `go`: follows wasm-go's recipe, P0. */
export type VmKind = "as" | "go";

/** One enumeration: who takes part, how it begins, what may happen. Counts that are left out are 0. */
export interface Row {
  /** What the `as` VMs follow. Without one, all VMs are `go`. */
  readonly protocol?: Protocol;
  readonly vms: readonly VmKind[];
  /** The lease in units of time. */
  readonly lease: number;
  /** What stands under the key in the beginning; `led`: the first VM has just written it and leads. */
  readonly start: "absent" | "placeholder" | "boot" | "led";
  readonly wipes?: number;
  readonly corruptions?: number;
  /** A leader may release between two passes. */
  readonly release?: boolean;
  /** A leader may work between two passes: a self-check, and the effect as a step of its own. */
  readonly work?: boolean;
  readonly terms?: TermRules;
  /** Every VM writes a boot record at its configuration if it finds none, without a condition. */
  readonly configures?: boolean;
  /** What a bad state is: two VMs, or two `as` VMs, whose promise runs; or two whose flag is set. */
  readonly bad?: "two valid" | "two valid as" | "two flags";
}
