import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { decodePairs, encodePairs } from "../../host-mock/abi/pairs.ts";

const bytes = fc.uint8Array({ maxLength: 6 });
const pairs = fc.array(fc.tuple(bytes, bytes), { minLength: 1, maxLength: 8 });
const changes = fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { minLength: 1, maxLength: 4 });

/**
 * A block is either rejected, or exactly the pairs that its bytes say: then it encodes back to
 * itself.
 */
function isExact(block: Uint8Array): boolean {
  const decoded = decodePairs(block);
  return decoded.length === 0 || Buffer.from(encodePairs(decoded)).equals(block);
}

describe("the pairs decoder under mutation", () => {
  test.prop([pairs, changes], { numRuns: 3000 })(
    "invents nothing for changed bytes",
    (list, edits) => {
      const block = encodePairs(list);
      for (const [at, value] of edits) block[at % block.length] = value;

      expect(isExact(block)).toBe(true);
    },
  );

  test.prop([pairs, fc.nat(100), bytes], { numRuns: 2000 })(
    "invents nothing for blocks cut off or continued",
    (list, cut, tail) => {
      const block = encodePairs(list);
      const changed = new Uint8Array([...block.slice(0, Math.max(0, block.length - cut)), ...tail]);

      expect(isExact(changed)).toBe(true);
    },
  );

  test.prop([fc.uint8Array({ maxLength: 64 })], { numRuns: 3000 })(
    "invents nothing for any bytes",
    (block) => {
      expect(isExact(block)).toBe(true);
    },
  );
});
