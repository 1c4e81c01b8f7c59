/** Plugins that read and change what passes between a client and a language model. */
import { expect } from "vitest";
import type { MockEnvoy, MockEnvoyOptions } from "../../../host-mock/index.ts";
import { higressWith, posted, said, sentHeader, sentJson } from "../host.ts";
import type { ModuleCheck } from "./check.ts";

const chat = { model: "gpt-4o", messages: [{ role: "user", content: "hello" }] };
const completion = (content: string) => ({
  id: "1",
  model: "gpt-4o",
  choices: [{ index: 0, message: { role: "assistant", content } }],
  usage: { prompt_tokens: 9, completion_tokens: 12, total_tokens: 21 },
});
const answered = (content: string) => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(completion(content)),
  delay: "500ms",
});
const route: Partial<MockEnvoyOptions> = {
  listeners: { main: { routeName: "ai-route-7", clusterName: "outbound|443||llm.dns" } },
};

function asked(envoy: MockEnvoy, prompt: string, answer: string, thread = "worker_0") {
  const body = { model: "gpt-4o", messages: [{ role: "user", content: prompt }] };
  const exchange = envoy
    .thread(thread)
    .request(posted("/v1/chat/completions", body, { upstream: answered(answer) }));
  envoy.advance("600ms");
  return exchange;
}

const dataMasking: ModuleCheck = {
  module: "ai-data-masking",
  checked:
    "masks a telephone number, a mail address and a key in the prompt, and restores the key in the answer; refuses a denied word in either with 403 or its own answer",
  run: () => {
    const configuration = {
      deny_openai: true,
      deny_code: 403,
      deny_message: "denied",
      deny_words: ["secretword"],
      replace_roles: [
        { regex: "%{MOBILE}", type: "replace", value: "****" },
        { regex: "%{EMAILLOCALPART}@%{HOSTNAME:domain}", type: "replace", value: "****@$domain" },
        { regex: "sk-[0-9a-zA-Z]*", restore: true, type: "hash" },
      ],
    };
    const envoy = higressWith([{ name: "mask", module: "ai-data-masking", configuration }]);

    const masked = asked(envoy, "13800138000 joe@example.com sk-abc123", "fine");
    const prompt = (sentJson(masked) as typeof chat).messages[0]?.content ?? "";
    const hash = prompt.split(" ")[2] ?? "";
    const restored = asked(envoy, "sk-abc123", `the key ${hash}`);
    const refused = asked(envoy, "the secretword", "fine");
    const silenced = asked(envoy, "hello", "the secretword is out");

    expect(masked.status).toBe(200);
    expect(prompt).toMatch(/^\*{4} \*{4}@example\.com [0-9a-f]{64}$/);
    expect(restored.text()).toContain("the key sk-abc123");
    expect([refused.status, refused.upstream]).toEqual([403, null]);
    expect(refused.text()).toContain("denied");
    expect(silenced.text()).toContain("denied");
    expect(silenced.text()).not.toContain("secretword");
  },
};

const statistics: ModuleCheck = {
  module: "ai-statistics",
  checked:
    "counts tokens and durations in metrics of route, cluster, model and consumer; tags the span; writes its log property",
  run: () => {
    const question = {
      key: "question",
      value_source: "request_body",
      value: "messages.@reverse.0.content",
    };
    const configuration = {
      attributes: [{ ...question, apply_to_log: true, apply_to_span: true }],
    };
    const envoy = higressWith([{ name: "stat", module: "ai-statistics", configuration }], {
      ...route,
      alsoCalls: ["proxy_set_property"],
    });

    const body = posted("/v1/chat/completions", chat, {
      headers: { "x-mse-consumer": "alice" },
      upstream: answered("fine"),
    });
    envoy.thread("worker_0").request(body);
    envoy.thread("worker_0").request(body);
    envoy.advance("600ms");

    const prefix =
      "route.ai-route-7.upstream.outbound|443||llm.dns.model.gpt-4o.consumer.alice.metric.";
    expect(envoy.metrics()).toMatchObject({
      [`${prefix}input_token`]: 18,
      [`${prefix}output_token`]: 24,
      [`${prefix}total_token`]: 42,
      [`${prefix}llm_service_duration`]: 1000,
      [`${prefix}llm_duration_count`]: 2,
    });
    const tags = envoy.trace.filter(({ name }) => name === "span_tag").map(({ args }) => args);
    expect(tags).toContainEqual(expect.objectContaining({ name: "question", value: "hello" }));
    const sets = JSON.stringify(
      envoy.trace.filter(({ name }) => name === "proxy_set_property").map(({ args }) => args),
      (_, value: unknown) =>
        value instanceof Uint8Array ? new TextDecoder().decode(value) : value,
    );
    expect(sets).toContain("ai_log");
    expect(sets).toContain("hello");
  },
};

const usageCluster = "outbound|80||gpustack-server.dns";

