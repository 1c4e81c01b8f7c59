import { describe, expect, test } from "vitest";
import { utf8 } from "../../../host-mock/state/bytes.ts";
import { HeaderMap } from "../../../host-mock/state/header-map.ts";
import { chainOf, filter, headers } from "./scripted-chain.ts";

describe("passing", () => {
  test("headers and frames go from filter to filter", () => {
    const { chain, seen } = chainOf([filter("a"), filter("b")]);

    chain.passHeaders(headers(), false);
    chain.passData(utf8("1"), false);
    chain.passData(utf8(""), true);

    expect(seen).toEqual([
      ...["a headers", "b headers", "sink headers"],
      ...["a 1", "b 1", "sink 1"],
      ...["a  end", "b  end", "sink  end"],
    ]);
  });

  test("an edited body is what the next one sees", () => {
    const { chain, seen } = chainOf([filter("a"), filter("b")], (at, body) => {
      if (at.name === "a") body.edit(0, body.size, utf8("new"));
    });

    chain.passHeaders(headers(), false);
    chain.passData(utf8("old"), true);

    expect(seen.slice(3)).toEqual(["a old end", "b new end", "sink new end"]);
  });
});

describe("a continue that nothing waits for", () => {
  test("sends nothing again: headers, body and trailers pass once", () => {
    const a = filter("a");
    const { chain, seen } = chainOf([a, filter("b")]);
    chain.passHeaders(headers(), false);
    chain.passData(utf8("1"), false);
    chain.passTrailers(headers());
    const before = [...seen];

    const isLetGo = chain.resume(a);

    expect(isLetGo).toBe(false);
    expect(seen).toEqual(before);
  });

  test("after one that let trailers go, sends them no second time", () => {
    const a = filter("a", { trailers: [1] });
    const { chain, seen } = chainOf([a]);
    chain.passHeaders(headers(), false);
    chain.passTrailers(headers());

    const answers = [chain.resume(a), chain.resume(a)];

    expect(answers).toEqual([true, false]);
    expect(seen.filter((line) => line === "sink trailers")).toHaveLength(1);
  });

  test("of the first filter leaves what the second holds where it is", () => {
    const a = filter("a");
    const b = filter("b", { headers: [4] });
    const { chain, seen } = chainOf([a, b]);
    chain.passHeaders(headers(), true);

    const answers = [chain.resume(a), chain.resume(b)];

    expect(answers).toEqual([false, true]);
    expect(seen).toEqual(["a headers end", "b headers end", "sink headers end"]);
  });
});

test("trailers that a filter makes reach a later one that holds the body", () => {
  const a = filter("a");
  const b = filter("b", { data: [1] });
  const { chain, seen } = chainOf([a, b], (at) => {
    if (at === a) chain.trailers ??= headers();
  });
  chain.passHeaders(headers(), false);

  chain.passData(utf8("1"), true);
  chain.resume(b);

  expect(seen.slice(3)).toEqual(["a 1 end", "b 1", "b trailers", "sink 1", "sink trailers"]);
});

describe("stopped at headers", () => {
  test("all (4): what comes is shown to that filter in one piece when it is resumed", () => {
    const a = filter("a", { headers: [4] });
    const { chain, seen } = chainOf([a, filter("b")]);

    chain.passHeaders(headers(), false);
    chain.passData(utf8("1"), false);
    chain.passData(utf8("2"), false);
    chain.passData(utf8(""), true);
    const before = [...seen];
    chain.resume(a);

    expect(before).toEqual(["a headers"]);
    expect(seen.slice(1)).toEqual([
      "b headers",
      "sink headers",
      "a 12 end",
      "b 12 end",
      "sink 12 end",
    ]);
  });

  test("all, nothing but headers: they go on with their end", () => {
    const a = filter("a", { headers: [4] });
    const { chain, seen } = chainOf([a]);

    chain.passHeaders(headers(), true);
    chain.resume(a);

    expect(seen).toEqual(["a headers end", "sink headers end"]);
  });

  test("all, with trailers: body without end, then the trailers callback", () => {
    const a = filter("a", { headers: [4] });
    const { chain, seen } = chainOf([a]);

    chain.passHeaders(headers(), false);
    chain.passData(utf8("1"), false);
    chain.passTrailers(headers());
    chain.resume(a);

    expect(seen).toEqual([
      "a headers",
      "sink headers",
      "a 1",
      "sink 1",
      "a trailers",
      "sink trailers",
    ]);
  });

  test("single (1): body callbacks come, and a Continue there lets everything go", () => {
    const a = filter("a", { headers: [1], data: [1, 0] });
    const { chain, seen } = chainOf([a]);

    chain.passHeaders(headers(), false);
    chain.passData(utf8("1"), false);
    chain.passData(utf8("2"), true);

    expect(seen).toEqual(["a headers", "a 1", "a 12 end", "sink headers", "sink 12 end"]);
  });
});

