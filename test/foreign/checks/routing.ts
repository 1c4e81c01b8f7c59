/** Plugins that decide where a request goes. */
import { expect } from "vitest";
import type { MockEnvoyOptions } from "../../../host-mock/index.ts";
import { higressWith, posted, said, sentHeader, sentJson, type Link } from "../host.ts";
import type { ModuleCheck } from "./check.ts";

const hosts = ["outbound|80||model-1-1.static", "outbound|80||model-1-2.static"] as const;
const candidates = hosts.map((cluster, at) => ({ cluster, targetId: String(at + 1) }));
const oneAtATime = candidates.map((candidate) => ({ ...candidate, maxRunningRequests: 1 }));
const redisCluster = "outbound|6379||redis.dns";

/** Context, what ranks, and the finisher that writes the header. */
function balanced(
  context: Readonly<Record<string, unknown>>,
  ranking: readonly Link[],
  options: Partial<MockEnvoyOptions> = {},
  finisher: Readonly<Record<string, unknown>> = {},
) {
  const envoy = higressWith(
    [
      { name: "context", module: "gpustack-lb", configuration: { mode: "context", ...context } },
      ...ranking,
      { name: "finish", module: "gpustack-lb", configuration: { mode: "finisher", ...finisher } },
    ],
    options,
  );
  const ask = (
    headers: Readonly<Record<string, string>> = {},
    thread = "worker_0",
    delay = "0ms",
  ) => {
    const exchange = envoy
      .thread(thread)
      .request(posted("/v1/responses", { model: "m" }, { headers, upstream: { delay } }));
    envoy.advance("20ms");
    return exchange;
  };
  const target = (exchange: ReturnType<typeof ask>) =>
    sentHeader(exchange, "x-higress-target-cluster");
  return { envoy, ask, target };
}

const leastLoad: Link = { name: "load", module: "gpustack-lb-least-load", configuration: {} };

