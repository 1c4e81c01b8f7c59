import { describe, expect, test } from "vitest";
import { MockEnvoy } from "../../../host-mock/index.ts";
import { higress, higressGuest, logsOf, statuses } from "./higress-guest.ts";

describe("upstream hosts", () => {
  const upstreamHosts = {
    llm: { "10.0.0.1:80": { metrics: "load 1" }, "10.0.0.2:80": { isHealthy: false } },
  };
  const hosts = (requestHeaders: string, texts = {}) =>
    higress(
      { texts, requestHeaders },
      {
        upstreamHosts,
        listeners: { main: { clusterName: "llm" } },
        alsoCalls: ["proxy_get_property"],
      },
    );

  test("are those of the cluster that the listener routes to", () => {
    const envoy = hosts("(drop (call $hosts {outs})) {log}");

    envoy.thread("worker_0").request({});

    const [blob = ""] = logsOf(envoy);
    expect(blob).toContain('10.0.0.1:80\0{"health_status":"Healthy","metrics":"load 1"}\0');
    expect(blob).toContain('10.0.0.2:80\0{"health_status":"Unhealthy","metrics":""}\0');
  });

  test.each([
    ["10.0.0.2:80", "10.0.0.2:80"],
    ["10.9.9.9:80", "127.0.0.1:20000"],
  ])("asked for %s, the load balancer takes %s", (wanted, taken) => {
    const envoy = higress(
      {
        texts: { wanted, address: "upstream\0address" },
        requestHeaders: "(drop (call $override {wanted}))",
        responseHeaders: "(drop (call $get_property {address} {outs})) {log}",
      },
      { upstreamHosts, listeners: { main: { clusterName: "llm" } } },
    );

    envoy.thread("worker_0").request({});
    envoy.advance("1ms");

    expect(logsOf(envoy)).toEqual([taken]);
  });

  test("a name that is no address is refused", () => {
    const made = () => higress({ texts: {} }, { upstreamHosts: { llm: { "llm.local": "{}" } } });

    expect(made).toThrow(/"llm.local" is no address/);
  });

  test.each([
    ["a number for all", 5, "upstreamHosts is given a number"],
    ["a list for a cluster", { llm: [] }, "upstreamHosts of llm is given a list"],
    [
      "nothing for a host",
      { llm: { "10.0.0.1:80": null } },
      "upstreamHosts of llm: 10.0.0.1:80 is given nothing",
    ],
    ["a word for a flag", { llm: { "10.0.0.1:80": { isHealthy: "no" } } }, 'isHealthy is "no"'],
    ["a number for a text", { llm: { "10.0.0.1:80": { metrics: 5 } } }, "metrics is 5"],
  ])("%s is refused", (_, wrong, words) => {
    const made = () => higress({ texts: {} }, { upstreamHosts: wrong as never });

    expect(made).toThrow(expect.objectContaining({ code: "E_OPTION" }));
    expect(made).toThrow(words);
  });
});

describe("data injected into a response", () => {
  const stopAll = 4;
  const holding = (responseHeaders: string, texts: Readonly<Record<string, string>>) => {
    const envoy = higress({ texts, responseHeaders, responseAction: stopAll });
    const exchange = envoy.thread("worker_0").request({ upstream: { body: "late" } });
    envoy.advance("1ms");
    return exchange;
  };

  test("goes to the client at once, headers first, while the answer is held", () => {
    const exchange = holding("(drop (call $inject {one} (i32.const 0)))", { one: "early" });

    expect([exchange.receivedStatus, exchange.text(), exchange.done]).toEqual([
      200,
      "early",
      false,
    ]);
  });

  test("may end the response", () => {
    const exchange = holding(
      "(drop (call $inject {one} (i32.const 0))) (drop (call $inject {two} (i32.const 1)))",
      { one: "a", two: "b" },
    );

    expect([exchange.status, exchange.text(), exchange.done]).toEqual([200, "ab", true]);
  });

  test.each([
    "inject_encoded_data_to_filter_chain",
    "inject_encoded_data_to_filter_chain_on_header",
  ])("foreign function %s does the same", (name) => {
    const exchange = holding(
      "(drop (call $foreign {name} {message} (i32.const 0) (i32.const 0)))",
      { name, message: "\x0a\x05hello\x10\x01" },
    );

    expect([exchange.status, exchange.text()]).toEqual([200, "hello"]);
  });

  test("an argument that is no message is BadArgument", () => {
    const envoy = higress(
      {
        texts: { name: "inject_encoded_data_to_filter_chain", message: "\xff" },
        requestHeaders: "(drop (call $foreign {name} {message} (i32.const 0) (i32.const 0)))",
      },
      { alsoCalls: ["proxy_call_foreign_function"] },
    );

    envoy.thread("worker_0").request({});

    expect(statuses(envoy, "proxy_call_foreign_function")).toEqual(["BadArgument"]);
  });
});

