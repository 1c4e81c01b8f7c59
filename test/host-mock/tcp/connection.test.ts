import { expect, test } from "vitest";
import { MockHostError } from "../../../host-mock/errors.ts";
import { networkPlugin, started, withScript } from "./guests.ts";

test("an echo passes both ways, and the half closes end the connection", async () => {
  const { envoy, lines } = await withScript("");
  const connection = envoy.thread("worker_0").connect({ upstream: "echo" });

  connection.send("hello");
  connection.finish();

  expect(lines()).toEqual([
    "context_create(ctx=2 parent=1)",
    "new_connection(ctx=2)",
    "downstream_data(ctx=2 size=5 end=0)",
    "upstream_data(ctx=2 size=5 end=0)",
    "downstream_data(ctx=2 size=0 end=1)",
    "upstream_data(ctx=2 size=0 end=1)",
    "upstream_close(ctx=2 peer=0)",
    "downstream_close(ctx=2 peer=1)",
    "done(ctx=2)",
    "log(ctx=2)",
    "delete(ctx=2)",
  ]);
  expect(connection.text()).toBe("hello");
  expect(connection.upstream.text()).toBe("hello");
  expect(connection).toMatchObject({ isClosed: true, closedBy: "local", hasEnd: true });
});

test("a new connection that is held up reads nothing until it is continued", async () => {
  const { envoy, lines } = await withScript(
    "configure: tick 10 | new_connection: return 1 | tick#1: effective 2; continue 2",
  );
  const connection = envoy.thread("worker_0").connect();
  connection.send("early");
  connection.send(" bird");
  connection.finish();

  expect(lines()).toEqual(["context_create(ctx=2 parent=1)", "new_connection(ctx=2)"]);
  expect(connection.upstream.isConnected).toBe(false);
  envoy.advance("10ms");

  expect(lines()).toContain("downstream_data(ctx=2 size=10 end=1)");
  expect(connection.upstream.text()).toBe("early bird");
});

test("data that is held up grows, and goes on as one with what an edit made of it", async () => {
  const script =
    "configure: tick 10 | downstream_data: return 1 | tick#1: effective 2; set 2 0 0 >; get 2 0 100; continue 2";
  const { envoy, lines } = await withScript(script);
  const connection = envoy.thread("worker_0").connect();

  connection.send("a");
  connection.send("b");

  expect(lines().slice(2)).toEqual([
    "downstream_data(ctx=2 size=1 end=0)",
    "downstream_data(ctx=2 size=2 end=0)",
  ]);
  expect(connection.upstream.text()).toBe("");
  envoy.advance("10ms");
  expect(lines()).toContain("  get 2 0 100 = 0 >ab");
  expect(connection.upstream.text()).toBe(">ab");
});

test("an upstream's data that is held up stays until an answer lets all of it pass", async () => {
  const { envoy, lines } = await withScript("upstream_data#1: return 1");
  const connection = envoy.thread("worker_0").connect();

  connection.upstream.send("one");
  expect(connection.text()).toBe("");
  connection.upstream.send("two");

  expect(connection.text()).toBe("onetwo");
  expect(lines().filter((line) => line.startsWith("upstream_data"))).toEqual([
    "upstream_data(ctx=2 size=3 end=0)",
    "upstream_data(ctx=2 size=6 end=0)",
  ]);
});

test("filters read in the chain's order, write against it, and end in it", async () => {
  const plugins = [await networkPlugin("A", ""), await networkPlugin("B", "")];
  const { envoy } = started({ plugins });
  const since = envoy.trace.length;

  const connection = envoy.thread("worker_0").connect({ upstream: "echo" });
  connection.send("x");
  connection.abandon();

  const order = envoy.trace
    .slice(since)
    .filter((event) => event.event === "log")
    .map(({ plugin, args }) => {
      const [call] = new TextDecoder().decode(args["message"] as Uint8Array).split("(");
      return `${plugin} ${call}`;
    });
  expect(order).toEqual([
    "A context_create",
    "A new_connection",
    "B context_create",
    "B new_connection",
    "A downstream_data",
    "B downstream_data",
    "B upstream_data",
    "A upstream_data",
    ...["downstream_close", "done", "log", "delete"].map((call) => `A ${call}`),
    ...["downstream_close", "done", "log", "delete"].map((call) => `B ${call}`),
  ]);
  expect(connection.closedBy).toBe("remote");
});

