import { requireKeys } from "../did-you-mean.ts";
import { MockHostError } from "../errors.ts";
import { noBytes, utf8 } from "../state/bytes.ts";
import { parseDuration } from "../time/duration.ts";
import { EventClass } from "../time/event-queue.ts";
import type { DueEvent, Lane, Scheduler } from "./scheduler.ts";

/** What a name resolves to. Durations are text with a unit. */
export interface DnsAddresses {
  /** IP addresses; none: there is no such name. */
  readonly addresses: readonly string[];
  /** Of each address, whole seconds; "0s" when absent. */
  readonly ttl?: string;
  /** Until the answer; "0ms" when absent. */
  readonly delay?: string;
}

/** A name whose servers do not answer. */
export interface DnsFailure {
  readonly fail: true;
  readonly delay?: string;
}

export type DnsOptions = DnsAddresses | DnsFailure;

/** Names that plugins may resolve; a list is a list of addresses. */
export type DnsNames = Readonly<Record<string, DnsOptions | readonly string[]>>;

/** A root context that resolves names. */
export interface DnsCaller {
  readonly lane: Lane;
  readonly unreachable: string | null;
  /** `answer` is empty when nobody could be asked. */
  onDnsResolved(token: number, answer: Uint8Array): void;
}

interface Entry {
  readonly answer: Uint8Array;
  readonly delayNs: number;
}

const secondNs = 1e9;

/**
 * Resolves the names that a test declares; every other name has no address. The answer comes in a later turn of the
 * caller's loop, that to an IP address while it is asked for.
 *
 * Source: Envoy `source/extensions/common/wasm/wasm.cc` (resolve_dns), `context.cc` (onResolveDns).
 */
export class DnsResolver {
  readonly #scheduler: Scheduler;
  readonly #names = new Map<string, Entry>();

  /** E_OPTION for what is no address or no duration. */
  constructor(scheduler: Scheduler, names: DnsNames) {
    this.#scheduler = scheduler;
    for (const [name, options] of Object.entries(names)) {
      this.#names.set(name, entryOf(name, options));
    }
  }

  resolve(caller: DnsCaller, token: number, name: string): void {
    const declared = this.#names.get(name);
    if (declared === undefined && isAddress(name)) {
      caller.onDnsResolved(token, encode([name], 0));
      return;
    }
    const { answer, delayNs } = declared ?? noAddress;
    const event: DueEvent = {
      lane: caller.lane,
      class: EventClass.answer,
      run: () => {
        if (caller.unreachable === null) caller.onDnsResolved(token, answer);
      },
    };
    this.#scheduler.schedule(event, this.#scheduler.nowNs + delayNs);
  }
}

function entryOf(name: string, options: DnsOptions | readonly string[]): Entry {
  const called = `dns name ${name}`;
  const full: DnsOptions = isList(options) ? { addresses: options } : options;
  requireKeys(called, full, ["addresses", "ttl", "delay", "fail"]);
  const delayNs = parseDuration(full.delay ?? "0ms", `${called}: delay`);
  if ("fail" in full) {
    requireKeys(`${called}, which fails,`, full, ["fail", "delay"]);
    requireFailing(called, full.fail);
    return { answer: noBytes, delayNs };
  }
  const addresses: unknown = full.addresses;
  if (!Array.isArray(addresses)) {
    throw new MockHostError("E_OPTION", `${called} has no addresses`, {
      remedy: "give a list of them, or fail: true",
    });
  }
  const ttlNs = parseDuration(full.ttl ?? "0s", `${called}: ttl`);
  for (const address of full.addresses) requireAddress(called, address);
  return { answer: encode(full.addresses, ttlNs / secondNs), delayNs };
}

function requireFailing(called: string, fail: unknown): void {
  if (fail === true) return;
  throw new MockHostError("E_OPTION", `${called}: fail is ${String(fail)}`, {
    remedy: "write true, or leave it out",
  });
}

function isList(options: DnsOptions | readonly string[]): options is readonly string[] {
  return Array.isArray(options);
}

/**
 * The answer as a plugin reads it:
 *
 *     | u32 count | count × u32 ttl in seconds | count × address with port 0, one NUL behind each |
 */
function encode(addresses: readonly string[], ttlSeconds: number): Uint8Array {
  const texts = addresses.map((address) => {
    return utf8(`${address.includes(":") ? `[${address}]` : address}:0\0`);
  });
  const head = 4 + 4 * texts.length;
  const bytes = new Uint8Array(texts.reduce((size, text) => size + text.length, head));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, texts.length, true);
  let at = head;
  texts.forEach((text, index) => {
    view.setUint32(4 + 4 * index, Math.floor(ttlSeconds), true);
    bytes.set(text, at);
    at += text.length;
  });
  return bytes;
}

const noAddress: Entry = { answer: encode([], 0), delayNs: 0 };

function isAddress(text: unknown): text is string {
  return typeof text === "string" && (isIpv4(text) || isIpv6(text));
}

const byteMax = 255;

function isIpv4(text: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(text) && text.split(".").every((part) => +part <= byteMax);
}

/** Eight groups, of which `::` may stand for some, at one place. */
function isIpv6(text: string): boolean {
  if (!/^[0-9a-f:]*$/.test(text) || text.includes(":::")) return false;
  const halves = text.split("::");
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const hasFit = halves.length === 1 ? groups.length === 8 : groups.length < 8;
  return halves.length <= 2 && hasFit && groups.every((group) => /^[0-9a-f]{1,4}$/.test(group));
}

function requireAddress(called: string, address: unknown): void {
  if (isAddress(address)) return;
  throw new MockHostError("E_OPTION", `${called} has the address ${JSON.stringify(address)}`, {
    remedy: "give IP addresses such as 10.0.0.1 or ::1, in lower case and without a port",
  });
}
