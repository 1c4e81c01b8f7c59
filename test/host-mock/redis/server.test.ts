import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { RedisCluster } from "../../../host-mock/http/redis-cluster.ts";
import { RedisServer } from "../../../host-mock/redis/server.ts";
import { encodeReply } from "../../../host-mock/redis/resp.ts";
import { sha1 } from "../../../host-mock/redis/sha1.ts";

function server(options: Partial<ConstructorParameters<typeof RedisServer>[0]> = {}) {
  const clock = { nowMs: 1_000_000 };
  const made = new RedisServer({ nowMs: () => clock.nowMs, ...options });
  const client = made.connect();
  const say = (line: string): string => encodeReply(client.run(line.split(" "))).trim();
  return { made, clock, say };
}

describe("integers near the ends of 64 bits", () => {
  test("are exact", () => {
    const { say } = server();
    say("SET k 9223372036854775800");

    expect(say("INCRBY k 7")).toBe(":9223372036854775807");
    expect(say("GET k")).toBe("$19\r\n9223372036854775807");
    expect(say("INCR k")).toBe("-ERR increment or decrement would overflow");
    say("SET k -1");
    expect(say("DECRBY k -9223372036854775808")).toBe("-ERR decrement would overflow");
  });

  test("are bigints to a test where a number would round them", () => {
    const cluster = new RedisCluster("c", {}, () => 0);
    cluster.command("SET", "k", "9223372036854775800");

    expect(cluster.command("INCRBY", "k", "7")).toBe(9223372036854775807n);
    expect(cluster.command("INCR", "n")).toBe(1);
  });
});

describe("expiry", () => {
  test("a key is there to its last millisecond", () => {
    const { clock, say } = server();
    say("SET k v PX 1000");

    clock.nowMs += 999;
    expect([say("GET k"), say("PTTL k"), say("TTL k")]).toEqual(["$1\r\nv", ":1", ":0"]);
    clock.nowMs += 1;
    expect([say("GET k"), say("TTL k"), say("EXISTS k")]).toEqual(["$-1", ":-2", ":0"]);
  });

  test("TTL is rounded to the nearest second", () => {
    const { clock, say } = server();
    say("SET k v EX 10");

    clock.nowMs += 400;
    expect(say("TTL k")).toBe(":10");
    clock.nowMs += 200;
    expect(say("TTL k")).toBe(":9");
  });

  test("an aggregate expires as a whole, and one made anew under the name does not", () => {
    const { clock, say } = server();
    say("SADD s a b");
    say("EXPIRE s 5");

    clock.nowMs += 5000;

    expect(say("SCARD s")).toBe(":0");
    say("SADD s c");
    expect(say("TTL s")).toBe(":-1");
  });

  test("SET drops an expiry, KEEPTTL keeps it, RENAME takes it along, INCR leaves it", () => {
    const { say } = server();

    say("SET k 1 EX 100");
    say("INCR k");
    expect(say("TTL k")).toBe(":100");
    say("SET k 2 KEEPTTL");
    expect(say("TTL k")).toBe(":100");
    say("RENAME k n");
    expect(say("TTL n")).toBe(":100");
    say("SET n 3");
    expect(say("TTL n")).toBe(":-1");
  });
});

describe("login", () => {
  test("nothing but AUTH works before it, also not PING", () => {
    const { say } = server({ password: "secret" });

    expect(say("PING")).toBe("-NOAUTH Authentication required.");
    expect(say("AUTH wrong")).toMatch(/^-WRONGPASS/);
    expect(say("AUTH secret")).toBe("+OK");
    expect(say("PING")).toBe("+PONG");
  });

  test("a user has a password of their own", () => {
    const { say } = server({ password: "secret", user: "joe" });

    expect(say("AUTH secret")).toMatch(/^-WRONGPASS/);
    expect(say("AUTH ann secret")).toMatch(/^-WRONGPASS/);
    expect(say("AUTH joe secret")).toBe("+OK");
  });

  test("AUTH without a password to give is an error", () => {
    expect(server().say("AUTH x")).toMatch(
      /^-ERR AUTH <password> called without any password configured/,
    );
  });
});

test("each client has its own database, and they share what is in them", () => {
  const { made, say } = server();
  const other = made.connect();

  say("SELECT 3");
  say("SET k v");
  other.run(["SELECT", "3"]);

  expect(other.run(["GET", "k"])).toEqual({ kind: "bulk", text: "v" });
});

test("a script sees the database of its client, and what it did stays when it fails", () => {
  const { made, say } = server();
  const client = made.connect();
  client.run(["SELECT", "2"]);

  const reply = client.run(["EVAL", "redis.call('SET','k','v') error('no')", "0"]);

  expect(reply.kind).toBe("error");
  expect(client.run(["GET", "k"])).toEqual({ kind: "bulk", text: "v" });
  expect(say("GET k")).toBe("$-1");
});

test("SHA-1 is the machine's, for every length around a block's end", () => {
  for (let length = 0; length < 200; length++) {
    const text = "\xe9".repeat(length);
    const wanted = createHash("sha1").update(Buffer.from(text, "latin1")).digest("hex");

    expect(sha1(text)).toBe(wanted);
  }
});
