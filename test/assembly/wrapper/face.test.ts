import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { buildGuest } from "../../support/build-guest.ts";
import { FakeVm } from "../support/fake-host.ts";

let bytes: Uint8Array<ArrayBuffer>;

const ROOT = 1;
const STREAM = 5;

beforeAll(async () => {
  bytes = (await buildGuest({ entry: "test/guests/wrapper-face/plugin.guest.ts" })).bytes;
});

function started(configuration: string | Uint8Array = "", root = "face"): FakeVm {
  const vm = new FakeVm(bytes, { properties: { plugin_name: "p", plugin_root_id: root } });
  vm.configure(ROOT, configuration);
  return vm;
}

/** Runs a request's headers; its stream is then waiting for an answer. */
function requested(vm: FakeVm): number {
  vm.requestHeaders = [
    [":scheme", "https"],
    [":authority", "a.example"],
    [":path", "/asked?x=1"],
    [":method", "GET"],
  ];
  vm.call("proxy_on_context_create", STREAM, ROOT);
  vm.effective = STREAM;
  return vm.call("proxy_on_request_headers", STREAM, 4, 1);
}

describe("a configuration", () => {
  it("fills the config whose class gives the defaults", () => {
    const vm = started('{"name":"given"}');
    requested(vm);
    vm.answer(ROOT, 1, [[":status", "200"]]);

    expect(vm.lines.at(-1)).toBe("given /asked?x=1 200");
  });

  it("that is empty is parsed as a missing value", () => {
    expect(started("").lines).toEqual(["parsing nothing"]);
  });

  it.each(["{", "nonsense", '{"a":}', Uint8Array.of(0x22, 0xff, 0x22)])(
    "that is not JSON is refused with one line",
    (text) => {
      const vm = new FakeVm(bytes, { properties: { plugin_root_id: "face" } });

      expect(vm.configure(ROOT, text)).toBe(false);
      expect(vm.logs).toHaveLength(1);
      expect(vm.logs[0]).toMatchObject({ level: 4 });
      expect(vm.logs[0]!.text).toMatch(/^\[face\] configuration refused: it is not JSON: /);
    },
  );

  it("that the parser refuses is refused with its message", () => {
    const vm = new FakeVm(bytes, { properties: { plugin_root_id: "face" } });

    expect(vm.configure(ROOT, '{"refuse":"no collector"}')).toBe(false);
    expect(vm.lines.at(-1)).toBe("[face] configuration refused: no collector");
  });

  it("never traps, whatever its bytes", () => {
    const vm = new FakeVm(bytes, { properties: { plugin_root_id: "face" } });
    let id = ROOT;

    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.json().map((text) => Buffer.from(text)),
        ),
        (configuration) => {
          vm.configure(++id, configuration);
          vm.call("proxy_on_delete", id);
        },
      ),
      { numRuns: 500 },
    );

    expect(vm.logs.every((line) => line.level < 5)).toBe(true);
  });

  it("of another plugin of the module goes to that one's parser, by root_id; the later handler wins", () => {
    const vm = started('{"text":"hello"}', "small");
    requested(vm);

    expect(vm.lines).toEqual(["before the start", "the later handler hello"]);
  });

  it("of a root_id that no plugin has is refused", () => {
    const vm = new FakeVm(bytes, { properties: { plugin_root_id: "unknown" } });

    expect(vm.configure(ROOT)).toBe(false);
    expect(vm.lines.at(-1)).toContain("unknown");
  });
});

describe("a stream's context", () => {
  it("keeps objects and scalars, and hands out only what is of the class asked for", () => {
    const vm = started();
    requested(vm);

    vm.call("proxy_on_response_headers", STREAM, 0, 1);

    expect(vm.lines.at(-1)).toBe(
      "kept true true some text ? true 7 -1 https|a.example|/asked?x=1|GET",
    );
  });

  it("knows the request line as it came, also after the plugin changed it", () => {
    const vm = started();
    requested(vm);
    vm.requestHeaders = [[":path", "/changed"]];

    vm.call("proxy_on_log", STREAM);

    expect(vm.lines.at(-1)).toBe("done /asked?x=1");
  });
});

describe("a call", () => {
  it("goes out with its pseudo-headers and the default timeout", () => {
    const vm = started();
    const action = requested(vm);

    expect(action).toBe(1);
    expect(vm.httpCalls).toEqual([
      {
        token: 1,
        cluster: "auth",
        headers: [
          [":method", "GET"],
          [":path", "/check"],
          [":authority", "auth.internal"],
          ["x-user", "u"],
        ],
        body: "",
        timeoutMs: 500,
        context: STREAM,
      },
    ]);
  });

  it("that the host refuses says so at once, and the callback never runs", () => {
    const vm = started();
    vm.dispatchStatus = 2;

    const action = requested(vm);

    expect(action).toBe(0);
    expect(vm.lines.at(-1)).toBe("dispatched 2");
  });

  it("that is answered acts on its stream: the effective context is set before the callback", () => {
    const vm = started();
    requested(vm);

    vm.answer(ROOT, 1, [[":status", "200"]]);

    expect(vm.continued).toEqual([{ stream: 0, context: STREAM }]);
  });

  it.each([
    ["a reset", [], "", "reset 0"],
    ["Envoy's own timeout", [[":status", "504"]], "upstream request timeout", "504 timed out"],
    ["a 504 of the service", [[":status", "504"]], "upstream request timeouts", "504"],
    ["a status that is no number", [[":status", "abc"]], "", "500"],
  ] as [string, [string, string][], string, string][])(
    "tells %s apart",
    (_what, headers, body, said) => {
      const vm = started();
      requested(vm);

      vm.answer(ROOT, 1, headers, body);

      expect(vm.lines.at(-1)).toBe(`default /asked?x=1 ${said}`);
      expect(vm.localReplies).toEqual([{ status: 403, body: "no", context: STREAM }]);
    },
  );

  it("whose stream is gone is dropped, and a token that nobody waits for is ignored", () => {
    const vm = started();
    requested(vm);
    vm.call("proxy_on_delete", STREAM);
    const before = vm.lines.length;

    vm.answer(ROOT, 1, [[":status", "200"]]);
    vm.answer(ROOT, 99, [[":status", "200"]]);

    expect(vm.lines).toHaveLength(before);
    expect(vm.continued).toEqual([]);
  });

  it("runs its callback once", () => {
    const vm = started();
    requested(vm);
    vm.answer(ROOT, 1, [[":status", "200"]]);
    const before = vm.lines.length;

    vm.answer(ROOT, 1, [[":status", "200"]]);

    expect(vm.lines).toHaveLength(before);
  });
});
