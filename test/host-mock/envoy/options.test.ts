import { describe, expect, test } from "vitest";
import { MockEnvoy, type MockEnvoyOptions } from "../../../host-mock/envoy/mock-envoy.ts";
import { MockHostError } from "../../../host-mock/errors.ts";
import { rawPlugin } from "../../support/raw-guest.ts";

const wasm = rawPlugin("");

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (!(error instanceof MockHostError)) throw error;
    expect(error.code).toBe("E_OPTION");
    return error.message;
  }
  throw new Error("it was accepted");
}

const circular: Record<string, unknown> = {};
circular["self"] = circular;

describe("wrong options are E_OPTION with a remedy:", () => {
  test.each<[behaviour: string, options: unknown, message: string]>([
    ["none at all", undefined, "MockEnvoy is given nothing for its options; give an object with"],
    ["no plugin", {}, "there is no plugin"],
    [
      "a misspelt one",
      { concurency: 2, plugins: [{ name: "p", wasm }] },
      'MockEnvoy has no option "concurency" (did you mean concurrency?); its options are',
    ],
    [
      "a misspelt one of a plugin",
      { plugins: [{ name: "p", wasm, rootID: "x" }] },
      'a plugin has no option "rootID" (did you mean rootId?)',
    ],
    ["a plugin that is none", { plugins: [5] }, "a plugin is given a number for its options"],
    ["a module that is a number", { plugins: [{ name: "p", wasm: 5 }] }, "plugin p: wasm is 5"],
    [
      "a configuration that contains itself",
      { plugins: [{ name: "p", wasm, configuration: circular }] },
      "a configuration has no JSON text (Converting circular structure to JSON",
    ],
    [
      "a cost of a call that no call has",
      { callCost: "2h", plugins: [{ name: "p", wasm }] },
      "callCost is 2h; give at most 1s",
    ],
    [
      "a misspelt key of a cluster",
      { plugins: [{ name: "p", wasm }], clusters: { c: { statsu: 204 } } },
      'cluster c has no option "statsu" (did you mean status?)',
    ],
    [
      "a cluster that sets its status by a header",
      { plugins: [{ name: "p", wasm }], clusters: { c: { headers: { ":status": "500" } } } },
      "cluster c: headers cannot set the pseudo-header :status; give status instead",
    ],
  ])("%s", (_, options, message) => {
    expect(refusal(() => new MockEnvoy(options as MockEnvoyOptions))).toContain(message);
  });
});

describe("a wrong request is E_OPTION with a remedy:", () => {
  test.each<[behaviour: string, request: unknown, message: string]>([
    ["a method that is a number", { method: 5 }, "a request's method is 5; give a text"],
    ["a misspelt key", { pth: "/" }, 'a request has no option "pth" (did you mean path?)'],
    ["a header that is a number", { headers: { a: 1 } }, "a request's headers are no pairs"],
    ["a header of three parts", { headers: [["a", "b", "c"]] }, "a request's headers are no pairs"],
    [
      "a path as a header",
      { headers: { ":path": "/x" } },
      "a request's headers cannot set the pseudo-header :path; give path instead",
    ],
    [
      "an upstream's status as a header",
      { upstream: { headers: { ":status": "500" } } },
      "give status instead",
    ],
  ])("%s", (_, request, message) => {
    const envoy = new MockEnvoy({ plugins: [{ name: "p", wasm }] });

    expect(refusal(() => envoy.thread("worker_0").request(request as object))).toContain(message);
  });

  test("authority and scheme may stand among the headers", () => {
    const envoy = new MockEnvoy({ plugins: [{ name: "p", wasm }] });

    const { status, upstream } = envoy
      .thread("worker_0")
      .request({ headers: { ":authority": "here", ":scheme": "https" } });

    expect(status).toBe(200);
    expect(upstream?.headers).toContainEqual([":authority", "here"]);
  });
});

test("names that objects treat apart are kept: a key, a metric, a cluster called __proto__", () => {
  const clusters = Object.fromEntries([["__proto__", { status: 204 }]]);
  const envoy = new MockEnvoy({ plugins: [{ name: "p", wasm }], clusters });

  envoy.setSharedData({ key: "__proto__", value: "v" });
  envoy.end();

  const shared = envoy.trace.at(-1)?.args["shared_data"] as Record<string, object>;
  expect(Object.keys(shared[""] ?? {})).toEqual(["__proto__"]);
  expect(envoy.clusterNames).toEqual(["__proto__"]);
});
