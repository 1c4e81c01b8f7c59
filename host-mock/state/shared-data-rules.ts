/** How a host compares and counts versions of shared data; a profile's data. */
export interface SharedDataRules {
  /** What a set with cas 0 does to a key that is there. */
  readonly zeroOnPresent: "overwrites" | "mismatch";
  /** What a set with another cas does where the key is absent. */
  readonly otherOnAbsent: "creates" | "mismatch";
  /** The first version of all; "given + 1": each set's version is the cas it was given, plus one. */
  readonly firstToken: 0 | 1 | "given + 1";
  /** Whether versions are counted for the whole process or for each key. */
  readonly scope: "process" | "key";
  /** Whether the host may drop a key on its own. */
  readonly evicts: boolean;
}

const tokenCount = 0x1_0000_0000;

/**
 * The version that a set gives its key; undefined when it is a CasMismatch. `present` is the version now under the key,
 * undefined when it is absent; `last` the last version handed out in the rules' scope, undefined when none was.
 */
export function decideSet(
  rules: SharedDataRules,
  present: number | undefined,
  given: number,
  last: number | undefined,
): number | undefined {
  if (present === undefined) {
    if (given !== 0 && rules.otherOnAbsent === "mismatch") return undefined;
  } else if (given === 0 && rules.zeroOnPresent === "overwrites") {
    // Without condition.
  } else if (given !== present) return undefined;
  if (rules.firstToken === "given + 1") return (given + 1) % tokenCount;
  if (last === undefined) return rules.firstToken;
  const next = (last + 1) % tokenCount;
  // A counter that begins with 1 never hands out 0, which would mean "do not compare".
  return next === 0 ? rules.firstToken : next;
}
