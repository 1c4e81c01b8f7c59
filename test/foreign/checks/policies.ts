/** Plugins that let a request pass, refuse it, or change it by rules. */
import { expect } from "vitest";
import { higressWith, posted, said, sentHeader, sentJson } from "../host.ts";
import type { ModuleCheck } from "./check.ts";

const ipAcl: ModuleCheck = {
  module: "gpustack-ip-acl",
  checked:
    "refuses a consumer's denied address, one outside its list and one that is none with 403",
  run: () => {
    const alice = { deniedCidrs: ["10.0.0.0/8"], allowedCidrs: ["10.9.0.0/16", "192.168.0.0/16"] };
    const configuration = { realIPHeader: "x-real-ip", consumers: { alice } };
    const envoy = higressWith([{ name: "acl", module: "gpustack-ip-acl", configuration }]);
    const statusFor = (consumer: string, ip: string) =>
      envoy.thread("worker_0").request({ headers: { "x-mse-consumer": consumer, "x-real-ip": ip } })
        .status;

    expect(statusFor("alice", "10.1.2.3")).toBe(403);
    expect(statusFor("alice", "10.9.2.3")).toBe(403);
    expect(statusFor("alice", "192.168.3.4")).toBe(200);
    expect(statusFor("alice", "8.8.8.8")).toBe(403);
    expect(statusFor("alice", "nonsense")).toBe(403);
    expect(statusFor("bob", "10.1.2.3")).toBe(200);
  },
};

const authCluster = "outbound|80||auth.dns";

const extAuth: ModuleCheck = {
  module: "gpustack-ext-auth",
  checked:
    "asks an HTTP service: passes with the consumer it names, refuses with its 401, 403 when it is away",
  run: () => {
    const configuration = {
      route_match_regexes: ["^ai-route-"],
      authz: {
        endpoint: { path: "/token-auth", service_name: "auth.dns", service_port: 80 },
        authorization_request: { headers_to_add: { "X-Gateway-Token": "gate" } },
      },
      status_on_error: 403,
    };
    let isAway = false;
    const envoy = higressWith([{ name: "auth", module: "gpustack-ext-auth", configuration }], {
      listeners: { main: { routeName: "ai-route-7" } },
      clusters: {
        [authCluster]: (request) => {
          if (isAway) return { fail: "refuse_connection" };
          return request.header("authorization") === "Bearer good"
            ? { headers: { "x-mse-consumer": "alice" }, delay: "5ms" }
            : { status: 401, body: "who are you", delay: "5ms" };
        },
      },
    });
    const asked = (key: string) => {
      const headers = { authorization: `Bearer ${key}`, "x-mse-consumer": "forged" };
      const exchange = envoy
        .thread("worker_0")
        .request(posted("/v1/chat/completions", {}, { headers }));
      envoy.advance("50ms");
      return exchange;
    };

    const good = asked("good");
    const bad = asked("bad");
    isAway = true;
    const alone = asked("good");

    expect(good.status).toBe(200);
    expect(sentHeader(good, "x-mse-consumer")).toBe("alice");
    expect([bad.status, bad.text(), bad.upstream]).toEqual([401, "who are you", null]);
    expect([alone.status, alone.upstream]).toEqual([403, null]);
    expect(envoy.calls.map(({ path }) => path)).toEqual([
      "/token-auth",
      "/token-auth",
      "/token-auth",
    ]);
    expect(envoy.calls[0]?.headers).toContainEqual(["x-gateway-token", "gate"]);
  },
};

const redisCluster = "outbound|6379||redis.dns";

function rateLimit(withRedis: boolean) {
  const redis = { service_name: "redis.dns", service_port: 6379, timeout: 100 };
  const limit = {
    name: "user",
    match: [{ source: "header", name: "x-user", value: "*" }],
    query_limits: { per_minute: 2 },
  };
  const configuration = {
    rule_name: "rule",
    ...(withRedis ? { redis } : {}),
    limit_combinations: [limit],
    enable_on_path_suffix: ["*"],
  };
  const envoy = higressWith([{ name: "limit", module: "gpustack-rate-limit", configuration }], {
    concurrency: 2,
    clusters: { [redisCluster]: { redis: { delay: "1ms" } } },
  });
  const statusOn = (thread: string, user: string) => {
    const exchange = envoy.thread(thread).request({ headers: { "x-user": user } });
    envoy.advance("50ms");
    return exchange.status;
  };
  return { envoy, statusOn };
}

const rateLimiter: ModuleCheck = {
  module: "gpustack-rate-limit",
  checked:
    "429 after two requests a minute over two workers, counted by a Lua script in Redis; open when Redis is away; the same in shared data without Redis",
  run: () => {
    const { envoy, statusOn } = rateLimit(true);
    const redis = envoy.redis(redisCluster);

    expect(["worker_0", "worker_1", "worker_0"].map((at) => statusOn(at, "joe"))).toEqual([
      200, 200, 429,
    ]);
    expect(statusOn("worker_1", "ann")).toBe(200);
    const [key] = redis.command("KEYS", "*joe*") as string[];
    expect(redis.command("ZCARD", key ?? "")).toBe(2);
    expect(redis.command("TTL", key ?? "")).toBe(120);
    envoy.advance("61s");
    expect(statusOn("worker_1", "joe")).toBe(200);
    redis.failure = "refuse_connection";
    expect([1, 2, 3].map(() => statusOn("worker_0", "joe"))).toEqual([200, 200, 200]);
    expect(said(envoy).some(({ text }) => text.includes("fail-open"))).toBe(true);

    const local = rateLimit(false);
    expect([1, 2, 3].map(() => local.statusOn("worker_0", "joe"))).toEqual([200, 200, 429]);
    expect(local.statusOn("worker_1", "joe")).toBe(429);
  },
};

const transformer: ModuleCheck = {
  module: "transformer",
  checked:
    "adds, removes and renames headers and query, replaces in the request's and removes from the answer's JSON",
  run: () => {
    const configuration = {
      reqRules: [
        { operate: "remove", headers: [{ key: "x-gone" }] },
        { operate: "rename", querys: [{ oldKey: "k1", newKey: "k2" }] },
        { operate: "add", headers: [{ key: "X-A", value: "1" }] },
        { operate: "replace", body: [{ key: "a.b", newValue: "9", value_type: "number" }] },
      ],
      respRules: [
        { operate: "add", headers: [{ key: "x-resp", value: "yes" }] },
        { operate: "remove", body: [{ key: "secret" }] },
      ],
    };
    const envoy = higressWith([{ name: "transform", module: "transformer", configuration }]);
    const upstream = {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ secret: 1, rest: 2 }),
    };

    const exchange = envoy
      .thread("worker_0")
      .request(posted("/t?k1=v", { a: { b: 1 } }, { headers: { "x-gone": "z" }, upstream }));
    envoy.advance("10ms");

    expect(sentHeader(exchange, ":path")).toBe("/t?k2=v");
    expect(sentHeader(exchange, "x-a")).toBe("1");
    expect(sentHeader(exchange, "x-gone")).toBeUndefined();
    expect(sentJson(exchange)).toEqual({ a: { b: 9 } });
    expect(exchange.headers).toContainEqual(["x-resp", "yes"]);
    expect(JSON.parse(exchange.text())).toEqual({ rest: 2 });
  },
};

export const policyChecks: readonly ModuleCheck[] = [ipAcl, extAuth, rateLimiter, transformer];
