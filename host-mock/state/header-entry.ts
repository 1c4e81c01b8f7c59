import { fromLatin1, isAscii, latin1, lossyUtf8, tryUtf8, utf8 } from "./bytes.ts";
import { inlineNames, type HeaderMapKind } from "./inline-headers.ts";

/** A token of HTTP, behind the colon of a pseudo-header. */
const token = /^:?[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Control characters other than a tabulator. */
const controls = /[\x00-\x08\x0a-\x1f\x7f]/;
const controlsOnly = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/;

/** So many names are kept, none of them longer. */
const keptMax = 4096;
const keptBytesMax = 128;

/** Kept names by their key, and by every ASCII spelling that was asked for. */
const byKey = new Map<string, HeaderName>();
const bySpelling = new Map<string, HeaderName>();

/**
 * A header's name. The same few names come again and again: one object stands for a name in all maps, and two are
 * compared without a look at their text. This only saves work; what is found does not depend on what went before.
 */
export class HeaderName {
  /** Lower-cased binary string. */
  readonly key: string;
  readonly bytes: Uint8Array;
  /** For a reader; a name that is no UTF-8 is shown byte by byte. */
  readonly shown: string;
  readonly isPseudo: boolean;
  /** A token of HTTP; of a pseudo-header what follows the colon is. */
  readonly isToken: boolean;
  readonly hasControls: boolean;
  /** The kinds of maps that hold one entry of it. */
  readonly inlineIn: Readonly<Record<HeaderMapKind, boolean>>;
  /** No other object has this key. */
  readonly #isKept: boolean;
  #latest: HeaderEntry | undefined;

  private constructor(key: string, isKept: boolean) {
    this.key = key;
    this.bytes = fromLatin1(key);
    this.shown = tryUtf8(this.bytes) ?? key;
    this.isPseudo = key.startsWith(":");
    this.isToken = token.test(key);
    this.hasControls = controls.test(key);
    this.inlineIn = {
      request: inlineNames.request.has(key),
      response: inlineNames.response.has(key),
      requestTrailers: inlineNames.requestTrailers.has(key),
      responseTrailers: inlineNames.responseTrailers.has(key),
    };
    this.#isKept = isKept;
    this.#latest = undefined;
  }

  /** The name that a text or bytes spell, in any case. */
  static of(spelling: string | Uint8Array): HeaderName {
    if (typeof spelling !== "string") return HeaderName.ofBinary(latin1(spelling));
    const known = bySpelling.get(spelling);
    if (known !== undefined) return known;
    // A text and a binary string mean the same only as far as they are ASCII.
    return isAscii(spelling) ? spelled(spelling) : keyed(latin1(utf8(spelling)));
  }

  /** The name that a binary string spells, in any case. */
  static ofBinary(spelling: string): HeaderName {
    const known = bySpelling.get(spelling);
    if (known !== undefined) return known;
    return isAscii(spelling) ? spelled(spelling) : keyed(spelling);
  }

  /** @internal */
  static keyed(key: string): HeaderName {
    const known = byKey.get(key);
    if (known !== undefined) return known;
    const isKept = byKey.size < keptMax && key.length <= keptBytesMax;
    const made = new HeaderName(key, isKept);
    if (isKept) byKey.set(key, made);
    return made;
  }

  isSame(other: HeaderName): boolean {
    return this === other || (!this.#isKept && !other.#isKept && this.key === other.key);
  }

  /** An entry of this name; a text that was its value the last time as well makes the same one. */
  entry(value: string | Uint8Array): HeaderEntry {
    const latest = this.#latest;
    if (typeof value !== "string") return new HeaderEntry(this, value);
    if (latest !== undefined && latest.isMadeOf(value)) return latest;
    return (this.#latest = new HeaderEntry(this, value));
  }
}

function spelled(spelling: string): HeaderName {
  const name = keyed(spelling);
  const isShort = spelling.length <= keptBytesMax;
  if (isShort && bySpelling.size < 2 * keptMax) bySpelling.set(spelling, name);
  return name;
}

/** Only A–Z change: other characters are bytes of who knows which encoding. */
function keyed(spelling: string): HeaderName {
  return HeaderName.keyed(spelling.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()));
}

/** Control characters in a value, tabulators left out; a codec minds each kind otherwise. */
export interface Controls {
  readonly hasReturn: boolean;
  readonly hasLineEnd: boolean;
  readonly hasOther: boolean;
}

/** Name and value as a reader sees them: bytes where they are no UTF-8. */
export type ShownHeader = readonly [name: string, value: string | Uint8Array];

/**
 * One header: it never changes, so that maps share it. A value that came as text is encoded when somebody asks for its
 * bytes, one that came as bytes is decoded when somebody asks for its text.
 */
export class HeaderEntry {
  readonly name: HeaderName;
  /** It came as text, and is ASCII. */
  readonly #isText: boolean;
  #text: string | undefined;
  #bytes: Uint8Array | undefined;
  #shown: ShownHeader | undefined;
  /** Null: none; undefined: nobody has looked. */
  #controls: Controls | null | undefined;

  constructor(name: HeaderName, value: string | Uint8Array) {
    this.name = name;
    this.#isText = typeof value === "string" && isAscii(value);
    this.#text = this.#isText ? (value as string) : undefined;
    this.#bytes = this.#isText ? undefined : bytesOf(value);
    this.#shown = undefined;
    this.#controls = undefined;
  }

  /** Not to be changed. */
  get bytes(): Uint8Array {
    return (this.#bytes ??= utf8(this.#text!));
  }

  /** U+FFFD in place of what is not UTF-8. */
  get text(): string {
    return (this.#text ??= lossyUtf8(this.#bytes!));
  }

  get sizeBytes(): number {
    return this.#bytes === undefined ? this.#text!.length : this.#bytes.length;
  }

  /** For a reader; a name that is no UTF-8 is shown byte by byte. */
  get shown(): ShownHeader {
    return (this.#shown ??= this.#show());
  }

  /** Its value's control characters; null when it has none, as nearly all. Looked for once. */
  get controls(): Controls | null {
    if (this.#controls === undefined) this.#controls = this.#lookForControls();
    return this.#controls;
  }

  /** Whether it was made of this very text. */
  isMadeOf(text: string): boolean {
    return this.#isText && this.#text === text;
  }

  #lookForControls(): Controls | null {
    const value = this.#isText ? this.#text! : latin1(this.#bytes!);
    if (!controls.test(value)) return null;
    return {
      hasReturn: value.includes("\r"),
      hasLineEnd: value.includes("\n"),
      hasOther: controlsOnly.test(value),
    };
  }

  #show(): ShownHeader {
    const { shown } = this.name;
    const bytes = this.#bytes;
    return [shown, bytes === undefined ? this.#text! : (tryUtf8(bytes) ?? bytes)];
  }
}

function bytesOf(value: string | Uint8Array): Uint8Array {
  return typeof value === "string" ? utf8(value) : value;
}
