import { beforeAll, describe, expect, it } from "vitest";
import {
  candidateBytes,
  heldByOther,
  KEY,
  LEASE_MS,
  PERIOD_MS,
  record,
  TERM_KEY,
  world,
} from "../support/candidates.ts";
import { SECOND, Status } from "../support/fake-host.ts";

let bytes: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  bytes = await candidateBytes();
});

const OLD = 1;
const YOUNG = 7;
const NAME_RULE = "plugin_name is empty, or reserved by its :term or :probe";

describe("release", () => {
  it("R1: stops first, then writes the record that another claims at its next pass with a higher term", () => {
    const { join, store } = world(bytes);
    const [a, b] = [join().pass(), join().pass()];
    const term = a.term();
    let stoppedBefore = false;
    a.vm.before = (call) => {
      if (call.name === "proxy_set_shared_data")
        stoppedBefore = a.starts.at(-1) === "stopped released";
      return undefined;
    };

    a.release();

    expect(stoppedBefore).toBe(true);
    expect(store.text(KEY)).toBe(
      `{"vmID":"","timestamp":0,"st":"released","term":${term},"mono":3600000}`,
    );
    expect([a.leads(), a.term(), b.pass().leads()]).toEqual([false, 0n, true]);
    expect(b.term()).toBeGreaterThan(term);
  });

  it("R3: a release that loses its race does no harm", () => {
    const { join, clocks } = world(bytes);
    const [a, b] = [join().pass(), join().pass()];
    a.vm.before = (call) =>
      call.name === "proxy_set_shared_data" ? Status.CasMismatch : undefined;
    a.release();
    const after = [a.leads(), b.pass().leads()];
    clocks.advance(LEASE_MS + 1);

    expect(after).toEqual([false, false]);
    expect(b.pass().leads()).toBe(true);
  });

  it("is nothing for a follower, and leaves the leader's record alone", () => {
    const { join } = world(bytes);
    const [a, b] = [join().pass(), join().pass()];

    b.release();

    expect(a.pass().leads()).toBe(true);
    expect(b.starts).toEqual([]);
  });

  it("happens in on_done, after which the context claims nothing", () => {
    const { join, store } = world(bytes);
    const a = join().pass();

    const done = a.vm.call("proxy_on_done", 1);
    a.pass();
    a.vm.call("proxy_on_delete", 1);

    expect(done).toBe(1);
    expect(record(store).st).toBe("released");
    expect(a.starts.slice(1)).toEqual(["stopped released"]);
  });

  it("does not happen with ReleaseOnCancel false: the record expires", () => {
    const { join, store } = world(bytes);
    const a = join("keeping").pass();

    a.vm.call("proxy_on_done", 1);

    expect(record(store).st).toBe("held");
    expect(a.starts.slice(1)).toEqual(["stopped released"]);
  });

  it("may come from OnStartedLeading itself, and is still told in order", () => {
    const { join, store } = world(bytes);
    const a = join("releasing").pass();

    expect(a.starts).toEqual([expect.stringMatching(/^started/), "stopped released"]);
    expect(record(store).st).toBe("released");
    expect(a.leads()).toBe(false);
  });
});

