/** What each host's shared data answers, set for set; the page docs/reference/profiles.md has the same table. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { profileByName, profileNames } from "../../../host-mock/profiles/index.ts";
import { SharedData } from "../../../host-mock/state/shared-data.ts";
import { utf8 } from "../../../host-mock/state/bytes.ts";
import { root } from "../../support/build-guest.ts";

const odd = 0xfffffffe;
const a = utf8("a");
const b = utf8("b");

const storeOf = (name: string): SharedData => new SharedData(profileByName(name).sharedData);
const casOf = (store: SharedData, key = "k"): number | undefined => store.get("", key)?.cas;

/** What a host does, found out by sets alone. */
function found(name: string): Record<string, unknown> {
  const zeroOnPresent = storeOf(name);
  zeroOnPresent.set("", "k", a, 0);
  // The version may be 0 itself, which any host takes.
  zeroOnPresent.set("", "k", a, casOf(zeroOnPresent)!);
  const overwrites = zeroOnPresent.set("", "k", b, 0);
  const otherOnAbsent = storeOf(name).set("", "k", a, odd);
  const first = storeOf(name);
  const zeroOnAbsent = first.set("", "k", a, 0);
  first.set("", "other", a, 0);
  return {
    zeroOnPresent: overwrites,
    zeroOnAbsent,
    otherOnAbsent,
    first: casOf(first),
    perKey: casOf(first, "other") === casOf(first),
  };
}

/** The rows of the page's table, in the words of `found`. */
function rowsOfPage(): Map<string, Record<string, unknown>> {
  const page = readFileSync(join(root, "docs/reference/profiles.md"), "utf8");
  const lines = page.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  const table = lines.filter(([, name]) => profileNames.includes(name?.replaceAll("`", "") ?? ""));
  const status = (cell = ""): string => (cell.startsWith("mismatch") ? "CasMismatch" : "Ok");
  return new Map(
    table
      .filter((cells) => cells.length === 9)
      .map(([, name, present, absent, other, first, scope]) => [
        name!.replaceAll("`", ""),
        {
          zeroOnPresent: status(present),
          zeroOnAbsent: status(absent),
          otherOnAbsent: status(other),
          first: first === "given + 1" ? 1 : Number(first),
          perKey: scope === "per key",
        },
      ]),
  );
}

describe("shared data of the profiles", () => {
  it.each([
    ["envoy", "Ok", "Ok", 1, false],
    ["higress", "Ok", "Ok", 1, false],
    ["nginx", "CasMismatch", "CasMismatch", 1, true],
    ["proxytest", "CasMismatch", "Ok", 1, true],
    ["mosn", "CasMismatch", "Ok", 1, false],
    ["java", "Ok", "CasMismatch", 0, true],
    ["strict", "CasMismatch", "CasMismatch", 1, true],
  ])("%s", (name, zeroOnPresent, otherOnAbsent, first, perKey) => {
    expect(found(name)).toEqual({
      zeroOnPresent,
      zeroOnAbsent: "Ok",
      otherOnAbsent,
      first,
      perKey,
    });
  });

  it("are the ones that the page tells, no more and no fewer", () => {
    const told = rowsOfPage();

    expect([...told.keys()]).toEqual(profileNames);
    for (const name of profileNames) expect([name, found(name)]).toEqual([name, told.get(name)]);
  });

  it("proxytest: every set makes the version one more than it was given", () => {
    const store = storeOf("proxytest");

    store.set("", "k", a, 41);
    const second = store.set("", "k", b, 42);
    const stale = store.set("", "k", a, 42);
    store.set("", "odd", a, 0xffffffff);

    expect([second, stale]).toEqual(["Ok", "CasMismatch"]);
    expect(casOf(store)).toBe(43);
    expect(casOf(store, "odd")).toBe(0);
    expect(store.set("", "odd", b, 0)).toBe("Ok");
  });

  it.each(["nginx", "strict"])(
    "%s: a key that went and was made anew counts from 1 again, so an old version may fit",
    (name) => {
      const store = storeOf(name);
      store.set("", "k", a, 0);

      const evicted = [store.evict("", "k"), store.evict("", "k"), store.evict("other", "k")];
      const stale = store.set("", "k", a, 1);
      store.set("", "k", a, 0);
      const fits = store.set("", "k", b, 1);

      expect(evicted).toEqual([true, false, false]);
      expect([stale, fits]).toEqual(["CasMismatch", "Ok"]);
    },
  );

  it("mosn: a key that was wiped and made anew has a version nobody had", () => {
    const store = storeOf("mosn");
    store.set("", "k", a, 0);
    store.wipe("");
    store.set("", "k", b, 1);

    expect(casOf(store)).toBe(2);
  });

  it("java: the first version is 0, which no set can ask for", () => {
    const store = storeOf("java");
    store.set("", "k", a, 0);

    const blind = [store.set("", "k", b, 0), store.set("", "k", a, 0)];
    const exact = store.set("", "k", b, 2);

    expect(blind).toEqual(["Ok", "Ok"]);
    expect(exact).toBe("Ok");
    expect(casOf(store)).toBe(3);
  });

  it("counts of each partition for itself where it counts by key", () => {
    const store = storeOf("nginx");

    store.set("a", "k", a, 0);
    store.set("b", "k", a, 0);

    expect([store.get("a", "k")?.cas, store.get("b", "k")?.cas]).toEqual([1, 1]);
  });
});