describe("foreign functions of Higress", () => {
  const foreign = (
    name: string,
    argument: string,
    profile = "higress",
    logLevel: "debug" | "info" = "info",
  ) => {
    const words = {
      texts: { name, argument },
      requestHeaders: "(drop (call $foreign {name} {argument} {outs})) {log}",
    };
    const envoy = higress(words, { profile, logLevel, alsoCalls: ["proxy_call_foreign_function"] });
    envoy.thread("worker_0").request({});
    return [statuses(envoy, "proxy_call_foreign_function")[0], logsOf(envoy)[0]];
  };

  test("get_log_level gives the level as u32", () => {
    expect(foreign("get_log_level", "")).toEqual(["Ok", "\x02\0\0\0"]);
    expect(foreign("get_log_level", "", "higress", "debug")).toEqual(["Ok", "\x01\0\0\0"]);
  });

  test("set_global_max_requests_per_io_cycle takes a u64", () => {
    expect(foreign("set_global_max_requests_per_io_cycle", "\x05\0\0\0\0\0\0\0")[0]).toBe("Ok");
    expect(foreign("set_global_max_requests_per_io_cycle", "\x05")[0]).toBe("BadArgument");
  });
});

describe("VMs that Higress makes anew", () => {
  const created = (envoy: MockEnvoy) =>
    envoy.trace.filter(({ name, thread }) => name === "vm_created" && thread === "worker_0").length;

  test("a failed one, for a request 5 s after the last load or attempt, whatever the policy", () => {
    const envoy = higress({ texts: {} });
    const worker = envoy.thread("worker_0");
    const ask = () => worker.request({}).status;
    envoy.advance("4s");

    worker.trapNext("proxy_on_request_headers");
    const trapped = ask();
    const early = ask();
    envoy.advance("1s");
    const recovered = worker.request({});
    envoy.advance("1ms");

    expect([trapped, early, recovered.status]).toEqual([503, 503, 200]);
    expect(created(envoy)).toBe(2);
  });

  test("Envoy leaves it failed", () => {
    const plugins = [{ name: "guest", wasm: higressGuest({ texts: {} }) }];
    expect(() => new MockEnvoy({ plugins }).start()).toThrow(
      /proxy_redis_call|proxy_get_upstream_hosts/,
    );
  });

  test("one that asks for it, when no stream holds it; the value `false` takes the wish back", () => {
    const asking = (value: string) => ({
      texts: { name: "wasm_need_rebuild", value },
      requestHeaders: "(drop (call $set_property {name} {value}))",
    });
    const after = (value: string) => {
      const envoy = higress(asking(value));
      const held = envoy.thread("worker_0").request({ upstream: { delay: "1s" } });
      envoy.thread("worker_0").request({});
      const whileHeld = created(envoy);
      envoy.advance("2s");
      envoy.thread("worker_0").request({});
      expect(held.status).toBe(200);
      return [whileHeld, created(envoy)];
    };

    expect(after("true")).toEqual([1, 2]);
    expect(after("false")).toEqual([1, 1]);
  });
});

describe("properties", () => {
  test("a span tag is noted and not stored", () => {
    const envoy = higress(
      {
        texts: { name: "trace_span_tag.model", value: "gpt" },
        requestHeaders: `(drop (call $set_property {name} {value}))
          (drop (call $get_property {name} {outs}))`,
      },
      { alsoCalls: ["proxy_set_property", "proxy_get_property"] },
    );

    envoy.thread("worker_0").request({});

    expect(statuses(envoy, "proxy_set_property")).toEqual(["Ok"]);
    expect(statuses(envoy, "proxy_get_property")).toEqual(["NotFound"]);
    const tag = envoy.trace.find(({ name }) => name === "span_tag");
    expect(tag?.args).toEqual({ request: 1, name: "model", value: "gpt" });
  });

  test("plugin_vm_memory is the size of the memory, u64", () => {
    const envoy = higress({
      texts: { name: "plugin_vm_memory" },
      requestHeaders: "(drop (call $get_property {name} {outs})) {log}",
    });

    envoy.thread("worker_0").request({});

    expect(logsOf(envoy)).toEqual(["\0\0\x01\0\0\0\0\0"]);
  });
});
