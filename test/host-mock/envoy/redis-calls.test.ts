import { describe, expect, test } from "vitest";
import type { MockEnvoy, RedisOptions } from "../../../host-mock/index.ts";
import { encodeCommand } from "../../../host-mock/redis/resp.ts";
import { higress, logsOf, statuses } from "./higress-guest.ts";

const callbacks = (envoy: MockEnvoy) =>
  envoy.trace
    .filter(({ event, name }) => event === "callback" && name === "proxy_on_redis_call_response")
    .map(({ atNs, context, args }) => ({
      atMs: atNs / 1e6,
      context,
      token: args["token"],
      status: args["status"],
      size: args["size"],
    }));

interface RedisCalling {
  readonly query?: readonly string[];
  readonly target?: string;
  readonly cluster?: string;
  readonly redis?: RedisOptions;
  readonly timeoutMs?: number;
}

/** One call for each request; the reply, then status code of the failure, are logged. */
function calling({
  query = ["PING"],
  target = "cache",
  cluster = "cache",
  redis = {},
  timeoutMs = 100,
}: RedisCalling) {
  return higress(
    {
      texts: { target, cluster, query: encodeCommand(query), user: "joe", pass: "secret" },
      configure: `(drop (call $init {target} {user} {pass} (i32.const ${String(timeoutMs)})))`,
      requestHeaders: "(drop (call $redis {cluster} {query} (i32.const 72)))",
      redisResponse: `
        (drop (call $buffer (i32.const 9) (i32.const 0) (i32.const 10000) {outs})) {log}
        (drop (call $status (i32.const 80) {outs})) {log}
        (drop (call $log (i32.const 2) (i32.const 80) (i32.const 1)))`,
    },
    {
      clusters: { cache: { redis: { user: "joe", password: "secret", ...redis } } },
      alsoCalls: ["proxy_on_redis_call_response", "proxy_redis_call", "proxy_redis_init"],
    },
  );
}

