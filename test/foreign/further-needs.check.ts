/** The other needs of foreign modules: FP4, FP7 to FP11, FP14, FP15 and FP18, each met with a real module. */
import { describe, expect, it } from "vitest";
import { MockEnvoy } from "../../host-mock/index.ts";
import { foreignModule } from "./build.ts";
import type { ForeignName } from "./build.ts";
import { aiProxyConfiguration } from "./checks/ai.ts";
import { asAbi020 } from "./checks/cpp.ts";
import {
  higressWith,
  leaderActs,
  mockWith,
  pluginName,
  posted,
  said,
  sentHeader,
  threadsOf,
} from "./host.ts";

type Events = MockEnvoy["trace"];

const callsOf = (envoy: MockEnvoy, name: string): Events =>
  envoy.trace.filter((event) => event.event === "call" && event.name === name);
const traps = (envoy: MockEnvoy): Events => envoy.trace.filter(({ event }) => event === "trap");
const argument = (event: Events[number], name: string): string => {
  const value = event.args[name];
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : JSON.stringify(value);
};
const textsOf = (envoy: MockEnvoy): string[] => said(envoy).map(({ text }) => text);

describe("FP4 plugin_root_id can always be read", () => {
  const cpp = (): MockEnvoy => new MockEnvoy({ plugins: [{ name: pluginName, wasm: asAbi020() }] });

  it("a C++ plugin without one starts, and serves", () => {
    const envoy = cpp().start();

    expect(envoy.thread("worker_0").request({}).status).toBe(200);
    expect(traps(envoy)).toEqual([]);
  });

  it("one that is not told aborts as soon as its context is made", () => {
    const envoy = cpp().start();
    envoy.thread("worker_0").refuse({ call: "proxy_get_property", status: "NotFound" });
    envoy.thread("worker_0").restart();
    envoy.thread("worker_0").refuse({ call: "proxy_get_property", status: "NotFound" });

    envoy.advance("1ms");

    expect(traps(envoy).map(({ thread, name }) => [thread, name])).toEqual([
      ["worker_0", "proxy_on_context_create"],
    ]);
  });
});

describe("FP7 header names are found in any case", () => {
  it("gpustack-ai-proxy asks for and sets names with capitals, and the one header there is changes", () => {
    const configuration = aiProxyConfiguration;
    const envoy = higressWith([{ name: pluginName, module: "gpustack-ai-proxy", configuration }], {
      alsoCalls: ["proxy_get_header_map_value", "proxy_replace_header_map_value"],
    });
    const headers = { authorization: "Bearer the-client's" };

    const exchange = envoy
      .thread("worker_0")
      .request(posted("/v1/chat/completions", { model: "m" }, { headers }));
    envoy.advance("10ms");

    const asked = callsOf(envoy, "proxy_get_header_map_value").filter(
      (event) => /[A-Z]/.test(argument(event, "name")) && event.status === "Ok",
    );
    expect(asked.length).toBeGreaterThan(0);
    const authorizations = exchange.upstream?.headers.filter(([name]) => name === "authorization");
    expect(authorizations).toHaveLength(1);
    expect(sentHeader(exchange, "authorization")).toMatch(/^Bearer tok-/);
  });
});

describe("FP8 a body is replaced as a whole by (0, 0x7fffffff)", () => {
  it("transformer's new body is longer and shorter than the old one, and all of it", () => {
    const configuration = {
      reqRules: [{ operate: "replace", body: [{ key: "a", newValue: "x".repeat(5000) }] }],
      respRules: [{ operate: "remove", body: [{ key: "a" }] }],
    };
    const envoy = higressWith([{ name: pluginName, module: "transformer", configuration }], {
      alsoCalls: ["proxy_set_buffer_bytes"],
    });
    const upstream = {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ a: "y".repeat(5000), b: 1 }),
    };

    const exchange = envoy.thread("worker_0").request(posted("/", { a: "1" }, { upstream }));
    envoy.advance("10ms");

    const sets = callsOf(envoy, "proxy_set_buffer_bytes");
    expect(sets.map(({ args, status }) => [args["start"], args["length"], status])).toEqual([
      [0, 0x7fffffff, "Ok"],
      [0, 0x7fffffff, "Ok"],
    ]);
    expect(JSON.parse(new TextDecoder().decode(exchange.upstream?.body))).toEqual({
      a: "x".repeat(5000),
    });
    expect(JSON.parse(exchange.text())).toEqual({ b: 1 });
  });
});

