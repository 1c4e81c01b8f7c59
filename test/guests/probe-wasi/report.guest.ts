/**
 * A call under both names of WASI, and one line of log about it: its errno, or both where they differ, and what it
 * wrote into the room that it was given.
 */

// @ts-ignore: decorator
@external("env", "proxy_log")
declare function proxy_log(level: u32, text: usize, size: usize): u32;

const roomSize: u32 = 96;
const untouched: u8 = 0xee;

/** Where calls write. */
export const room = <u32>memory.data(96, 16);
/** What calls read: vectors and names. */
export const given = <u32>memory.data(96, 16);
/** An address where no memory is. */
export const outside: u32 = 0xfffffff0;

let name = "";
let firstErrno: u32 = 0;
let firstEffect = "";

export function say(text: string): void {
  const bytes = String.UTF8.encode(text);
  proxy_log(2, changetype<usize>(bytes), bytes.byteLength);
}

/** The last two bytes of the memory: no word has room there. */
export function atTheEnd(): u32 {
  return <u32>memory.size() * 65536 - 2;
}

export function begin(call: string): void {
  name = call;
  clear();
}

export function first(errno: u32, effect: string = written()): void {
  firstErrno = errno;
  firstEffect = effect;
  clear();
}

export function second(errno: u32, effect: string = written()): void {
  let line = name + " = " + firstErrno.toString() + firstEffect;
  if (errno != firstErrno || effect != firstEffect)
    line += ", as unstable " + errno.toString() + effect;
  say(line);
}

/** Only how much was written: two calls give different bytes. */
export function amount(): string {
  return " wrote " + (end() - start()).toString() + " bytes";
}

function clear(): void {
  memory.fill(room, untouched, roomSize);
}

function start(): u32 {
  let at: u32 = 0;
  while (at < roomSize && load<u8>(room + at) == untouched) at++;
  return at;
}

function end(): u32 {
  let at: u32 = roomSize;
  while (at > 0 && load<u8>(room + at - 1) == untouched) at--;
  return at;
}

/** From the first changed byte to the last: `[4] 01000000`. */
function written(): string {
  const from = start();
  if (from == roomSize) return "";
  let text = " [" + from.toString() + "] ";
  for (let at = from; at < end(); at++) {
    const byte = load<u8>(room + at);
    text += (byte < 16 ? "0" : "") + byte.toString(16);
  }
  return text;
}

/** Text in the memory that calls read; its size. */
export function put(at: u32, text: string): u32 {
  return <u32>String.UTF8.encodeUnsafe(changetype<usize>(text), text.length, at);
}

/** A vector of buffers at `given`: address and size of each, in turn. */
export function vector(words: u32[]): u32 {
  for (let index = 0; index < words.length; index++) store<u32>(given + 4 * index, words[index]);
  return given;
}
