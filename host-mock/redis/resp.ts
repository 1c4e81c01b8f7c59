/**
 * The Redis serialisation protocol, version 2. Texts are binary strings.
 *
 *     *2\r\n$3\r\nGET\r\n$1\r\nk\r\n        a command: an array of bulk strings
 *     PING\r\n                              the same as one line of words
 *     +OK\r\n  -ERR …\r\n  :7\r\n  $-1\r\n  *0\r\n      replies
 *
 * Source: Redis `networking.c` (processInlineBuffer, processMultibulkBuffer), `docs` RESP.
 */
import { array, bulk, integer, nil, nilArray, type Reply } from "./reply.ts";

/** Commands of a request, and the protocol error that ended reading, if any. */
export interface Decoded {
  readonly commands: readonly (readonly string[])[];
  readonly error: string | null;
  /** How much of the text was understood; what is left is the beginning of another command. */
  readonly usedLength: number;
}

const bulkMax = 512 * 1024 * 1024;
const itemsMax = 2 ** 31 - 1;

/** Reads all commands of a request; a command that is cut off is left over. */
export function decodeCommands(text: string): Decoded {
  const commands: string[][] = [];
  let at = 0;
  for (;;) {
    if (at >= text.length) return { commands, error: null, usedLength: at };
    const read = text[at] === "*" ? readMultibulk(text, at) : readInline(text, at);
    if (read === undefined) return { commands, error: null, usedLength: at };
    if (typeof read === "string") return { commands, error: read, usedLength: at };
    if (read.words.length > 0) commands.push(read.words);
    at = read.end;
  }
}

interface Read {
  readonly words: string[];
  readonly end: number;
}

function readInline(text: string, at: number): Read | string | undefined {
  const end = text.indexOf("\n", at);
  if (end < 0) return undefined;
  const words = splitWords(text.slice(at, end).replace(/\r$/, ""));
  return words === undefined
    ? "ERR Protocol error: unbalanced quotes in request"
    : { words, end: end + 1 };
}

/** Words of an inline command, quoted ones included; undefined when a quote is not closed. */
function splitWords(line: string): string[] | undefined {
  const words: string[] = [];
  const word = /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s"']+))(?=\s|$)/y;
  let at = 0;
  while (at < line.trimEnd().length) {
    word.lastIndex = at;
    const found = word.exec(line);
    if (found === null) return undefined;
    const [, double, single, plain] = found;
    words.push(plain ?? unescaped(double) ?? single!.replaceAll("\\'", "'"));
    at = word.lastIndex;
  }
  return words;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", a: "\x07" };

function unescaped(text: string | undefined): string | undefined {
  return text?.replace(
    /\\(?:x([0-9a-fA-F]{2})|(.))/g,
    (_, hex: string | undefined, char: string) =>
      hex === undefined ? (escapes[char] ?? char) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function readMultibulk(text: string, start: number): Read | string | undefined {
  const head = readLine(text, start);
  if (head === undefined) return undefined;
  const count = wholeNumber(head.line.slice(1));
  if (count === undefined || count > itemsMax)
    return "ERR Protocol error: invalid multibulk length";
  const words: string[] = [];
  let at = head.end;
  while (words.length < count) {
    const line = readLine(text, at);
    if (line === undefined) return undefined;
    if (line.line[0] !== "$")
      return `ERR Protocol error: expected '$', got '${line.line[0] ?? ""}'`;
    const length = wholeNumber(line.line.slice(1));
    if (length === undefined || length < 0 || length > bulkMax)
      return "ERR Protocol error: invalid bulk length";
    if (text.length < line.end + length + 2) return undefined;
    words.push(text.slice(line.end, line.end + length));
    at = line.end + length + 2;
  }
  return { words, end: at };
}

function readLine(text: string, at: number): { line: string; end: number } | undefined {
  const end = text.indexOf("\r\n", at);
  return end < 0 ? undefined : { line: text.slice(at, end), end: end + 2 };
}

function wholeNumber(text: string): number | undefined {
  return /^-?\d+$/.test(text) ? Number(text) : undefined;
}

/** A command as clients send it. */
export function encodeCommand(words: readonly string[]): string {
  return encodeReply({ kind: "array", items: words.map(bulk) });
}

export function encodeReply(reply: Reply): string {
  switch (reply.kind) {
    case "status":
      return `+${reply.text}\r\n`;
    case "error":
      return `-${reply.text}\r\n`;
    case "integer":
      return `:${reply.value}\r\n`;
    case "bulk":
      return reply.text === null ? "$-1\r\n" : `$${reply.text.length}\r\n${reply.text}\r\n`;
    case "array":
      return reply.items === null
        ? "*-1\r\n"
        : `*${reply.items.length}\r\n${reply.items.map(encodeReply).join("")}`;
  }
}

/** The reply at the start of a text, and where it ends; undefined while it is not whole or no reply. */
export function decodeReply(text: string, start = 0): { reply: Reply; end: number } | undefined {
  const head = readLine(text, start);
  if (head === undefined) return undefined;
  const rest = head.line.slice(1);
  const { end } = head;
  switch (head.line[0]) {
    case "+":
      return { reply: { kind: "status", text: rest }, end };
    case "-":
      return { reply: { kind: "error", text: rest }, end };
    case ":":
      return { reply: integer(BigInt(rest)), end };
    case "$": {
      const length = wholeNumber(rest) ?? -1;
      if (length < 0) return { reply: nil, end };
      if (text.length < end + length + 2) return undefined;
      return { reply: bulk(text.slice(end, end + length)), end: end + length + 2 };
    }
    case "*":
      return decodeArray(text, wholeNumber(rest) ?? -1, end);
    default:
      return undefined;
  }
}

function decodeArray(
  text: string,
  count: number,
  start: number,
): { reply: Reply; end: number } | undefined {
  if (count < 0) return { reply: nilArray, end: start };
  const items: Reply[] = [];
  let at = start;
  while (items.length < count) {
    const item = decodeReply(text, at);
    if (item === undefined) return undefined;
    items.push(item.reply);
    at = item.end;
  }
  return { reply: array(items), end: at };
}
