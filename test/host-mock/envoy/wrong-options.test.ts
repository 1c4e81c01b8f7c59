import { describe, expect, test, vi } from "vitest";
import { MockEnvoy } from "../../../host-mock/envoy/mock-envoy.ts";
import { resolveForeignFunctions } from "../../../host-mock/envoy/foreign/own-functions.ts";
import { MockHostError } from "../../../host-mock/errors.ts";
import { wasm as engine } from "../../../host-mock/abi/wasm-api.ts";
import { Cluster } from "../../../host-mock/http/cluster.ts";
import { rawPlugin } from "../../support/raw-guest.ts";

const wasm = rawPlugin("");

/** `CODE message` of the one error; anything else that is thrown fails the test. */
function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (!(error instanceof MockHostError)) throw error;
    expect(error.remedy).toBeDefined();
    return `${error.code} ${error.message}`;
  }
  throw new Error("it was accepted");
}

function envoyOf(options: object = {}, plugin: object = {}): MockEnvoy {
  const plugins = [{ name: "p", wasm, ...plugin }];
  return new MockEnvoy({ plugins, clusters: { c: {} }, ...options });
}

type Row = readonly [behaviour: string, given: unknown, message: string];

const ofPlugin: readonly Row[] = [
  ["failOpen as text", { failOpen: "false" }, 'plugin p: failOpen is "false"; write true'],
  [
    "a flag of streams as text",
    { allowOnHeadersStopIteration: "no" },
    'plugin p: allowOnHeadersStopIteration is "no"; write true or false',
  ],
  ["rootId 5", { rootId: 5 }, "plugin p: rootId is 5; give a text"],
  ["vmId 5", { vmId: 5 }, "plugin p: vmId is 5; give a text"],
  ["failurePolicy 1", { failurePolicy: 1 }, "plugin p: failurePolicy is 1; write one of"],
  ["reload alone", { reload: { baseInterval: "1s" } }, "plugin p: reload stands without"],
  ["environment of a number", { environment: { A: 1 } }, "plugin p: environment: A is 1"],
  ["environment as a list", { environment: ["A"] }, "plugin p: environment is given a list"],
  ["a variable with =", { environment: { "A=B": "c" } }, '"A=B" is no variable; give a name'],
  ["configuration Map", { configuration: new Map([["a", 1]]) }, "configuration is a Map"],
  ["configuration buffer", { configuration: new ArrayBuffer(3) }, "is an ArrayBuffer"],
  ["configuration null", { configuration: null }, "plugin p: configuration is nothing"],
  ["configuration 5", { configuration: 5 }, "plugin p: configuration is 5; give a plain"],
  ["configuration function", { configuration: () => 5 }, "configuration is a function"],
  ["vmConfiguration 5", { vmConfiguration: 5 }, "plugin p: vmConfiguration is 5"],
  [
    "a mistyped capability",
    { allowedCapabilities: ["proxy_lgo"] },
    'E_UNKNOWN_NAME there is no import or export "proxy_lgo" (did you mean proxy_log?)',
  ],
];

const ofEnvoy: readonly Row[] = [
  ["allowRefusedStart as text", { allowRefusedStart: "false" }, 'allowRefusedStart is "false"'],
  [
    "allowUpgrade as text",
    { listeners: { l: { allowUpgrade: "no" } } },
    'listener l: allowUpgrade is "no"; write true or false',
  ],
  [
    "a mistyped call to record",
    { alsoCalls: ["proxy_lgo"] },
    'E_UNKNOWN_NAME there is no host call or callback "proxy_lgo" (did you mean proxy_log?)',
  ],
  ["alsoCalls as a text", { alsoCalls: "proxy_log" }, 'alsoCalls is "proxy_log"; give a list'],
  ["node id 5", { node: { id: 5 } }, "node: id is 5; give a text"],
  ["a route's name 5", { listeners: { l: { routeName: 5 } } }, "listener l: routeName is 5"],
  ["plugins as a text", { listeners: { l: { plugins: "p" } } }, 'listener l: plugins is "p"'],
  ["a list of listeners", { listeners: [{}] }, "listeners is given a list"],
  ["a list of clusters", { clusters: [] }, "clusters is given a list; give an object"],
  ["a Map of clusters", { clusters: new Map() }, "clusters is given a Map"],
  ["logLevel 3", { logLevel: 3 }, "logLevel is 3; write one of trace"],
  ["trace true", { trace: true }, "trace is true; write one of outcome, full"],
  ["undeclaredClusters true", { undeclaredClusters: true }, "undeclaredClusters is true"],
  ["drain {}", { drain: {} }, "drain: an object is no duration"],
  ["drain in a list", { drain: ["1s"] }, "drain: a list is no duration"],
  ["profile 5", { profile: 5 }, "profile is 5; give a text"],
  ["start 5n", { start: 5n }, "start is a bigint; give a text"],
  ...(
    [
      ["5", 5, "properties is given a number"],
      ["text", "x", "properties is given a string"],
      ["NaN", { a: NaN }, '"a" has no value for a property; give a text, a finite number'],
      ["a bigint of 71 bits", { a: 2n ** 70n }, '"a" has no value for a property'],
    ] as const
  ).map(([what, properties, message]): Row => [
    `properties: ${what}`,
    { listeners: { l: { properties } } },
    message,
  ]),
];