describe("Redis calls", () => {
  test("the reply comes on the root after the cluster's delay, as buffer 9; tokens are 7, 11, 15", () => {
    const envoy = calling({ redis: { delay: "5ms" } });

    for (let count = 0; count < 3; count++) envoy.thread("worker_0").request({});
    envoy.advance("10ms");

    expect(callbacks(envoy)).toEqual([
      { atMs: 5, context: 1, token: 7, status: 0, size: 7 },
      { atMs: 5, context: 1, token: 11, status: 0, size: 7 },
      { atMs: 5, context: 1, token: 15, status: 0, size: 7 },
    ]);
    expect(logsOf(envoy).slice(0, 3)).toEqual(["+PONG\r\n", "", "\0"]);
  });

  test("buffer 9 is empty outside the callback, and there", () => {
    const envoy = higress(
      {
        texts: {},
        requestHeaders: "(drop (call $buffer (i32.const 9) (i32.const 0) (i32.const 9) {outs}))",
      },
      { alsoCalls: ["proxy_get_buffer_bytes"] },
    );

    envoy.thread("worker_0").request({});

    expect(statuses(envoy, "proxy_get_buffer_bytes")).toEqual(["Ok"]);
  });

  test.each(["refuse_connection", "reset"] as const)(
    "%s: status 1 at once, size 0, code 11 and `reset` for get_status",
    (fail) => {
      const envoy = calling({ query: ["SET", "k", "v"], redis: { fail } });

      envoy.thread("worker_0").request({});

      expect(callbacks(envoy)).toEqual([{ atMs: 0, context: 1, token: 7, status: 1, size: 0 }]);
      expect(logsOf(envoy)).toEqual(["", "reset", "\x0b"]);
      expect(envoy.redis("cache").command("GET", "k")).toBe(fail === "reset" ? "v" : null);
    },
  );

  test("slower than the client's timeout: status 1 then, and the server has carried it out", () => {
    const envoy = calling({ query: ["INCR", "n"], target: "cache", redis: { delay: "1s" } });

    envoy.thread("worker_0").request({});
    envoy.advance("2s");

    expect(callbacks(envoy)).toEqual([{ atMs: 100, context: 1, token: 7, status: 1, size: 0 }]);
    expect(envoy.redis("cache").command("GET", "n")).toBe("1");
  });

  test("a connection that breaks takes along every answer that was to come", () => {
    const envoy = calling({ redis: { delay: "50ms" } });

    envoy.thread("worker_0").request({});
    envoy.advance("10ms");
    envoy.redis("cache").failure = "reset";
    envoy.thread("worker_0").request({});
    envoy.advance("1s");

    expect(callbacks(envoy).map(({ atMs, token, status }) => [atMs, token, status])).toEqual([
      [10, 7, 1],
      [10, 11, 1],
    ]);
  });

  test("no healthy host: InternalFailure and no callback", () => {
    const envoy = calling({ redis: { fail: "no_healthy_host" } });

    envoy.thread("worker_0").request({});
    envoy.advance("1s");

    expect(statuses(envoy, "proxy_redis_call")).toEqual(["InternalFailure"]);
    expect(callbacks(envoy)).toEqual([]);
  });

  test("an unknown cluster is BadArgument in both calls; the part before `?` counts", () => {
    const envoy = calling({ target: "nobody?db=1", cluster: "nobody" });

    envoy.thread("worker_0").request({});

    expect(new Set(statuses(envoy, "proxy_redis_init"))).toEqual(new Set(["BadArgument"]));
    expect(statuses(envoy, "proxy_redis_call")).toEqual(["BadArgument"]);
  });

  test("?db= chooses the database", () => {
    const envoy = calling({ query: ["SET", "k", "v"], target: "cache?db=2" });

    envoy.thread("worker_0").request({});
    envoy.advance("1ms");

    expect(logsOf(envoy)[0]).toBe("+OK\r\n");
    expect(envoy.redis("cache").command("GET", "k")).toBeNull();
  });

  test("small queries wait for the flush timeout; enough of them go at once", () => {
    const target = "cache?buffer_flush_timeout=3&max_buffer_size_before_flush=40";
    const envoy = calling({ target });
    const { length } = encodeCommand(["PING"]);

    envoy.thread("worker_0").request({});
    envoy.advance("10ms");
    for (let sent = 0; sent < 40; sent += length) envoy.thread("worker_0").request({});
    envoy.advance("10ms");

    expect(callbacks(envoy).map(({ atMs }) => atMs)).toEqual([3, 10, 10, 10]);
  });

  test("a wrong password shows in the command's reply", () => {
    const envoy = calling({ redis: { password: "another" } });

    envoy.thread("worker_0").request({});
    envoy.advance("1ms");

    expect(logsOf(envoy)[0]).toBe("-NOAUTH Authentication required.\r\n");
  });

  test("a connection that was lost is made and logged in anew", () => {
    const envoy = calling({});
    const redis = envoy.redis("cache");

    redis.failure = "refuse_connection";
    envoy.thread("worker_0").request({});
    redis.failure = null;
    envoy.thread("worker_0").request({});
    envoy.advance("1ms");

    expect(callbacks(envoy).map(({ status }) => status)).toEqual([1, 0]);
  });

  test("keys expire in virtual time, which shifts of the wall clock do not touch", () => {
    const envoy = calling({ redis: { commands: [["SET", "k", "v", "EX", "60"]] } });
    envoy.shiftWallClock("+1h");

    envoy.advance("59s");
    const before = envoy.redis("cache").command("GET", "k");
    envoy.advance("1s");

    expect([before, envoy.redis("cache").command("GET", "k")]).toEqual(["v", null]);
  });

  test("a crashed thread is told nothing, and the trace says so", () => {
    const envoy = calling({ redis: { delay: "5ms" } });
    envoy.thread("worker_0").request({});

    envoy.thread("worker_0").crash();
    envoy.advance("1s");

    expect(callbacks(envoy)).toEqual([]);
    expect(envoy.trace.find(({ name }) => name === "redis_call_dropped")?.args["reason"]).toBe(
      "crashed",
    );
  });

  test("wrong options are named", () => {
    const withRedis = (redis: RedisOptions) => () => calling({ redis });

    expect(withRedis({ fail: "sometimes" as "reset" })).toThrow(
      /cluster cache fails by "sometimes"/,
    );
    expect(withRedis({ commands: [["SET", "k"]] })).toThrow(/wrong number of arguments for 'set'/);
    expect(withRedis({ commands: ["SET k v"] as never })).toThrow(
      /cluster cache: commands\[0\] is a string/,
    );
    expect(withRedis({ commands: [["SET", "k", 5]] as never })).toThrow(
      /commands\[0\] has a number/,
    );
    expect(withRedis({ commands: "PING" as never })).toThrow(/cluster cache: commands is a string/);
    expect(withRedis({ commands: [[]] })).toThrow(/commands\[0\] is an empty list/);
    expect(withRedis({ password: 5 as never })).toThrow(/cluster cache: password is 5/);
    expect(withRedis({ user: 5 as never })).toThrow(/cluster cache: user is 5/);
    expect(() => calling({ target: "cache?dbb=1" })).toThrow(/dbb/);
    expect(() => calling({}).redis("nobody")).toThrow(/there is no Redis cluster|nobody/);
  });
});