describe("FP9 get_log_level answers four bytes", () => {
  const started = (bytes: readonly number[] | null, profile = "higress") =>
    mockWith("go_hello_stock", {
      profile,
      configuration: "{}",
      ...(bytes === null
        ? {}
        : { foreignFunctions: { get_log_level: () => ({ result: Uint8Array.from(bytes) }) } }),
    }).start();
  const words = "plugin start successfully";
  const logs = (envoy: MockEnvoy): boolean => textsOf(envoy).some((text) => text.includes(words));

  it("the host's own level lets the plugin speak; one set to 4, error, does not", () => {
    expect(logs(started(null))).toBe(true);
    expect(logs(started([2, 0, 0, 0]))).toBe(true);
    expect(logs(started([4, 0, 0, 0]))).toBe(false);
  });

  it("a host without the function gets all lines", () => {
    expect(logs(started(null, "envoy"))).toBe(true);
  });

  it("fewer bytes make the plugin panic", () => {
    const envoy = mockWith("go_hello_stock", {
      profile: "higress",
      configuration: "{}",
      allowRefusedStart: true,
      foreignFunctions: { get_log_level: () => ({ result: Uint8Array.from([2, 0]) }) },
    });
    envoy.start();

    expect(traps(envoy).length).toBeGreaterThan(0);
    expect(textsOf(envoy).join("\n")).toMatch(/panic|out of range/);
  });
});

const balancing = [
  {
    name: "context",
    module: "gpustack-lb" as ForeignName,
    configuration: { mode: "context", candidates: [{ cluster: "outbound|80||a", targetId: "1" }] },
  },
  { name: "finish", module: "gpustack-lb" as ForeignName, configuration: { mode: "finisher" } },
];

describe("FP10 properties that Higress's plugins read", () => {
  it("what one plugin sets, the next one of the stream reads: gpustack_lb_candidates and x_request_id", () => {
    const envoy = higressWith(balancing, {
      alsoCalls: ["proxy_get_property", "proxy_set_property"],
    });

    const exchange = envoy
      .thread("worker_0")
      .request(posted("/v1/responses", {}, { headers: { "x-request-id": "id-1" } }));

    const read = callsOf(envoy, "proxy_get_property").filter(({ plugin }) => plugin === "finish");
    const candidates = read.find((event) =>
      argument(event, "path").includes("gpustack_lb_candidates"),
    );
    expect(candidates?.status).toBe("Ok");
    expect(sentHeader(exchange, "x-higress-target-cluster")).toBe("outbound|80||a");
    const lines = textsOf(envoy).filter((text) => text.includes("[id-1]"));
    const asked = read.filter((event) => argument(event, "path").includes("x_request_id"));
    expect(lines.length + asked.length).toBeGreaterThan(0);
    expect(asked.every(({ status }) => status === "Ok" || status === "NotFound")).toBe(true);
  });

  it("route_name and cluster_name are the listener's, plugin_vm_memory is the memory's size", () => {
    const envoy = higressWith([{ name: pluginName, module: "ai-statistics", configuration: {} }], {
      listeners: { main: { routeName: "route-7", clusterName: "outbound|80||llm" } },
      alsoCalls: ["proxy_get_property"],
    });

    envoy.thread("worker_0").request(posted("/v1/chat/completions", {}));

    const value = (name: string): unknown =>
      callsOf(envoy, "proxy_get_property").findLast((event) =>
        argument(event, "path").includes(name),
      )?.status;
    expect([value("route_name"), value("cluster_name"), value("plugin_vm_memory")]).toEqual([
      "Ok",
      "Ok",
      "Ok",
    ]);
    const [, bytes] = /Current VM memory usage: (\d+) bytes/.exec(textsOf(envoy).join("\n")) ?? [];
    expect(Number(bytes) % 65_536).toBe(0);
    expect(Number(bytes)).toBeGreaterThan(1024 * 1024);
  });

  it("response.flags say what went wrong: a refused connection counts against a host, an answer of 500 does not", () => {
    const health = { unhealthyThreshold: 1, cooldownMs: 60_000 };
    const [context, finish] = balancing;
    const candidates = ["a", "b"].map((name) => ({
      cluster: `outbound|80||${name}`,
      targetId: name,
    }));
    const envoy = higressWith([
      { ...context!, configuration: { mode: "context", candidates } },
      { ...finish!, configuration: { mode: "finisher", health } },
    ]);
    const ask = (upstream: NonNullable<Parameters<typeof posted>[2]>["upstream"]) => {
      const exchange = envoy
        .thread("worker_0")
        .request(posted("/v1/responses", {}, { upstream: upstream! }));
      envoy.advance("20ms");
      return sentHeader(exchange, "x-higress-target-cluster") ?? "none";
    };
    const chosenBy = (count: number) =>
      new Set(Array.from({ length: count }, () => ask({ status: 500 })));

    const before = chosenBy(20);
    const refused = envoy
      .thread("worker_0")
      .request({ path: "/v1/responses", upstream: { fail: "refuse_connection" } });
    envoy.advance("20ms");
    const after = chosenBy(20);

    expect(refused.status).toBe(503);
    expect(before.size).toBe(2);
    expect(after.size).toBe(1);
  });
});