describe("a superseded context", () => {
  it("R4, S10: hands over at its next pass to the younger one; never both lead", () => {
    const { join } = world(bytes);
    const a = join().pass();
    const term = a.term();
    a.vm.configure(YOUNG);
    const waiting = [a.pass(YOUNG).leads(OLD), a.leads(YOUNG)];

    a.pass(OLD);
    const between = [a.leads(OLD), a.leads(YOUNG)];
    a.pass(OLD).pass(YOUNG);

    expect(waiting).toEqual([true, false]);
    expect(between).toEqual([false, false]);
    expect([a.leads(OLD), a.leads(YOUNG)]).toEqual([false, true]);
    expect(a.term(YOUNG)).toBeGreaterThan(term);
    expect(a.vm.lines).toContain("stopped 1 superseded");
  });

  it("takes part again when the younger one is done", () => {
    const { join } = world(bytes);
    const a = join();
    a.vm.configure(YOUNG);
    a.pass(YOUNG);
    a.vm.call("proxy_on_done", YOUNG);
    a.vm.call("proxy_on_delete", YOUNG);

    expect(a.pass(OLD).leads(OLD)).toBe(true);
  });

  it("is not superseded by a younger one that refused its configuration", () => {
    const { join } = world(bytes);
    const a = join().pass();
    a.vm.configure(YOUNG, '{"refuse":"no"}');

    expect(a.pass(OLD).leads(OLD)).toBe(true);
  });

  it.each([
    ["plugin", { plugin_name: "q" }],
    ["root id", { plugin_root_id: "keeping" }],
  ])("is not superseded by a context of another %s", (_what, other) => {
    const { join } = world(bytes);
    const a = join().pass();
    Object.assign(a.vm.properties, other);
    a.vm.configure(YOUNG);

    expect(a.pass(OLD).leads(OLD)).toBe(true);
  });

  it("hands nothing over with ReleaseOnCancel false, but stops leading", () => {
    const { join, store } = world(bytes);
    const a = join("keeping").pass();
    a.vm.configure(YOUNG);

    a.pass(OLD);

    expect([a.leads(OLD), record(store).st]).toEqual([false, "held"]);
    expect(a.vm.lines).toContain("stopped 1 superseded");
  });

  it("lets go of the lease when the host makes its id known again without an end", () => {
    const { join, store } = world(bytes);
    const a = join().pass();

    a.vm.configure(OLD);

    expect(record(store).st).toBe("released");
    expect(a.pass(OLD).leads(OLD)).toBe(true);
  });
});

describe("callbacks", () => {
  it("R8: OnNewLeader comes once a change, with an empty id after a release", () => {
    const { join, clocks } = world(bytes);
    const [a, b] = [join().pass(), join().pass().pass()];
    const id = /id=(\S+)/.exec(a.vm.witness[0]!)![1]!;
    a.release();
    clocks.advance(1);
    b.vm.before = (call) =>
      call.name === "proxy_set_shared_data" ? Status.InternalFailure : undefined;
    b.pass().pass();

    expect(a.events.filter((event) => event.startsWith("leader"))).toEqual([
      `leader ${id}`,
      "leader",
    ]);
    expect(b.events).toEqual([`leader ${id}`, "leader"]);
  });

  it("each context has an identity of its own", () => {
    const { join } = world(bytes);
    const a = join().pass();
    a.vm.configure(YOUNG);
    a.pass(OLD).pass(YOUNG);
    const ids = a.vm.witness.map((line) => /id=(\S+)/.exec(line)![1]);

    expect(new Set(ids).size).toBe(2);
  });

  it("the plain plugin needs none of them", () => {
    const { join } = world(bytes);
    const a = join("plain").pass();

    expect(a.leads()).toBe(true);
    expect(a.vm.tickPeriods).toEqual([]);
  });
});

describe("the witness", () => {
  it("tells each claim, renewal and stop on a debug line of fixed form", () => {
    const { join, clocks } = world(bytes);
    const a = join().pass();
    const id = /id=(\S+)/.exec(a.vm.witness[0]!)![1]!;
    clocks.advance(PERIOD_MS);
    a.pass();
    a.release();

    expect(a.vm.witness).toEqual([
      `proxy-wasm-as.election claim term=1767225600000 at_ns=3600000000000 until_ns=3614250000000 id=${id} key=${KEY}`,
      `proxy-wasm-as.election renew term=1767225600000 at_ns=3603000000000 until_ns=3617250000000 id=${id} key=${KEY}`,
      `proxy-wasm-as.election stop term=1767225600000 at_ns=3603000000000 reason=released id=${id} key=${KEY}`,
    ]);
    expect(
      a.vm.logs
        .filter((line) => line.text.includes(".election "))
        .every((line) => line.level === 1),
    ).toBe(true);
  });

  it("is silent above debug", () => {
    const { join } = world(bytes);

    expect(join("options", { logLevel: 2 }).pass().vm.witness).toEqual([]);
  });
});

