/** A real guest under a host that calls it in any order and answers it anything. */
import { beforeAll, describe, expect, it } from "vitest";
import { buildGuest } from "../support/build-guest.ts";
import { bytesOf } from "./support/bytes-mutation.ts";
import { hangMsFor } from "./support/deadline.ts";
import { pagesMax } from "./support/vital-signs.ts";
import { Storm } from "./support/storm.ts";
import { isSoak } from "../support/soak.ts";

/** Below some twenty thousand the guest never gets as far as writing shared data. */
const count = isSoak ? 60_000 : 20_000;
const wasm: Record<string, Uint8Array<ArrayBuffer>> = {};

beforeAll(async () => {
  for (const name of ["robust-reader", "robust-trapper", "every-callback"]) {
    wasm[name] = (await buildGuest({ entry: `test/guests/${name}/plugin.guest.ts` })).bytes;
  }
});

function stormOver(name: string): Storm {
  return new Storm({ wasm: wasm[name]!, seed: 1 });
}

describe("a guest under a hostile host", () => {
  it("reads and answers without a trap, and works for a sound host afterwards", () => {
    const storm = stormOver("robust-reader");

    const { callbacks, pages } = storm.run(count);
    const { callCounts } = storm.host;
    const answers = storm.exports["answerCount"]!();
    storm.clear();
    const contexts = storm.exports["contextCount"]!();
    storm.calmly(bytesOf("{}"), () => {
      storm.exports["proxy_on_context_create"]!(9, 0);
      storm.exports["proxy_on_context_create"]!(10, 9);
    });
    let isAccepted: number | undefined;
    storm.calmly(bytesOf("{}"), () => (isAccepted = storm.exports["proxy_on_configure"]!(9, 2)));
    storm.calmly(new Uint8Array(4), () => storm.exports["proxy_on_request_headers"]!(10, 0, 1));

    expect([...callbacks.values()].reduce((sum, one) => sum + one)).toBe(count);
    expect(Math.min(...callbacks.values())).toBeGreaterThan(count / 30);
    expect(answers).toBeGreaterThan(count / 500);
    expect(callCounts.get("proxy_get_header_map_pairs")).toBeGreaterThan(count / 10);
    expect(callCounts.get("proxy_set_shared_data")).toBeGreaterThan(0);
    expect(pages).toBeLessThanOrEqual(pagesMax);
    expect(contexts).toBe(0);
    expect(isAccepted).toBe(1);
    expect(storm.exports["lastStatus"]!()).toBe(0);
  }, 60_000);

  it("is called back in every way there is without a trap", () => {
    const { callbacks, pages } = stormOver("every-callback").run(count);

    expect([...callbacks.values()].reduce((sum, one) => sum + one)).toBe(count);
    expect(callbacks.size).toBe(25);
    expect(Math.min(...callbacks.values())).toBeGreaterThan(count / 60);
    expect(pages).toBeLessThanOrEqual(pagesMax);
  }, 60_000);
});

describe("what watches over it", () => {
  it.each([
    ["trap-pairs", /unreachable: callback \d+, proxy_on_request_headers/],
    ["hang-pairs", /hung for 1000 ms: callback \d+, proxy_on_request_headers/],
    ["wild-pointer", /proxy_set_shared_data was passed 16 bytes at \d+, memory has/],
  ])("notices a guest with the fault %j", (vmConfiguration, message) => {
    const options = {
      wasm: wasm["robust-trapper"]!,
      seed: 2,
      vmConfiguration,
      hangMs: hangMsFor(vmConfiguration),
    };

    expect(() => new Storm(options).run(20_000)).toThrow(message);
  });
});
