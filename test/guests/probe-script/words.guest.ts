/**
 * Bytes and words. Bytes are strings of one character a byte (0 … 255) inside the guest; in scripts and in the log
 * they are text with `%XX` for what is not printable ASCII.
 */

const digits = "0123456789abcdef";
const repeatMax: i64 = 16 * 1024 * 1024;
const shownMax = 100;

/** What a host call gets: an address and a size, and what keeps the bytes alive. */
export class Room {
  constructor(
    readonly ptr: usize,
    readonly size: usize,
    readonly keeper: Uint8Array,
  ) {}
}

export function roomOf(text: string): Room {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = <u8>text.charCodeAt(index);
  return new Room(bytes.dataStart, bytes.length, bytes);
}

/** The room that a word names: `^outside` lies where no memory is, `^null` is address 0 and size 0. */
export function room(word: string): Room {
  if (word == "^outside") return new Room(0xfffffff0, 64, new Uint8Array(0));
  if (word == "^null") return new Room(0, 0, new Uint8Array(0));
  return roomOf(bytesOf(word));
}

export function textAt(ptr: usize, size: usize): string {
  const parts = new Array<string>();
  let part = "";
  for (let index: usize = 0; index < size; index++) {
    part += String.fromCharCode(load<u8>(ptr + index));
    if (part.length < 512) continue;
    parts.push(part);
    part = "";
  }
  parts.push(part);
  return parts.join("");
}

/** `~` is empty, `%XX` a byte, `x*2000` two thousand times x. */
export function bytesOf(word: string): string {
  if (word == "~") return "";
  const star = word.lastIndexOf("*");
  if (star > 0 && star + 1 < word.length && isNumber(word.substring(star + 1))) {
    const count = I64.parseInt(word.substring(star + 1), 10);
    const unit = unescaped(word.substring(0, star));
    return unit.repeat(<i32>min<i64>(count, repeatMax / max<i64>(1, unit.length)));
  }
  return unescaped(word);
}

function isNumber(text: string): bool {
  if (text.length > 15) return false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 48 || code > 57) return false;
  }
  return true;
}

function unescaped(word: string): string {
  if (!word.includes("%")) return word;
  let text = "";
  for (let index = 0; index < word.length; index++) {
    const high = digitAt(word, index + 1);
    const low = digitAt(word, index + 2);
    if (word.charCodeAt(index) == 37 && high >= 0 && low >= 0) {
      text += String.fromCharCode(high * 16 + low);
      index += 2;
    } else text += word.charAt(index);
  }
  return text;
}

function digitAt(word: string, index: i32): i32 {
  return index < word.length ? digits.indexOf(word.charAt(index).toLowerCase()) : -1;
}

/** The bytes that hexadecimal digits stand for; `~` is none, an odd last digit is left out. */
export function bytesOfHex(word: string): string {
  if (word == "~") return "";
  let text = "";
  for (let index = 0; index + 1 < word.length; index += 2)
    text += String.fromCharCode(
      max(0, digitAt(word, index)) * 16 + max(0, digitAt(word, index + 1)),
    );
  return text;
}

/** For the log: long bytes as `#SIZE:HASH`. */
export function shown(bytes: string): string {
  if (bytes.length > shownMax) return "#" + bytes.length.toString() + ":" + hashOf(bytes);
  let text = "";
  for (let index = 0; index < bytes.length; index++) {
    const code = bytes.charCodeAt(index);
    text += code < 32 || code > 126 || code == 37 ? "%" + hexOf(code) : bytes.charAt(index);
  }
  return text;
}

/** For the log: text if it is, else hexadecimal with `0x`. */
export function shownValue(bytes: string): string {
  if (bytes.length > shownMax) return shown(bytes);
  let hex = "0x";
  let isText = true;
  for (let index = 0; index < bytes.length; index++) {
    const code = bytes.charCodeAt(index);
    if (code < 32 || code > 126) isText = false;
    hex += hexOf(code).toLowerCase();
  }
  return isText ? bytes : hex;
}

function hexOf(code: i32): string {
  return (digits.charAt((code >> 4) & 15) + digits.charAt(code & 15)).toUpperCase();
}

/** FNV-1a, 32 bits. */
function hashOf(bytes: string): string {
  let hash: u32 = 0x811c9dc5;
  for (let index = 0; index < bytes.length; index++)
    hash = (hash ^ (<u32>bytes.charCodeAt(index))) * 0x01000193;
  let text = "";
  for (let shift = 28; shift >= 0; shift -= 4) text += digits.charAt((hash >> shift) & 15);
  return text;
}

function u32Text(value: u32): string {
  return (
    String.fromCharCode(value & 255) +
    String.fromCharCode((value >> 8) & 255) +
    String.fromCharCode((value >> 16) & 255) +
    String.fromCharCode(value >> 24)
  );
}

/** Pairs as the ABI writes them; `a=b,c=d`, `-` for none: the empty blob. */
export function pairsOf(word: string): string {
  if (word == "-" || word == "" || word == "~") return "";
  const pairs = word.split(",");
  let sizes = u32Text(pairs.length);
  let text = "";
  for (let index = 0; index < pairs.length; index++) {
    const at = pairs[index].indexOf("=");
    const name = bytesOf(at < 0 ? pairs[index] : pairs[index].substring(0, at));
    const value = at < 0 ? "" : bytesOf(pairs[index].substring(at + 1));
    sizes += u32Text(name.length) + u32Text(value.length);
    text += name + "\0" + value + "\0";
  }
  return sizes + text;
}

/** For the log: `[k=v, k=v]`; what is no list of pairs is shown as bytes. */
export function shownPairs(blob: string): string {
  if (blob.length < 4) return "not-pairs:" + shown(blob);
  const count = u32At(blob, 0);
  let at: u64 = 4 + <u64>count * 8;
  if (at > <u64>blob.length) return "not-pairs:" + shown(blob);
  const parts = new Array<string>();
  for (let index: u32 = 0; index < count; index++) {
    const nameSize = u32At(blob, 4 + index * 8);
    const valueSize = u32At(blob, 8 + index * 8);
    const valueAt = at + nameSize + 1;
    const end = valueAt + valueSize + 1;
    if (end > <u64>blob.length) return "not-pairs:" + shown(blob);
    const name = blob.substring(<i32>at, <i32>(valueAt - 1));
    const value = blob.substring(<i32>valueAt, <i32>(end - 1));
    parts.push(shown(name) + "=" + shown(value));
    at = end;
  }
  const rest =
    at == <u64>blob.length ? "" : " and " + (<u64>blob.length - at).toString() + " bytes";
  return "[" + parts.join(", ") + "]" + rest;
}

function u32At(text: string, at: u32): u32 {
  return (
    (<u32>text.charCodeAt(at)) |
    ((<u32>text.charCodeAt(at + 1)) << 8) |
    ((<u32>text.charCodeAt(at + 2)) << 16) |
    ((<u32>text.charCodeAt(at + 3)) << 24)
  );
}