const ofRequest: readonly Row[] = [
  ["headers in a Map", { headers: new Map([["a", "b"]]) }, "and a text: a Map; give {name"],
  ["headers in Headers", { headers: new Headers({ a: "b" }) }, "a text: a Headers; give"],
  ["trailers in a Map", { trailers: new Map() }, "a request's trailers are no pairs"],
  ["body {a: 1}", { body: { a: 1 } }, "a request's body is an object; give a text or bytes"],
  ["body 5", { body: 5 }, "a request's body is a number; give a text or bytes"],
  ["body [5]", { body: [5] }, "a request's body has a number in it; give a text or bytes"],
  ["body ArrayBuffer", { body: new ArrayBuffer(3) }, "a request's body is an ArrayBuffer"],
  ["body null", { body: null }, "a request's body is nothing; give a text or bytes"],
  ["an answer's body 5", { upstream: { body: 5 } }, "upstream's body is a number"],
  ["an answer in a Map", { upstream: new Map() }, "upstream is given a Map for its options"],
];

const verbs: readonly (readonly [
  behaviour: string,
  // The arguments are wrong on purpose.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  act: (envoy: any, thread: any) => unknown,
  message: string,
])[] = [
  [
    "refuse with a mistyped count",
    (_, thread) => thread.refuse({ call: "proxy_log", status: "BadArgument", cuont: 1 }),
    'E_OPTION refuse has no option "cuont" (did you mean count?)',
  ],
  [
    "refuse for a while and so often",
    (_, thread) => thread.refuse({ call: "proxy_log", status: "Ok", for: "1s", count: 1 }),
    "E_OPTION refuse is given both for and count",
  ],
  ["refuse()", (_, thread) => thread.refuse(), "E_OPTION refuse is given nothing"],
  [
    "a status 5",
    (_, thread) => thread.refuse({ call: "proxy_log", status: 5 }),
    "E_UNKNOWN_NAME there is no status 5",
  ],
  ["delayCalls()", (_, thread) => thread.delayCalls(), "E_OPTION delay_calls is given nothing"],
  [
    "delayCalls with an unknown key",
    (_, thread) => thread.delayCalls({ cluster: "c", by: "1s", for: "1s", fro: "1s" }),
    'E_OPTION delay_calls has no option "fro" (did you mean for?)',
  ],
  [
    "delayCalls without an end",
    (_, thread) => thread.delayCalls({ cluster: "c", by: "1s" }),
    "E_OPTION delay_calls: for: nothing is no duration",
  ],
  ["trapNext()", (_, thread) => thread.trapNext(), "E_UNKNOWN_NAME there is no callback nothing"],
  [
    "trapNext of options",
    (_, thread) => thread.trapNext({ callback: "proxy_on_tick" }),
    "E_UNKNOWN_NAME there is no callback an object",
  ],
  [
    "trapNext of plugin 5",
    (_, thread) => thread.trapNext("proxy_on_tick", 5),
    "E_UNKNOWN_NAME there is no plugin 5",
  ],
  ["interpose()", (_, thread) => thread.interpose(), "E_OPTION interpose is given nothing"],
  [
    "interpose with a mistyped nth",
    (_, thread) => thread.interpose({ call: "proxy_log", nht: 2, run: () => null }),
    'E_OPTION interpose has no option "nht" (did you mean nth?)',
  ],
  [
    "interpose without run",
    (_, thread) => thread.interpose({ call: "proxy_log" }),
    "E_OPTION interpose: run is nothing; give a function",
  ],
  [
    "setSharedData with a mistyped vmId",
    (envoy) => envoy.setSharedData({ key: "k", value: "v", vmid: "x" }),
    'E_OPTION set_shared_data has no option "vmid" (did you mean vmId?)',
  ],
  [
    "setSharedData without value",
    (envoy) => envoy.setSharedData({ key: "k" }),
    "E_OPTION set_shared_data: value is nothing",
  ],
  ["setSharedData()", (envoy) => envoy.setSharedData(), "E_OPTION set_shared_data is given"],
  ["thread(0)", (envoy) => envoy.thread(0), "E_UNKNOWN_NAME there is no thread 0"],
  ["advance()", (envoy) => envoy.advance(), "E_OPTION advance: nothing is no duration"],
  ["advance(5)", (envoy) => envoy.advance(5), "5 is no duration; write a unit, for example 5ms"],
  ["at without a function", (envoy) => envoy.at("1s", 5), "what is to be done is 5; give a"],
  ["shiftWallClock(5)", (envoy) => envoy.shiftWallClock(5), "wall_clock: 5 is no duration"],
  ["wipe(5)", (envoy) => envoy.wipe(5), "E_OPTION wipe: vmId is 5; give a text"],
  ["reconfigure to 5", (envoy) => envoy.reconfigure("p", 5), "a configuration is 5; give a"],
  ["reconfigure of 5", (envoy) => envoy.reconfigure(5), "E_UNKNOWN_NAME there is no plugin 5"],
  ["redis(5)", (envoy) => envoy.redis(5), "E_UNKNOWN_NAME there is no Redis cluster 5"],
];

