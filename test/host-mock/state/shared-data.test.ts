import { describe, expect, it } from "vitest";
import { SharedData } from "../../../host-mock/state/shared-data.ts";
import { utf8 } from "../../../host-mock/state/bytes.ts";

const sentinel = 0xfffffffe;
const a = utf8("a");
const b = utf8("b");

describe("shared data, as measured on Envoy", () => {
  it("answers nothing for an absent key", () => {
    expect(new SharedData().get("", "k")).toBeUndefined();
  });

  it("creates an absent key and overwrites a present one with cas 0", () => {
    const store = new SharedData();

    const statuses = [store.set("", "k", a, 0), store.set("", "k", b, 0)];

    expect(statuses).toEqual(["Ok", "Ok"]);
    expect(store.get("", "k")).toEqual({ value: b, cas: 2 });
  });

  it("gives a new version to the same value set again", () => {
    const store = new SharedData();

    store.set("", "k", a, 0);
    store.set("", "k", a, 0);

    expect(store.get("", "k")?.cas).toBe(2);
  });

  it.each([5, sentinel, 0xffffffff])("creates an absent key whatever the cas: %i", (cas) => {
    const store = new SharedData();

    const status = store.set("", "k", a, cas);

    expect(status).toBe("Ok");
    expect(store.get("", "k")).toEqual({ value: a, cas: 1 });
  });

  it.each([2, sentinel, 0xffffffff])(
    "refuses another cas than the present one, and changes nothing: %i",
    (cas) => {
      const store = new SharedData();
      store.set("", "k", a, 0);

      const status = store.set("", "k", b, cas);

      expect(status).toBe("CasMismatch");
      expect(store.get("", "k")).toEqual({ value: a, cas: 1 });
    },
  );

  it("overwrites with the present cas", () => {
    const store = new SharedData();
    store.set("", "k", a, 0);

    const status = store.set("", "k", b, 1);

    expect(status).toBe("Ok");
    expect(store.get("", "k")).toEqual({ value: b, cas: 2 });
  });

  it("uses up no version for a refused set", () => {
    const store = new SharedData();
    store.set("", "k", a, 0);

    store.set("", "k", b, 99);
    store.set("", "k", b, 0);

    expect(store.get("", "k")?.cas).toBe(2);
  });

  it("counts versions for all keys and vm_ids together, and goes on after a wipe", () => {
    const store = new SharedData();

    for (let i = 0; i < 9; i++) store.set("vmA", `k${i}`, a, 0);
    store.set("vmB", "k", a, 0);
    store.set("", "k", a, 0);
    store.wipe("vmA");
    store.set("vmA", "k0", a, 0);

    expect(store.get("vmA", "k0")?.cas).toBe(12);
    expect(store.get("vmB", "k")?.cas).toBe(10);
    expect(store.get("", "k")?.cas).toBe(11);
  });

  it("skips 0 when the counter wraps", () => {
    const store = new SharedData(undefined, 0xfffffffe);

    store.set("", "last", a, 0);
    store.set("", "first", a, 0);

    expect(store.get("", "last")?.cas).toBe(0xffffffff);
    expect(store.get("", "first")?.cas).toBe(1);
  });

  it("tells an empty value from a missing one", () => {
    const store = new SharedData();

    store.set("", "k", new Uint8Array(0), 0);

    expect(store.get("", "k")).toEqual({ value: new Uint8Array(0), cas: 1 });
    expect(store.get("", "other")).toBeUndefined();
  });

  it("takes the empty key and keys with any byte as keys like others", () => {
    const store = new SharedData();

    store.set("", "", a, 0);
    store.set("", "\0ÿ", b, 0);

    expect(store.get("", "")?.value).toEqual(a);
    expect(store.get("", "\0ÿ")?.value).toEqual(b);
  });

  it("hides a key from other vm_ids", () => {
    const store = new SharedData();

    store.set("a", "k", a, 0);

    expect(store.get("b", "k")).toBeUndefined();
    expect(store.get("", "k")).toBeUndefined();
  });

  it("creates again, with a stale cas, a key whose partition was wiped", () => {
    const store = new SharedData();
    store.set("v", "k", a, 0);

    const wiped = [store.wipe("v"), store.wipe("v")];
    const status = store.set("v", "k", b, 1);

    expect(wiped).toEqual([1, 0]);
    expect(status).toBe("Ok");
    expect(store.get("v", "k")).toEqual({ value: b, cas: 2 });
  });

  it("has exactly one winner among those who create by a version never handed out", () => {
    const store = new SharedData();

    const statuses = [1, 2, 3, 4].map(() => store.set("", "lease", a, sentinel));

    expect(statuses).toEqual(["Ok", "CasMismatch", "CasMismatch", "CasMismatch"]);
  });

  it("has as many winners as callers among those who create with cas 0", () => {
    const store = new SharedData();

    const statuses = [1, 2, 3].map(() => store.set("", "lease", a, 0));

    expect(statuses).toEqual(["Ok", "Ok", "Ok"]);
  });

  it("lists everything, by vm_id", () => {
    const store = new SharedData();
    store.set("v", "k", a, 0);
    store.set("", "k", b, 0);

    expect([...store.entries()]).toEqual([
      { vmId: "v", key: "k", value: a, cas: 1 },
      { vmId: "", key: "k", value: b, cas: 2 },
    ]);
    expect([...store.partition("").keys()]).toEqual(["k"]);
    expect(store.partition("nobody").size).toBe(0);
  });
});