test("a server's own words come one by one, and it ends when it is told to", async () => {
  const { envoy, lines } = await withScript("");
  const connection = envoy
    .thread("worker_0")
    .connect({ upstream: { sends: ["a", "b"], gap: "5ms", closes: true, delay: "1ms" } });

  expect(connection.upstream.isConnected).toBe(false);
  envoy.advance("1ms");
  expect(connection.text()).toBe("a");
  envoy.advance("5ms");

  expect(connection.text()).toBe("ab");
  envoy.advance("5ms");
  expect(connection).toMatchObject({ hasEnd: true, isClosed: false });
  expect(lines()).toContain("upstream_close(ctx=2 peer=0)");
  connection.finish();
  expect(connection.closedBy).toBe("remote");
});

test("a server that refuses ends the connection", async () => {
  const { envoy, lines } = await withScript("");

  const connection = envoy.thread("worker_0").connect({ upstream: "refuse" });

  expect(connection.closedBy).toBe("local");
  expect(lines()).toContain("downstream_close(ctx=2 peer=1)");
});

test("a close in a callback ends the connection and drops what the callback was shown", async () => {
  const { envoy, lines } = await withScript("downstream_data: close 2");
  const connection = envoy.thread("worker_0").connect();

  connection.send("secret");

  expect(connection.closedBy).toBe("local");
  expect(connection.upstream.text()).toBe("");
  expect(connection.upstream.isConnected).toBe(false);
  expect(lines().at(-1)).toBe("delete(ctx=2)");
});

test("a trap closes the connection, and later ones too; fail_open lets both pass", async () => {
  for (const failOpen of [false, true]) {
    const { envoy, lines } = await withScript("downstream_data: trap", { failOpen });
    const worker = envoy.thread("worker_0");
    const connection = worker.connect();

    connection.send("x");
    const next = worker.connect();

    expect(connection.isClosed).toBe(!failOpen);
    expect(connection.upstream.text()).toBe(failOpen ? "x" : "");
    expect(next.isClosed).toBe(!failOpen);
    expect(lines().some((line) => line.startsWith("downstream_close"))).toBe(false);
  }
});

test("the end of a drain and a shutdown close the connections", async () => {
  const plugins = [await networkPlugin("A", "")];
  const { envoy, lines } = started({ plugins, drain: "1s" });
  const worker = envoy.thread("worker_0");
  const old = worker.connect();

  envoy.reconfigure("A", "new_connection:");
  const young = worker.connect();
  envoy.advance("999ms");
  expect(old.isClosed).toBe(false);
  envoy.advance("1ms");

  expect(old.closedBy).toBe("local");
  expect(young.isClosed).toBe(false);
  lines();
  envoy.shutdown();
  expect(young.closedBy).toBe("local");
  expect(lines().slice(0, 4)).toEqual([
    "downstream_close(ctx=4 peer=1)",
    "done(ctx=4)",
    "log(ctx=4)",
    "delete(ctx=4)",
  ]);
});

test("a pause of the thread holds data up until its end", async () => {
  const { envoy } = await withScript("");
  const worker = envoy.thread("worker_0");
  const connection = worker.connect({ upstream: "echo" });
  worker.pause("10ms");

  connection.send("x");
  expect(connection.upstream.text()).toBe("");
  envoy.advance("10ms");

  expect(connection.text()).toBe("x");
});

