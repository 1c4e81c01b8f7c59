/** What a Redis command answers. Texts are binary strings: one character a byte. */
export type Reply =
  | { readonly kind: "status"; readonly text: string }
  /** Its first word is the error's code: `ERR`, `WRONGTYPE`, … */
  | { readonly kind: "error"; readonly text: string }
  | { readonly kind: "integer"; readonly value: bigint }
  /** null: there is no such value. */
  | { readonly kind: "bulk"; readonly text: string | null }
  | { readonly kind: "array"; readonly items: readonly Reply[] | null };

export const ok: Reply = { kind: "status", text: "OK" };
export const nil: Reply = { kind: "bulk", text: null };
export const nilArray: Reply = { kind: "array", items: null };

export function bulk(text: string | null): Reply {
  return text === null ? nil : { kind: "bulk", text };
}

export function integer(value: number | bigint | boolean): Reply {
  return { kind: "integer", value: BigInt(value) };
}

export function array(items: readonly Reply[]): Reply {
  return { kind: "array", items };
}

export function bulks(texts: Iterable<string | null>): Reply {
  return array(Array.from(texts, bulk));
}

/** Ends a command with an error reply. */
export class RedisError extends Error {
  readonly reply: Reply;

  constructor(text: string) {
    super(text);
    this.name = "RedisError";
    this.reply = { kind: "error", text };
  }
}

export const wrongType = "WRONGTYPE Operation against a key holding the wrong kind of value";
export const notInteger = "ERR value is not an integer or out of range";
export const notFloat = "ERR value is not a valid float";
export const syntaxError = "ERR syntax error";
