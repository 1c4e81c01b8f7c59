/** A guest on raw imports for what only Higress has; each callback does one thing, with texts of the test's choice. */
import { MockEnvoy } from "../../../host-mock/index.ts";
import type { MockEnvoyOptions } from "../../../host-mock/index.ts";
import { rawPlugin } from "../../support/raw-guest.ts";

const imports = `
  (import "env" "proxy_log" (func $log (param i32 i32 i32) (result i32)))
  (import "env" "proxy_get_buffer_bytes" (func $buffer (param i32 i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_get_status" (func $status (param i32 i32 i32) (result i32)))
  (import "env" "proxy_set_property" (func $set_property (param i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_get_property" (func $get_property (param i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_get_upstream_hosts" (func $hosts (param i32 i32) (result i32)))
  (import "env" "proxy_set_upstream_override_host" (func $override (param i32 i32) (result i32)))
  (import "env" "proxy_inject_encoded_data_to_filter_chain" (func $inject (param i32 i32 i32) (result i32)))
  (import "env" "proxy_call_foreign_function" (func $foreign (param i32 i32 i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_redis_init" (func $init (param i32 i32 i32 i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_redis_call" (func $redis (param i32 i32 i32 i32 i32) (result i32)))`;

const place = { text: 1024, out: 64, size: 68 } as const;

/** Texts of a guest, laid out from 1024 on; `at(name)` is "(i32.const P) (i32.const N)". */
function laidOut(texts: Readonly<Record<string, string>>) {
  let next: number = place.text;
  const known = Object.entries(texts).map(([name, text]) => {
    const bytes = Buffer.from(text, "latin1");
    const start = next;
    next += bytes.length;
    return { name, start, bytes };
  });
  const data = known
    .map(({ start, bytes }) => {
      const hex = [...bytes].map((byte) => `\\${byte.toString(16).padStart(2, "0")}`).join("");
      return `(data (i32.const ${String(start)}) "${hex}")`;
    })
    .join("\n");
  const at = (name: string): string => {
    const found = known.find((entry) => entry.name === name);
    if (found === undefined) throw new Error(`no text ${name}`);
    return `(i32.const ${String(found.start)}) (i32.const ${String(found.bytes.length)})`;
  };
  return { data, at };
}

/** Logs, at info, the bytes that a call has left in the two out words. */
const logResult = `(drop (call $log (i32.const 2) (i32.load (i32.const ${String(place.out)})) (i32.load (i32.const ${String(place.size)}))))`;
const outs = `(i32.const ${String(place.out)}) (i32.const ${String(place.size)})`;

export interface GuestWords {
  readonly texts: Readonly<Record<string, string>>;
  /** WebAssembly text of callbacks' bodies; \`at(name)\` and these shorthands are filled in. */
  readonly configure?: string;
  readonly tick?: string;
  readonly requestHeaders?: string;
  readonly responseHeaders?: string;
  readonly redisResponse?: string;
  /** What on_response_headers answers. */
  readonly responseAction?: number;
}

/** The module. In bodies `{NAME}` is a text's pointer and size, `{outs}` two out words, `{log}` logs what they say. */
export function higressGuest(words: GuestWords): Uint8Array<ArrayBuffer> {
  const { data, at } = laidOut(words.texts);
  const filled = (body = ""): string =>
    body
      .replaceAll("{outs}", outs)
      .replaceAll("{log}", logResult)
      .replace(/\{(\w+)\}/g, (_, name: string) => at(name));
  return rawPlugin(
    `${data}
     (func (export "proxy_on_configure") (param i32 i32) (result i32) ${filled(words.configure)} (i32.const 1))
     (func (export "proxy_on_request_headers") (param i32 i32 i32) (result i32)
       ${filled(words.requestHeaders)} (i32.const 0))
     (func (export "proxy_on_response_headers") (param i32 i32 i32) (result i32)
       ${filled(words.responseHeaders)} (i32.const ${String(words.responseAction ?? 0)}))
     (func (export "proxy_on_redis_call_response") (param i32 i32 i32 i32) ${filled(words.redisResponse)})`,
    { imports },
  );
}

/** Higress with that guest, started. */
export function higress(words: GuestWords, options: Partial<MockEnvoyOptions> = {}): MockEnvoy {
  const plugins = [{ name: "guest", wasm: higressGuest(words) }];
  return new MockEnvoy({ profile: "higress", ...options, plugins }).start();
}

export const logsOf = (envoy: MockEnvoy): string[] =>
  envoy.logs.map(({ message }) =>
    typeof message === "string" ? message : Buffer.from(message).toString("latin1"),
  );

/** Statuses of a host call that `alsoCalls` names, in order. */
export const statuses = (envoy: MockEnvoy, name: string) =>
  envoy.trace
    .filter((event) => event.event === "call" && event.name === name)
    .map(({ status }) => status);
