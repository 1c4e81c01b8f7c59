/** Connections that a plugin holds up. */
import type { ProbeCase } from "../probe.ts";

export const holdingCases: readonly ProbeCase[] = [
  {
    id: "held-new-connection",
    what: "A new connection that is held up sees no data until it is continued; then all of it at once.",
    run: async (host) => {
      const connection = await host.connect({ listener: "held-new", upstream: "echo" });
      await connection.send("early");
      await connection.send(" bird");
      await connection.finish();
      await host.untilLogged("downstream_close");
      await connection.ended();
    },
  },
  {
    id: "reset-while-held",
    what: "A client that resets while its new connection is held up is only noticed when that goes on.",
    run: async (host) => {
      const connection = await host.connect({ listener: "held-reset", upstream: "silent" });
      await connection.abandon();
      await host.untilLogged("downstream_close");
    },
  },
  {
    id: "held-data-grows",
    what: "Held data grows from callback to callback, can be edited later, and goes on as one.",
    run: async (host) => {
      const connection = await host.connect({ listener: "held-data", upstream: "echo" });
      await connection.send("a");
      await connection.send("bc");
      await connection.received(4);
      await connection.abandon();
    },
  },
  {
    id: "held-once",
    what: "The next callback's Continue takes along what was held, with the end.",
    run: async (host) => {
      const connection = await host.connect({ listener: "held-once", upstream: "echo" });
      await connection.send("first");
      await connection.finish();
      await connection.ended();
    },
  },
  {
    id: "continue-what-is-not-held",
    what: "Continuing what is not held up is harmless.",
    run: async (host) => {
      const connection = await host.connect({ listener: "continue-unheld", upstream: "echo" });
      await connection.send("one");
      await connection.send("two");
      await connection.finish();
      await connection.ended();
    },
  },
  {
    id: "continue-and-hold",
    what: "Continuing and holding up in one callback lets the data pass.",
    run: async (host) => {
      const connection = await host.connect({ listener: "continue-held", upstream: "echo" });
      await connection.send("one");
      await connection.send("two");
      await connection.finish();
      await connection.ended();
    },
  },
  {
    id: "continue-and-close-other-streams",
    what: "Types of streams that a connection has not are Ok, upstream cannot be continued, 4 is no type.",
    run: async (host) => {
      const connection = await host.connect({ listener: "continue-kinds", upstream: "echo" });
      await connection.send("x");
      await connection.received(1);
      await connection.abandon();
    },
  },
  {
    id: "held-upstream-data",
    what: "An upstream's data that is held up comes again with the next, and passes with it.",
    run: async (host) => {
      const upstream = { sends: ["one", "two"] };
      const connection = await host.connect({ listener: "held-upstream", upstream });
      await connection.received(6);
      await connection.finish();
      await connection.ended();
    },
  },
  {
    id: "held-upstream-end",
    what: "An upstream's end that is held up never comes, and is told as its close all the same.",
    run: async (host) => {
      const upstream = { sends: ["one", "two"], closes: true };
      const connection = await host.connect({ listener: "held-upstream-end", upstream });
      await host.wait(120);
      await connection.finish();
      await connection.ended();
    },
  },
  {
    id: "two-plugins",
    what: "Reads go through the chain, writes against it; what the first holds up the second never sees.",
    shows: [34],
    run: async (host) => {
      const connection = await host.connect({ listener: "pair", upstream: "echo" });
      await connection.send("one");
      await connection.received(3);
      await connection.send("two");
      await connection.send("three");
      await connection.finish();
      await connection.ended();
    },
  },
];