test("wrong words and wrong moments are refused by name", async () => {
  const { envoy } = await withScript("new_connection: return 1");
  const worker = envoy.thread("worker_0");
  const code = (run: () => unknown): string => {
    try {
      run();
    } catch (error) {
      if (error instanceof MockHostError) return error.code;
      throw error;
    }
    return "nothing thrown";
  };

  const connection = worker.connect();

  expect(code(() => envoy.thread("main").connect())).toBe("E_STATE");
  expect(code(() => worker.connect({ listener: "nobody" }))).toBe("E_UNKNOWN_NAME");
  expect(code(() => worker.connect({ upstream: "loud" as "echo" }))).toBe("E_OPTION");
  expect(code(() => worker.connect({ upstream: { send: "x" } as never }))).toBe("E_OPTION");
  expect(code(() => connection.upstream.send("x"))).toBe("E_STATE");
  connection.finish();
  expect(code(() => connection.send("x"))).toBe("E_STATE");
});

test("an upstream's words longer than Envoy's buffer arrive in full", async () => {
  const { envoy } = await withScript("");
  const worker = envoy.thread("worker_0");

  const connection = worker.connect({ upstream: { sends: "x".repeat(3_500_000) } });

  expect(connection.received).toHaveLength(3_500_000);
  connection.upstream.send("y".repeat(3_500_000));
  connection.upstream.abandon();
  expect(connection.received).toHaveLength(7_000_000);
  expect(connection.isClosed).toBe(true);
});

test("an echo does not hasten the server's own words", async () => {
  const { envoy } = await withScript("");
  const upstream = { sends: ["a", "b"], gap: "10ms", echoes: true };
  const connection = envoy.thread("worker_0").connect({ upstream });

  connection.send("x");
  expect(connection.text()).toBe("ax");
  envoy.advance("9ms");
  expect(connection.text()).toBe("ax");
  envoy.advance("1ms");

  expect(connection.text()).toBe("axb");
});

test("a server that has seen the client's end says the rest at its time, and ends behind it", async () => {
  const { envoy } = await withScript("");
  const upstream = { sends: ["a", "b", "c"], gap: "10ms" };
  const connection = envoy.thread("worker_0").connect({ upstream });

  connection.finish();
  expect(connection).toMatchObject({ isClosed: false, hasEnd: false });
  envoy.advance("19ms");
  expect(connection.text()).toBe("ab");
  envoy.advance("1ms");

  expect(connection.text()).toBe("abc");
  expect(connection).toMatchObject({ isClosed: true, hasEnd: true });
});

test("an Envoy that refused to start closes connections at once", async () => {
  const plugins = [await networkPlugin("A", "configure: return 0")];
  const { envoy } = started({ plugins, allowRefusedStart: true });

  const connection = envoy.thread("worker_0").connect();

  expect(connection).toMatchObject({ isClosed: true, closedBy: "local" });
});

test.each([
  [null, /upstream is nothing; write one of echo, silent, refuse/],
  ["eco", /upstream is "eco" \(did you mean echo\?\); write one of/],
  [{ sends: 5 }, /upstream's sends is a number; give a text or bytes/],
  [{ sends: ["a", null] }, /upstream's sends has nothing in it; give a text or bytes/],
  [{ echoes: "yes" }, /upstream's echoes is "yes"; write true or false/],
  [{ closes: 1 }, /upstream's closes is 1; write true or false/],
  [{ delay: 5 }, /upstream's delay: 5 is no duration/],
  [{ sents: [] }, /did you mean sends/],
])("a server that can be none, %j, is told", async (upstream, message) => {
  const { envoy } = await withScript("");

  const connect = () => envoy.thread("worker_0").connect({ upstream: upstream as never });

  expect(connect).toThrow(MockHostError);
  expect(connect).toThrow(message);
});

test("what is neither text nor bytes is not sent", async () => {
  const { envoy } = await withScript("");
  const connection = envoy.thread("worker_0").connect();

  expect(() => connection.send(5 as never)).toThrow(/send's argument is a number/);
  expect(() => connection.upstream.send({} as never)).toThrow(
    /upstream.send's argument is an object/,
  );
});
