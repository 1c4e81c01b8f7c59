import { beforeAll, describe, expect, test } from "vitest";
import { MockHostError } from "../../../host-mock/errors.ts";
import type { DnsNames } from "../../../host-mock/http/dns.ts";
import { probeScript } from "../../conformance/probe-script.ts";
import { buildGuest } from "../../support/build-guest.ts";
import { envoyOf, timeline } from "../envoy/guests.ts";

let scripted: Uint8Array;

beforeAll(async () => {
  scripted = (await buildGuest(probeScript)).bytes;
});

function resolved(name: string, dns: DnsNames): string[] {
  const envoy = envoyOf(scripted, {
    plugin: { kind: "singleton" },
    configuration: `configure: dns ${name} | dns: get 8 0 100`,
    dns,
  });
  envoy.advance("1s");
  const lines = timeline(envoy).filter((line) => line.includes("main#1"));
  const at = lines.findIndex((line) => line.includes("configure("));
  return lines.slice(at + 1).map((line) => line.replace("main#1 ", ""));
}

describe("a declared name", () => {
  test("is answered later, with its addresses and their time to live", () => {
    const dns = { "a.b": { addresses: ["10.0.0.1", "::1"], ttl: "258s", delay: "5ms" } };

    expect(resolved("a.b", dns)).toEqual([
      "0   dns a.b = 0 2",
      "5 dns(ctx=1 token=2 size=31)",
      "5   get 8 0 100 = 0 %02%00%00%00%02%01%00%00%02%01%00%0010.0.0.1:0%00[::1]:0%00",
    ]);
  });

  test("may be a plain list, and may fail", () => {
    expect(resolved("a.b", { "a.b": ["10.0.0.1"] })[1]).toBe("0 dns(ctx=1 token=2 size=19)");
    expect(resolved("a.b", { "a.b": { fail: true, delay: "5ms" } })[1]).toBe(
      "5 dns(ctx=1 token=2 size=0)",
    );
  });
});

test("a name that nobody declared has no address; an address is its own, at once", () => {
  expect(resolved("no.where", {})[1]).toBe("0 dns(ctx=1 token=2 size=4)");
  expect(resolved("10.0.0.1", {}).at(-1)).toBe("0   dns 10.0.0.1 = 0 2");
  expect(resolved("10.0.0.1", { "10.0.0.1": ["10.0.0.2"] })[0]).toBe("0   dns 10.0.0.1 = 0 2");
});

test.each<[DnsNames, RegExp]>([
  [{ "a.b": ["localhost"] }, /address "localhost"/],
  [{ "a.b": { addresses: [], ttl: "5" } }, /5ms/],
  [{ "a.b": { address: [] } as never }, /did you mean addresses/],
  [{ "a.b": { ttl: "5s" } as never }, /a.b has no addresses; give a list of them, or fail: true/],
  [{ "a.b": { addresses: "10.0.0.1" } as never }, /a.b has no addresses; give a list/],
  [{ "a.b": { addresses: ["10.0.0.999"] } }, /address "10.0.0.999"/],
  [{ "a.b": { addresses: [5 as never] } }, /address 5/],
  [{ "a.b": { addresses: [":::"] } }, /address ":::"/],
  [{ "a.b": { fail: false } as never }, /fail is false; write true, or leave it out/],
  [{ "a.b": { fail: true, addresses: [] } as never }, /no option "addresses"/],
  [{ "a.b": { addresses: [], delay: 5 as never } }, /dns name a.b: delay: 5 is no duration/],
])("wrong names %j are told", (dns, message) => {
  expect(() => resolved("a.b", dns)).toThrow(MockHostError);
  expect(() => resolved("a.b", dns)).toThrow(message);
});

test("what only looks like an address is a name", () => {
  expect(resolved("10.0.0.999", {}).slice(0, 2)).toEqual([
    "0   dns 10.0.0.999 = 0 2",
    "0 dns(ctx=1 token=2 size=4)",
  ]);
});