const lb: ModuleCheck = {
  module: "gpustack-lb",
  checked:
    "one request a host at a time and 429 beyond, counted in shared data, and over two workers by Lua scripts in Redis",
  run: () => {
    const redis = { service_name: "redis.dns", timeout: 100 };
    const inRedis = balanced(
      { candidates: oneAtATime, redis },
      [],
      { concurrency: 2, clusters: { [redisCluster]: { redis: {} } } },
      { redis },
    );
    const inSharedData = balanced({ candidates: oneAtATime }, []);

    const first = ["worker_0", "worker_1", "worker_0"].map((at) => inRedis.ask({}, at, "5s"));
    const keys = inRedis.envoy.redis(redisCluster).command("KEYS", "*");
    inRedis.envoy.advance("6s");
    const later = inRedis.ask();
    const local = [1, 2, 3].map(() => inSharedData.ask({}, "worker_0", "5s"));

    expect(first.map(inRedis.target).slice(0, 2).sort()).toEqual([...hosts]);
    expect(first.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(keys).toHaveLength(2);
    expect(later.status).toBe(200);
    expect(local.map(({ status }) => status)).toEqual([null, null, 429]);
  },
};

const sessionAffinity: ModuleCheck = {
  module: "gpustack-lb-session-affinity",
  checked: "sends all requests of a session to one host, and sessions to both",
  run: () => {
    const { ask, target } = balanced({ candidates }, [
      {
        name: "sticky",
        module: "gpustack-lb-session-affinity",
        configuration: { sessionKeys: [{ header: "x-session" }] },
      },
    ]);
    const targetsOf = (session: string) =>
      new Set([1, 2, 3, 4].map(() => target(ask({ "x-session": session }))));

    const sessions = ["a", "b", "c", "d", "e", "f", "g", "h"].map(targetsOf);

    expect(sessions.map(({ size }) => size)).toEqual(sessions.map(() => 1));
    expect(new Set(sessions.flatMap((targets) => [...targets]))).toEqual(new Set(hosts));
  },
};

const leastLoaded: ModuleCheck = {
  module: "gpustack-lb-least-load",
  checked: "sends a request to the host with fewer under way",
  run: () => {
    const { ask, target, envoy } = balanced({ candidates }, [leastLoad]);

    for (let round = 0; round < 5; round++) {
      const busy = target(ask({}, "worker_0", "5s"));
      const others = [1, 2, 3].map(() => target(ask()));
      envoy.advance("6s");

      expect(others).toEqual(others.map(() => hosts.find((host) => host !== busy)));
    }
  },
};

const jev = "outbound|8010||jev.dns";

const decisionService: ModuleCheck = {
  module: "gpustack-lb-decision-service",
  checked:
    "asks an HTTP service which model fits; its word decides host and model; without it the request still goes",
  run: () => {
    let isAway = false;
    const answers = {
      model_selection: {
        choice: "model-b",
        confidence: 0.9,
        probabilities: { "model-a": 0.1, "model-b": 0.9 },
      },
    };
    const { envoy, ask, target } = balanced(
      { candidates, modelMappers: { "1": { "*": "model-a" }, "2": { "*": "model-b" } } },
      [
        {
          name: "decide",
          module: "gpustack-lb-decision-service",
          configuration: {
            provider: { endpoint: "http://jev.dns:8010", cluster: jev, apiToken: "token" },
            modelSelection: { criteria: { "model-a": "cheap", "model-b": "strong" } },
          },
        },
      ],
      {
        clusters: {
          [jev]: () =>
            isAway
              ? { fail: "timeout" }
              : {
                  headers: { "content-type": "application/json" },
                  body: JSON.stringify({ answers }),
                },
        },
      },
    );

    const chosen = [1, 2, 3, 4].map(() => ask());
    isAway = true;
    const alone = ask();
    envoy.advance("4s");

    expect(chosen.map(target)).toEqual(chosen.map(() => hosts[1]));
    expect(chosen.map(sentJson)).toEqual(chosen.map(() => ({ model: "model-b" })));
    expect(envoy.calls[0]?.path).toBe("/v1/systemone");
    expect(alone.status).toBe(200);
    expect(hosts).toContain(target(alone));
  },
};

const preRoute: ModuleCheck = {
  module: "gpustack-set-header-pre-route",
  checked:
    "writes the names of route and cluster into request headers; refuses a configuration without either",
  run: () => {
    const name = "pre";
    const module = "gpustack-set-header-pre-route";
    const configuration = { routeNameHeader: "x-route", clusterNameHeader: "x-cluster" };
    const listeners = { main: { routeName: "ai-route-1", clusterName: "outbound|80||a.dns" } };
    const envoy = higressWith([{ name, module, configuration }], { listeners });

    const exchange = envoy.thread("worker_0").request(posted("/v1/chat/completions", {}));

    expect(sentHeader(exchange, "x-route")).toBe("ai-route-1");
    expect(sentHeader(exchange, "x-cluster")).toBe("a.dns");
    expect(() => higressWith([{ name, module, configuration: {} }])).toThrow(/plugin start failed/);
  },
};

const router: ModuleCheck = {
  module: "gpustack-generic-proxy-router",
  checked:
    "takes the model out of path or body into headers, splits off the provider, chooses by the prompt; a 3 MiB body passes with the buffer limit it sets, and is a 413 beyond it",
  run: () => {
    const configuration = {
      addProviderHeader: "x-provider",
      modelToHeader: "x-final",
      aliasNameMapping: { q: "qwen" },
      autoRouting: {
        enable: true,
        defaultModel: "small",
        rules: [{ pattern: "(?i)code", model: "coder" }],
      },
      maxBodyBytes: 4 * 1024 * 1024,
    };
    const module = "gpustack-generic-proxy-router";
    const envoy = higressWith([{ name: "router", module, configuration }]);
    const ask = (path: string, body: unknown) => {
      const exchange = envoy.thread("worker_0").request(posted(path, body));
      envoy.advance("20ms");
      return exchange;
    };
    const routed = (exchange: ReturnType<typeof ask>) =>
      ["x-higress-llm-model", "x-provider", "x-final"].map((header) =>
        sentHeader(exchange, header),
      );
    const padded = (mib: number) => ({ model: "a/b", pad: "z".repeat(mib * 1024 * 1024) });
    const prompt = [{ role: "user", content: "write code" }];

    const split = ask("/v1/chat/completions", { model: "openai/gpt-4o" });
    const byPath = ask("/model/proxy/q/v1/chat/completions", { model: "foo" });
    const byPrompt = ask("/v1/chat/completions", { model: "higress/auto", messages: prompt });

    expect(routed(split)).toEqual(["openai/gpt-4o", "openai", "gpt-4o"]);
    expect(sentJson(split)).toEqual({ model: "gpt-4o" });
    expect(routed(byPath)).toEqual(["qwen", undefined, "qwen"]);
    expect(sentJson(byPath)).toEqual({ model: "foo" });
    expect(routed(byPrompt)).toEqual(["coder", undefined, "coder"]);
    expect(ask("/v1/chat/completions", padded(3)).status).toBe(200);
    expect(ask("/v1/chat/completions", padded(5)).status).toBe(413);
    expect(said(envoy).filter(({ level }) => level === "error")).toEqual([]);
  },
};

export const routingChecks: readonly ModuleCheck[] = [
  lb,
  sessionAffinity,
  leastLoaded,
  decisionService,
  preRoute,
  router,
];
