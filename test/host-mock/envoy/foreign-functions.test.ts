import { generateKeyPairSync } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { MockHostError } from "../../../host-mock/errors.ts";
import { MockEnvoy } from "../../../host-mock/envoy/mock-envoy.ts";
import type { MockEnvoyOptions } from "../../../host-mock/envoy/options.ts";
import { lossyUtf8 } from "../../../host-mock/state/bytes.ts";
import { guestBytes } from "../../conformance/probe-script.ts";
import { fieldText, message } from "../../conformance/wire.ts";
import { keys } from "../../conformance/signed.ts";
import { linesOf } from "./guests.ts";

let guest: Uint8Array;

beforeAll(async () => {
  guest = await guestBytes();
});

/** What each `foreign` operation of the script answered, in a request's headers callback. */
function answers(
  script: string,
  foreignFunctions: MockEnvoyOptions["foreignFunctions"] = {},
): string[] {
  const envoy = new MockEnvoy({ plugins: [{ name: "p", wasm: guest }], foreignFunctions });
  envoy.start();
  const since = envoy.recorder.events.length;
  envoy.thread("worker_0").request({ headers: { "x-probe": `request_headers: ${script}` } });
  return linesOf(envoy, undefined, since)
    .filter((line) => line.startsWith("  foreign"))
    .map((line) => line.slice(line.lastIndexOf(" = ") + 3));
}

const hex = (text: string): string => Buffer.from(text).toString("hex");

describe("a test's own foreign functions", () => {
  it("get the argument and the caller, and answer with text, bytes or a status", () => {
    const seen: unknown[] = [];

    const given = answers(
      `foreign get ${hex("arg")}; foreign bytes ~; foreign nothing ~; foreign refuse ~`,
      {
        get: (argument, caller) => {
          seen.push([lossyUtf8(argument), caller]);
          return { result: "secret" };
        },
        bytes: () => ({ result: new Uint8Array([1, 2]) }),
        nothing: () => ({}),
        refuse: () => ({ status: "BadArgument" }),
      },
    );

    expect(given).toEqual(["0 secret", "0 0x0102", "0 null", "2 null"]);
    expect(seen).toEqual([["arg", { thread: "worker_0", plugin: "p", contextId: 2, rootId: 1 }]]);
  });

  it("stand before Envoy's own of the same name", () => {
    expect(
      answers("foreign clear_route_cache ~", { clear_route_cache: () => ({ result: "mine" }) }),
    ).toEqual(["0 mine"]);
  });

  it.each([
    ["no function", { f: "x" }, "foreignFunctions.f is no function"],
    ["no object", { f: () => 7 }, "foreignFunctions.f has answered no object"],
    [
      "a promise",
      { f: async () => Promise.resolve({}) },
      "foreignFunctions.f has answered no object",
    ],
    [
      "a number for a result",
      { f: () => ({ result: 7 }) },
      "foreignFunctions.f: result is a number",
    ],
    ["a list of functions", [() => ({})], "foreignFunctions is given a list"],
    ["an unknown status", { f: () => ({ status: "Okay" }) }, 'there is no status "Okay"'],
  ])("are refused: %s", (_what, functions, words) => {
    expect(() =>
      answers("foreign f ~", functions as unknown as MockEnvoyOptions["foreignFunctions"]),
    ).toThrow(words);
  });
});

describe("foreign functions that are not built", () => {
  const put = (key: string): string =>
    `foreign set_envoy_filter_state ${message(fieldText(1, key), fieldText(2, "x"))}`;

  it.each([
    ["expressions", `foreign expr_create ${hex("1")}`],
    ["their evaluation", "foreign expr_evaluate 00000000"],
    ["their end", "foreign expr_delete 00000000"],
    ["an object whose values are not known", put("envoy.ai.llm_protocol.request")],
    ["another one", put("envoy.network.transport_socket.http_11_proxy.info")],
  ])("end the run with E_UNSUPPORTED: %s", (_what, script) => {
    const run = () => answers(script);

    expect(run).toThrow(MockHostError);
    expect(run).toThrow(expect.objectContaining({ code: "E_UNSUPPORTED" }) as Error);
  });

  it("a signature with an elliptic curve, too", () => {
    const { privateKey } = ecKeys();
    const script = `foreign sign ${message(fieldText(1, "sha256"), fieldText(2, privateKey))}`;

    expect(() => answers(script)).toThrow("sign with a key of an elliptic curve");
  });

  it("while a signature with RSA is the same each time", () => {
    const script = `foreign sign ${message(fieldText(1, "sha256"), fieldText(2, keys.rsaPrivateDer))}`;

    expect(answers(script)).toEqual(answers(script));
  });
});

function ecKeys(): { privateKey: string } {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { privateKey: privateKey.export({ type: "pkcs8", format: "der" }).toString("latin1") };
}