describe("FP11 properties that Higress's plugins write", () => {
  const written = (envoy: MockEnvoy): Map<string, string> =>
    new Map(
      callsOf(envoy, "proxy_set_property").map((event) => [
        argument(event, "path").replaceAll(/["[\]]/g, ""),
        String(event.status),
      ]),
    );
  const noError = (envoy: MockEnvoy): unknown[] =>
    said(envoy).filter(({ level }) => level === "error");

  it("none is refused: request id, buffer limits, route cache, log and span tags", () => {
    const span = { key: "question", value_source: "request_body", value: "model" };
    const envoy = higressWith(
      [
        {
          name: "stat",
          module: "ai-statistics",
          configuration: { attributes: [{ ...span, apply_to_log: true, apply_to_span: true }] },
        },
        { name: "limit", module: "gpustack-rate-limit", configuration: {} },
      ],
      { alsoCalls: ["proxy_set_property"] },
    );
    const upstream = { headers: { "content-type": "application/json" }, body: "{}" };

    envoy.thread("worker_0").request(posted("/v1/chat/completions", { model: "m" }, { upstream }));
    envoy.advance("1ms");

    const names = written(envoy);
    for (const name of ["x_request_id", "set_decoder_buffer_limit", "clear_route_cache", "ai_log"])
      expect(names.get(name)).toBe("Ok");
    expect(
      [...names].filter(([name]) => name.startsWith("trace_span_tag.")).length,
    ).toBeGreaterThan(0);
    expect(new Set(names.values())).toEqual(new Set(["Ok"]));
    expect(noError(envoy)).toEqual([]);
  });

  it("wasm_need_rebuild: after 1,000 requests gpustack-rate-limit gets a new VM, when it is idle", () => {
    const envoy = higressWith(
      [{ name: "limit", module: "gpustack-rate-limit", configuration: {} }],
      {
        logLevel: "warn",
      },
    );
    const worker = envoy.thread("worker_0");
    const vms = (): number =>
      envoy.trace.filter(({ name, thread }) => name === "vm_created" && thread === "worker_0")
        .length;
    for (let count = 0; count < 999; count++) worker.request({});
    const before = vms();

    const held = worker.request({ upstream: { delay: "1s" } });
    const beside = worker.request({});
    const whileBusy = vms();
    envoy.advance("2s");
    const after = worker.request({});

    expect([before, whileBusy, vms()]).toEqual([1, 1, 2]);
    expect([held.status, beside.status, after.status]).toEqual([200, 200, 200]);
    expect(traps(envoy)).toEqual([]);
  });
});

describe("FP14 a VM through which an error of the host went is never called again", () => {
  it.each(["rust_add_header", "go_hello"] as const)("%s: later requests get 503", (module) => {
    const envoy = mockWith(module, module === "go_hello" ? { configuration: "{}" } : {});
    envoy.start();
    const worker = envoy.thread("worker_0");
    worker.interpose({
      call: "proxy_add_header_map_value",
      run: () => {
        throw new Error("out of the test");
      },
    });

    expect(() => worker.request({})).toThrow("out of the test");
    const callbacks = envoy.trace.length;
    const later = worker.request({});

    expect(later.status).toBe(503);
    expect(envoy.trace.slice(callbacks).filter(({ event }) => event === "trap")).toEqual([]);
  });
});

/** All of the memory of a thread's only VM, as it is now. */
function memoryOf(envoy: MockEnvoy, thread: string): Uint8Array {
  const { memory } = [...envoy.thread(thread).vms.values()][0]!.instance;
  return memory.viewBytes(0, memory.sizeBytes)!;
}

describe("FP15 the state of Go and Rust is all in linear memory", () => {
  it.each(["go_metrics_reporter", "rust_add_header", "rust_add_header_wasip1"] as const)(
    "%s: a fresh VM with another one's memory goes on as that one",
    (module) => {
      const run = (takesOver: boolean): string[] => {
        const options = {
          seed: 5,
          ...(module.startsWith("go") ? { configuration: '{"period_ms": 1000}' } : {}),
        };
        const envoy = mockWith(module, options);
        envoy.start();
        envoy.thread("main").pause("1h");
        envoy.advance("10s");
        if (takesOver) {
          const saved = memoryOf(envoy, "worker_0").slice();
          envoy.thread("worker_0").restart();
          const fresh = memoryOf(envoy, "worker_0");
          expect(fresh.length).toBe(saved.length);
          expect(Buffer.compare(fresh, saved)).not.toBe(0);
          fresh.set(saved);
        }
        const sinceNs = envoy.nowNs;
        envoy.thread("worker_0").request({});
        envoy.advance("30s");
        expect(traps(envoy)).toEqual([]);
        return said(envoy)
          .filter(
            ({ thread, atNs, text }) =>
              thread === "worker_0" && atNs > sinceNs && !text.includes("start"),
          )
          .map(({ text }) => text);
      };

      const went = run(false);

      expect(went.length).toBeGreaterThan(20);
      expect(run(true)).toEqual(went);
    },
  );
});

describe("FP18 wasm-go asks thirteen things before the plugin's own code", () => {
  it("eight reads of headers, the request id, a property, :authority, route and cluster", () => {
    const envoy = mockWith("go_hello", { configuration: "{}", trace: "full" });
    envoy.start();
    const events: Events[number][] = [];
    envoy.recorder.listen((event) => events.push(event));

    envoy.thread("worker_0").request({});

    const from = events.findIndex(
      ({ event, name }) => event === "callback" && name === "proxy_on_request_headers",
    );
    const to = events.findIndex(({ name }) => name === "proxy_add_header_map_value");
    const names = events
      .slice(from, to)
      .filter(({ event, name }) => event === "call" && name.startsWith("proxy_"))
      .map(({ name }) => name);
    expect(names).toHaveLength(13);
    expect(names.filter((name) => name === "proxy_get_header_map_value")).toHaveLength(10);
    expect(names.filter((name) => name === "proxy_set_property")).toHaveLength(1);
    expect(names.slice(-2)).toEqual(["proxy_get_property", "proxy_get_property"]);
  });
});

it("needs of elections hold for every thread: one leader over three VMs (FP16)", () => {
  const envoy = new MockEnvoy({
    profile: "higress",
    concurrency: 2,
    plugins: [
      { name: pluginName, wasm: foreignModule("go_metrics_reporter"), configuration: "{}" },
    ],
  });
  envoy.start().advance("5s");

  expect(threadsOf(leaderActs(envoy))).toHaveLength(1);
});