describe("wrong input is one MockHostError that says what to do:", () => {
  test.each(ofPlugin)("plugin: %s", (_, plugin, message) => {
    expect(refusal(() => envoyOf({}, plugin as object))).toContain(message);
  });

  test.each(ofEnvoy)("MockEnvoy: %s", (_, options, message) => {
    expect(refusal(() => envoyOf(options as object))).toContain(message);
  });

  test.each(ofRequest)("request: %s", (_, request, message) => {
    const worker = envoyOf().start().thread("worker_0");
    expect(refusal(() => worker.request(request as object))).toContain(message);
  });

  test.each(verbs)("%s", (_, act, message) => {
    const envoy = envoyOf().start();
    expect(refusal(() => act(envoy, envoy.thread("worker_0")))).toContain(message);
  });

  test("redis command(null)", () => {
    const envoy = envoyOf({ clusters: { r: { redis: {} } } });
    expect(refusal(() => envoy.redis("r").command(null as never))).toContain(
      "E_OPTION cluster r: command is given nothing among its words; give texts",
    );
  });
});

describe("an answer that is none is one MockHostError:", () => {
  test.each<Row>([
    ["a promise", Promise.resolve({ status: 204 }), "cluster c gave a Promise for an answer"],
    ["a Map", new Map(), "cluster c gave a Map for an answer"],
    ["nothing", undefined, "cluster c gave nothing for an answer"],
    ["headers in a Map", { headers: new Map([["a", "b"]]) }, "cluster c: headers are no pairs"],
  ])("of a cluster: %s", (_, answer, message) => {
    const cluster = new Cluster("c", () => answer as object);
    expect(refusal(() => cluster.receive({} as never))).toContain(`E_OPTION ${message}`);
  });

  test.each<Row>([
    ["a mistyped key", { reslt: "x" }, '"reslt" (did you mean result?)'],
    ["a promise", Promise.resolve({}), "foreignFunctions.f has answered no object: a Promise"],
    ["a status by number", { status: 2 }, "E_UNKNOWN_NAME there is no status 2; there are Ok"],
  ])("of a foreign function: %s", (_, answer, message) => {
    const run = resolveForeignFunctions({ f: () => answer as object }).get("f");
    expect(refusal(() => run?.(new Uint8Array(0), {} as never))).toContain(message);
  });
});

test("bytes for a TCP connection come one part at a time", () => {
  const envoy = envoyOf({}, { kind: "network" });
  const connection = envoy.thread("worker_0").connect();
  for (const side of [connection, connection.upstream]) {
    expect(refusal(() => side.send(["a", "b"] as never))).toContain(
      "send's argument is a list; give a text or bytes, one part at a time",
    );
  }
});

test("one VM more than Node has room for names how many there were", () => {
  const envoy = envoyOf({ concurrency: 5 });
  const { Instance } = engine;
  let left = 4;
  const full = vi.spyOn(engine, "Instance").mockImplementation(function (module, imports) {
    // What V8 says when no more addresses are left, after 13,000 VMs.
    if (left-- > 0) return new Instance(module, imports);
    throw new RangeError("WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory");
  });
  try {
    expect(refusal(() => envoy.start())).toMatch(
      /^E_OPTION Node has no room for the memory of one more VM, with \d VMs on 6 threads; lower/,
    );
  } finally {
    full.mockRestore();
  }
});

describe("what the host takes as before:", () => {
  test("pairs of a Map and of Headers, plain lists as configuration, names of both ABIs", () => {
    const envoy = envoyOf(
      { alsoCalls: ["proxy_on_tick", "fd_write", "proxy_redis_call"] },
      { configuration: [1, { a: 2 }], allowedCapabilities: ["proxy_continue_request", "other"] },
    ).start();
    const headers = [...new Map([["a", "b"]]), ...new Headers({ c: "d" })];
    expect(envoy.thread("worker_0").request({ headers, body: ["x", "y"] }).status).toBe(200);
  });
});