const tokenUsage: ModuleCheck = {
  module: "gpustack-token-usage",
  checked:
    "reports tokens, model and consumer of each answer to an HTTP service; asks for the usage of a stream and adds its speed",
  run: () => {
    const configuration = {
      endpoint: { service_name: "gpustack-server.dns", service_port: 80, path: "/metrics" },
      realIPHeader: "x-real-ip",
      header_add: { "x-internal": "shared-secret" },
    };
    const reports: unknown[] = [];
    const envoy = higressWith([{ name: "usage", module: "gpustack-token-usage", configuration }], {
      listeners: {
        main: {
          routeName: "ai-route-route-7.internal",
          clusterName: "outbound|80||model-1-2.static",
        },
      },
      clusters: {
        [usageCluster]: (request) => {
          reports.push(JSON.parse(request.text()));
          return {};
        },
      },
    });
    const headers = { "x-mse-consumer": "mykey.gpustack-42" };
    const { usage } = completion("fine");
    const frames = [
      { choices: [{ index: 0, delta: { content: "fi" } }] },
      { choices: [{ index: 0, delta: { content: "ne" } }] },
      { choices: [], usage },
    ].map((part) => `data: ${JSON.stringify(part)}\n\n`);
    const stream = {
      headers: { "content-type": "text/event-stream" },
      body: [...frames, "data: [DONE]\n\n"],
      delay: "500ms",
      frameGap: "100ms",
    };

    const plain = envoy
      .thread("worker_0")
      .request(posted("/v1/chat/completions", chat, { headers, upstream: answered("fine") }));
    envoy.advance("1s");
    const streamed = envoy
      .thread("worker_0")
      .request(
        posted(
          "/v1/chat/completions",
          { ...chat, stream: true, stream_options: { include_usage: true } },
          { headers, upstream: stream },
        ),
      );
    envoy.advance("2s");

    expect(plain.status).toBe(200);
    expect(sentHeader(plain, "x-internal")).toBe("shared-secret");
    expect(sentHeader(plain, "x-real-ip")).toBe("127.0.0.1");
    const report = {
      model: "gpt-4o",
      input_token: 9,
      output_token: 12,
      total_token: 21,
      completed: true,
      model_id: 1,
      model_route_id: 7,
      user_id: 42,
      access_key: "mykey",
    };
    expect(reports).toEqual([expect.objectContaining(report), expect.objectContaining(report)]);
    expect(sentJson(streamed)).toMatchObject({ stream_options: { include_usage: true } });
    expect(streamed.text()).toMatch(/"tokens_per_second":\s*\d/);
    expect(streamed.text()).toMatch(/"time_to_first_token_ms":\s*500/);
  },
};

/** Two keys of one provider; a health check a second brings a dead key back. */
export const aiProxyConfiguration = {
  providers: [
    {
      id: "p1",
      type: "openai",
      apiTokens: ["tok-a", "tok-b"],
      failover: {
        enabled: true,
        failureThreshold: 1,
        successThreshold: 1,
        healthCheckInterval: 1000,
        healthCheckTimeout: 500,
        healthCheckModel: "gpt-4",
      },
    },
  ],
  activeProviderId: "p1",
};

const leaseHolders = (envoy: MockEnvoy, sinceNs: number): string[] => [
  ...new Set(
    said(envoy)
      .filter(({ atNs, text }) => atNs > sinceNs && text.includes("Successfully acquired"))
      .map(({ thread }) => thread),
  ),
];

const aiProxy: ModuleCheck = {
  module: "gpustack-ai-proxy",
  checked:
    "sends to the provider with a key of its own; takes a refused key out of service and, by the elected VM's health check, back; another VM is elected when that one dies",
  run: () => {
    const checked: string[] = [];
    const envoy = higressWith(
      [{ name: "proxy", module: "gpustack-ai-proxy", configuration: aiProxyConfiguration }],
      {
        ...route,
        concurrency: 2,
        seed: 3,
        clusters: {
          "outbound|443||llm.dns": (request) => {
            checked.push(request.header("authorization") ?? "");
            return answered("fine");
          },
        },
      },
    );
    const shared = (key: string): unknown =>
      JSON.parse(envoy.sharedData().get(`openai-p1-${key}`)?.text() ?? "null");
    envoy.advance("3s");
    const [leader = "nobody", ...others] = leaseHolders(envoy, 0);

    const fine = asked(envoy, "hello", "fine");
    const refused = envoy
      .thread("worker_1")
      .request(posted("/v1/chat/completions", chat, { upstream: { status: 401, body: "{}" } }));
    envoy.advance("100ms");
    const key = sentHeader(refused, "authorization")?.replace("Bearer ", "");
    const outOfService = shared("unavailableApiTokens");
    envoy.advance("3s");
    const backInService = shared("unavailableApiTokens");
    const diedNs = envoy.nowNs;
    const hasCrashed = envoy.thread(leader).crash();
    envoy.advance("70s");

    expect(others).toEqual([]);
    expect(sentHeader(fine, ":authority")).toBe("api.openai.com");
    expect(sentHeader(fine, "authorization")).toMatch(/^Bearer tok-[ab]$/);
    expect(outOfService).toEqual([key]);
    expect(backInService).toEqual([]);
    expect(checked[0]).toBe(`Bearer ${key ?? ""}`);
    expect(hasCrashed).toBe(true);
    const heirs = leaseHolders(envoy, diedNs);
    expect(heirs).toHaveLength(1);
    expect(heirs).not.toContain(leader);
  },
};

export const aiChecks: readonly ModuleCheck[] = [dataMasking, statistics, tokenUsage, aiProxy];
