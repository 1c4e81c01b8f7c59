import { lossyUtf8 } from "../state/bytes.ts";
import type { GuestMemory } from "../vm/memory.ts";
import { hostSignatures, type HostSignature, type Parameter } from "./signatures.ts";
import { statusName } from "./status.ts";

type Raw = number | bigint;

/** How many host calls of a VM are remembered. */
export const callCountKept = 20;

/** Arguments kept in the ring itself; a call of more brings them in a list. */
const wordCountMax = 5;
const textBytesMax = 40;
/** The call is under way, or a trap has left it. */
const unanswered = -1;
const noText = new Uint8Array(0);

/** A host function with what remembering its calls needs; made once for all VMs. */
export interface CallShape {
  readonly signature: HostSignature;
  /** Which wasm argument is the address of the call's first bytes; −1 without any. */
  readonly textAt: number;
}

export function callShape(signature: HostSignature): CallShape {
  let at = 0;
  for (const { kind } of signature.parameters) {
    if (kind === "bytes" || kind === "path") return { signature, textAt: at };
    at += isPair(kind) ? 2 : 1;
  }
  return { signature, textAt: -1 };
}

/**
 * The last host calls of one VM, for the report of its trap. Arguments stay as they came, and with
 * them the beginning of the first bytes they point at: the guest may overwrite these before anybody
 * asks. A call allocates nothing here, so that remembering costs next to nothing.
 */
export class CallRing {
  /** Calls made so far; the latest stands in slot `count - 1` modulo the ring's length. */
  #count = 0;
  readonly #shapes: CallShape[] = [];
  readonly #statuses: number[] = [];
  readonly #words: Raw[] = [];
  /** All arguments of a call of many. */
  readonly #lists: (readonly Raw[] | undefined)[] = [];
  /** Bytes kept of each slot's text; −1 where its address was wild. */
  readonly #textSizes: number[] = [];
  #texts = noText;

  /** A call begins, with its first arguments; the number is for `end`. */
  begin(shape: CallShape, memory: GuestMemory, a: Raw, b: Raw, c: Raw, d: Raw, e: Raw): number {
    const call = this.#count++;
    const slot = call % callCountKept;
    const at = slot * wordCountMax;
    const words = this.#words;
    words[at] = a;
    words[at + 1] = b;
    words[at + 2] = c;
    words[at + 3] = d;
    words[at + 4] = e;
    this.#shapes[slot] = shape;
    this.#statuses[slot] = unanswered;
    this.#lists[slot] = undefined;
    const { textAt } = shape;
    if (textAt >= 0) this.#keepText(slot, words[at + textAt]!, words[at + textAt + 1]!, memory);
    return call;
  }

  /** A call of more than five arguments begins. Takes the list as its own. */
  beginMany(shape: CallShape, memory: GuestMemory, words: readonly Raw[]): number {
    const call = this.begin(shape, memory, words[0]!, words[1]!, words[2]!, words[3]!, words[4]!);
    this.#lists[call % callCountKept] = words;
    return call;
  }

  /** The call has answered; nothing when so many came meanwhile that it is forgotten. */
  end(call: number, status: number): void {
    if (this.#count - call <= callCountKept) this.#statuses[call % callCountKept] = status;
  }

  /**
   * A line for each call, the oldest first:
   * `proxy_set_shared_data(key="lease", value=36 bytes, cas=7) Ok`. A call that never answered has
   * no status.
   */
  lines(): string[] {
    const first = Math.max(0, this.#count - callCountKept);
    return Array.from({ length: this.#count - first }, (_, index) => this.#line(first + index));
  }

  /** The line of the latest one. */
  get last(): string {
    return this.#count === 0 ? "" : this.#line(this.#count - 1);
  }

  #line(call: number): string {
    const slot = call % callCountKept;
    const { signature, textAt } = this.#shapes[slot]!;
    const from = slot * wordCountMax;
    const words = this.#lists[slot] ?? this.#words.slice(from, from + wordCountMax);
    const shown: string[] = [];
    let at = 0;
    for (const { name, kind } of signature.parameters) {
      const value = shownValue(kind, words, at);
      const isText = at === textAt;
      if (value !== undefined) shown.push(`${name}=${isText ? this.#text(slot, value) : value}`);
      at += isPair(kind) ? 2 : 1;
    }
    const status = this.#statuses[slot]!;
    const answer = status === unanswered ? null : shownStatus(signature, status);
    return `${signature.name}(${shown.join(", ")})${answer === null ? "" : ` ${answer}`}`;
  }

  #keepText(slot: number, ptr: Raw, size: Raw, memory: GuestMemory): void {
    const sizeBytes = Number(size) >>> 0;
    const bytes = memory.viewBytes(Number(ptr) >>> 0, sizeBytes);
    this.#textSizes[slot] = -1;
    if (bytes === undefined) return;
    if (this.#texts === noText) this.#texts = new Uint8Array(callCountKept * textBytesMax);
    const kept = Math.min(sizeBytes, textBytesMax);
    const at = slot * textBytesMax;
    for (let index = 0; index < kept; index++) this.#texts[at + index] = bytes[index]!;
    this.#textSizes[slot] = kept;
  }

  /** The kept bytes as text; what there is to say of them otherwise when they are not all of it. */
  #text(slot: number, sizeText: string): string {
    const size = this.#textSizes[slot]!;
    if (size < 0) return `${sizeText} out of bounds`;
    const at = slot * textBytesMax;
    const text = JSON.stringify(lossyUtf8(this.#texts.subarray(at, at + size)));
    return sizeText === shownSize(size) ? text : `${text}… (${sizeText})`;
  }
}

/** A call of the ABI that has not been made yet, as a line. */
export function shownCall(name: string, memory: GuestMemory, args: readonly Raw[]): string {
  const signature = hostSignatures.find((one) => one.name === name && one.module === "env");
  if (signature === undefined) return name;
  const ring = new CallRing();
  ring.beginMany(callShape(signature), memory, args);
  return ring.last;
}

/** How a call answered: a status name, WASI's `errno N`; null for a function without a result. */
export function shownStatus(signature: HostSignature, status: number): string | null {
  if (signature.type.results.length === 0) return null;
  if (signature.module === "wasi") return status === 0 ? "Ok" : `errno ${status}`;
  return signature.name.startsWith("pthread_") ? String(status) : statusName(status);
}

/** Kinds of parameters that are two wasm arguments: address and size. */
export function isPair(kind: Parameter["kind"]): boolean {
  return kind.endsWith("bytes") || kind.endsWith("pairs") || kind === "path";
}

function shownSize(size: number): string {
  return size === 1 ? "1 byte" : `${size} bytes`;
}

/** Undefined for addresses of outputs, which tell a reader nothing. */
function shownValue(
  kind: Parameter["kind"],
  words: readonly Raw[],
  at: number,
): string | undefined {
  const word = words[at]!;
  switch (kind) {
    case "u32":
      return String(Number(word) >>> 0);
    case "i32":
      return String(Number(word) | 0);
    case "i64":
      return String(word);
    case "bytes":
    case "pairs":
    case "path":
      return shownSize(Number(words[at + 1]) >>> 0);
    default:
      return undefined;
  }
}