describe("stopped at the body", () => {
  test("buffer (1): the next callback sees everything, and an edit changes all of it", () => {
    const a = filter("a", { data: [1, 1, 0] });
    const { chain, seen } = chainOf([a], (_, body) => {
      if (body.size === 3) body.edit(0, 3, utf8("all"));
    });

    chain.passHeaders(headers(), false);
    for (const text of ["1", "2", "3"]) chain.passData(utf8(text), text === "3");

    expect(seen.slice(2)).toEqual(["a 1", "a 12", "a 123 end", "sink all end"]);
  });

  test("watermark (2): the next callback sees its own frame only, all of it goes on", () => {
    const a = filter("a", { data: [2, 0] });
    const { chain, seen } = chainOf([a]);

    chain.passHeaders(headers(), false);
    chain.passData(utf8("1"), false);
    chain.passData(utf8("2"), true);

    expect(seen.slice(2)).toEqual(["a 1", "a 2 end", "sink 12 end"]);
  });

  test("no buffer (3): the frame is gone", () => {
    const a = filter("a", { data: [3, 0] });
    const { chain, seen } = chainOf([a]);

    chain.passHeaders(headers(), false);
    chain.passData(utf8("1"), false);
    chain.passData(utf8("2"), true);

    expect(seen.slice(2)).toEqual(["a 1", "a 2 end", "sink 2 end"]);
  });

  test("at its last frame it stays until it is resumed, whatever the kind", () => {
    for (const [kind, sent] of [
      [1, "1"],
      [2, "1"],
      [3, ""],
    ] as const) {
      const a = filter("a", { data: [kind] });
      const { chain, seen } = chainOf([a, filter("b")]);
      chain.passHeaders(headers(), false);
      chain.passData(utf8("1"), true);
      const before = seen.length;

      chain.resume(a);

      expect(before).toBe(4);
      expect(seen.slice(4)).toEqual([`b ${sent} end`, `sink ${sent} end`]);
    }
  });

  test("trailers are shown while the body is held, and release it", () => {
    const a = filter("a", { data: [1] });
    const { chain, seen } = chainOf([a, filter("b")]);

    chain.passHeaders(headers(), false);
    chain.passData(utf8("1"), false);
    chain.passTrailers(headers());

    expect(seen.slice(3)).toEqual([
      "a 1",
      "a trailers",
      "b 1",
      "sink 1",
      "b trailers",
      "sink trailers",
    ]);
  });

  test("stopped trailers go on when resumed", () => {
    const a = filter("a", { trailers: [1] });
    const { chain, seen } = chainOf([a, filter("b")]);

    chain.passHeaders(headers(), false);
    chain.passTrailers(headers());
    const before = [...seen];
    chain.resume(a);

    expect(before.at(-1)).toBe("a trailers");
    expect(seen.slice(-2)).toEqual(["b trailers", "sink trailers"]);
  });
});

test("trailers that a filter makes in its last body callback go to the filters after it alone", () => {
  const { chain, seen } = chainOf([filter("a"), filter("b")], (at) => {
    if (at.name === "a") chain.trailers = new HeaderMap("requestTrailers");
  });

  chain.passHeaders(headers(), false);
  chain.passData(utf8("1"), true);

  expect(seen.slice(3)).toEqual(["a 1 end", "b 1", "sink 1", "b trailers", "sink trailers"]);
});

test("an aborted chain moves nothing", () => {
  const a = filter("a", { headers: [4] });
  const { chain, seen } = chainOf([a]);
  chain.passHeaders(headers(), false);

  chain.isAborted = true;
  chain.passData(utf8("1"), true);
  chain.resume(a);

  expect(seen).toEqual(["a headers"]);
});
