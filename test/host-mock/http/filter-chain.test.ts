import { test as property } from "@fast-check/vitest";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FilterChain } from "../../../host-mock/http/filter-chain.ts";
import type { Body } from "../../../host-mock/state/body.ts";
import { lossyUtf8, utf8 } from "../../../host-mock/state/bytes.ts";
import { HeaderMap } from "../../../host-mock/state/header-map.ts";

/** A filter that answers from a list, then Continue, and notes what it was shown. */
interface Scripted {
  readonly name: string;
  readonly headers: number[];
  readonly data: number[];
  readonly trailers: number[];
}

function filter(name: string, script: Partial<Omit<Scripted, "name">> = {}): Scripted {
  return { name, headers: [], data: [], trailers: [], ...script };
}

function chainOf(filters: readonly Scripted[], edit?: (filter: Scripted, body: Body) => void) {
  const seen: string[] = [];
  const chain: FilterChain<Scripted> = new FilterChain(
    filters,
    {
      headers: (at, _, isEnd) => {
        seen.push(`${at.name} headers${isEnd ? " end" : ""}`);
        return at.headers.shift() ?? 0;
      },
      data: (at, body, isEnd) => {
        seen.push(`${at.name} ${lossyUtf8(body.bytes())}${isEnd ? " end" : ""}`);
        edit?.(at, body);
        return at.data.shift() ?? 0;
      },
      trailers: (at) => {
        seen.push(`${at.name} trailers`);
        return at.trailers.shift() ?? 0;
      },
    },
    {
      headers: (_, isEnd) => seen.push(`sink headers${isEnd ? " end" : ""}`),
      data: (bytes, isEnd) => seen.push(`sink ${lossyUtf8(bytes)}${isEnd ? " end" : ""}`),
      trailers: () => seen.push("sink trailers"),
    },
  );
  return { chain, seen };
}

const headers = () => new HeaderMap("request");

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

/** Whatever filters answer, resuming until nothing is stopped brings every byte but those thrown away, once, in order. */
property.prop([
  fc.array(
    fc.record({ headers: fc.constantFrom(0, 1, 3, 4), data: fc.array(fc.constantFrom(0, 1, 2)) }),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
  fc.array(fc.constantFrom("a", "bc", "def"), { maxLength: 6 }),
  fc.boolean(),
])("no byte is lost, doubled or out of order", (scripts, frames, hasTrailers) => {
  const filters = scripts.map(({ headers: answer, data }, index) =>
    filter(`f${index}`, { headers: [answer], data: [...data] }),
  );
  const { chain, seen } = chainOf(filters);
  chain.passHeaders(headers(), frames.length === 0 && !hasTrailers);
  for (const frame of frames) chain.passData(utf8(frame), false);
  if (hasTrailers) chain.passTrailers(headers());
  else if (frames.length > 0) chain.passData(utf8(""), true);

  for (let round = 0; round < 100; round++) {
    for (const one of filters) chain.resume(one);
  }

  const atSink = seen.filter((line) => line.startsWith("sink "));
  const bytes = atSink
    .filter((line) => !/headers|trailers/.test(line))
    .map((line) => line.slice(5).replace(/ end$/, ""));
  expect(atSink[0]).toMatch(/^sink headers/);
  expect(bytes.join("")).toBe(frames.join(""));
  expect(atSink.filter((line) => / end$|trailers$/.test(line))).toHaveLength(1);
  expect(atSink.at(-1)).toMatch(/ end$|trailers$/);
});