describe("the key", () => {
  it("S8: plugins of different names do not compete", () => {
    const { join, store } = world(bytes);
    const a = join("options", {
      properties: { plugin_name: "one", plugin_root_id: "options" },
    }).pass();
    const b = join("options", {
      properties: { plugin_name: "two", plugin_root_id: "options" },
    }).pass();

    expect([a.leads(), b.leads()]).toEqual([true, true]);
    expect([...store.entries.keys()].filter((key) => !key.endsWith(":term"))).toEqual([
      "higress_wasm_vm_lease:one",
      "higress_wasm_vm_lease:two",
    ]);
  });

  it("has SetCtx's name only where the host tells no plugin_name", () => {
    const { join, store } = world(bytes);
    join("options", { properties: { plugin_root_id: "options" } }).pass();

    expect(store.entries.has("higress_wasm_vm_lease:options")).toBe(true);
  });

  it("must not be empty", () => {
    const { join } = world(bytes);
    const a = join("options", { properties: { plugin_name: "", plugin_root_id: "options" } });

    expect(a.accepted).toBe(false);
    expect(a.vm.lines.at(-1)).toBe(`[options] configuration refused: ${NAME_RULE}`);
  });

  it.each([":term", "p:term", "p:probe", "p:probe:1", "p:term:probe"])(
    "is no key that belongs to the election of another plugin: %j refuses the configuration",
    (name) => {
      const { join } = world(bytes);
      const a = join("options", { properties: { plugin_name: name, plugin_root_id: "options" } });

      expect(a.accepted).toBe(false);
      expect(a.vm.lines.at(-1)).toBe(`[options] configuration refused: ${NAME_RULE}`);
    },
  );

  it.each(["term", "probe", "p:terms", "p:term:q", "p:probes", "p:probes:1"])(
    "may have the name %j in it",
    (name) => {
      const { join, store } = world(bytes);
      join("options", { properties: { plugin_name: name, plugin_root_id: "options" } }).pass();

      expect(store.get(`higress_wasm_vm_lease:${name}`)).toBeDefined();
    },
  );
});

describe("the wasm-go key", () => {
  it("is exactly wasm-go's; both keys are ensured at configure, once", () => {
    const { join, store } = world(bytes);
    const a = join("wasm-go");
    const b = join("wasm-go");

    expect(store.text("higress_wasm_vm_lease:")).toBe(
      '{"vmID":"","timestamp":0,"st":"boot","mono":3600000}',
    );
    expect(store.text("higress_wasm_vm_lease::term")).toBe("0");
    expect([...store.writes.values()]).toEqual([1, 1]);
    expect([a.pass().leads(), b.pass().leads()]).toEqual([true, false]);
  });

  it("leads for sixty seconds at a time", () => {
    const { join } = world(bytes);

    expect(join("wasm-go").pass().remainingMs()).toBe(57_000);
  });

  it("C9: a wall clock that runs ahead ends leadership before wasm-go would take it", () => {
    const { join, clocks } = world(bytes);
    const a = join("wasm-go").pass();
    clocks.wallNs += 60n * SECOND;
    const ahead = a.leads();
    clocks.wallNs -= 61n * SECOND;

    expect([ahead, a.leads()]).toEqual([false, false]);
  });

  it("a boot record over a leader's is a lost store: the leader returns with a new term", () => {
    const { join, store, clocks } = world(bytes);
    const a = join("wasm-go").pass();
    const term = a.term();
    store.put(
      "higress_wasm_vm_lease:",
      `{"vmID":"","timestamp":0,"st":"boot","mono":${clocks.nowMs}}`,
    );

    a.pass();

    expect(a.leads()).toBe(true);
    expect(a.starts.slice(1)).toEqual(["stopped vanished", `started ${a.term()}`]);
    expect(a.term()).toBeGreaterThan(term);
  });

  it("a boot record does not shorten the promise of another that was seen", () => {
    const { join, store, clocks } = world(bytes);
    store.put(KEY, heldByOther(clocks));
    const b = join().pass();
    store.put(KEY, `{"vmID":"","timestamp":0,"st":"boot","mono":${clocks.nowMs}}`);
    const early = b.pass().leads();
    clocks.advance(LEASE_MS + 1);

    expect(early).toBe(false);
    expect(b.pass().leads()).toBe(true);
    expect(store.entries.has(TERM_KEY)).toBe(true);
  });
});
