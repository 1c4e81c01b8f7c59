/** fd_write and fd_pwrite: what becomes a line of log, and what of it is counted. */
import * as wasi from "./preview1.guest";
import { atTheEnd, begin, first, given, outside, put, room, second, vector } from "./report.guest";
import * as old from "./unstable.guest";

/** Where texts stand, behind the vector. */
const text: u32 = given + 48;

function write(call: string, fd: u32, words: u32[], out: u32 = room): void {
  const count = <u32>words.length / 2;
  begin("fd_write " + call);
  first(wasi.fd_write(fd, vector(words), count, out));
  second(old.fd_write(fd, vector(words), count, out));
}

export function descriptors(): void {
  const size = put(text, "to a descriptor");
  for (let fd: u32 = 0; fd < 5; fd++) write(fd.toString(), fd, [text, size]);
  write("4294967295", 0xffffffff, [text, size]);
}

export function lineEnds(): void {
  write("no vector", 1, []);
  write("an empty buffer", 1, [text, 0]);
  write("an empty buffer outside", 1, [outside, 0]);
  write("a line end", 1, [text, put(text, "\n")]);
  write("two line ends", 1, [text, put(text, "\n\n")]);
  write("a line and its end", 1, [text, put(text, "line\n")]);
  write("a line and two ends", 1, [text, put(text, "line\n\n")]);
  write("two lines", 1, [text, put(text, "one\ntwo")]);
  write("a line end first", 1, [text, put(text, "\nline")]);
}

export function pieces(): void {
  const size = put(text, "one two\n");
  write("three pieces", 1, [text, 4, text + 4, 0, text + 4, size - 4]);
  write("a piece twice", 2, [text, 3, text, 3]);
}

export function badMemory(): void {
  const size = put(text, "text");
  write("a piece outside", 1, [text, size, outside, 4]);
  write("the count outside", 1, [text, size], outside);
  write("the count over the end", 1, [text, size], atTheEnd());
  write("fd 7, everything outside", 7, [outside, 4], outside);
  begin("fd_write, the vector outside");
  first(wasi.fd_write(1, outside, 1, room));
  second(old.fd_write(1, outside, 1, room));
  begin("fd_write, no vector outside");
  first(wasi.fd_write(1, outside, 0, room));
  second(old.fd_write(1, outside, 0, room));
}

export function positioned(): void {
  const words = [text, put(text, "positioned\n")];
  for (let fd: u32 = 0; fd < 4; fd++) {
    begin("fd_pwrite " + fd.toString());
    first(wasi.fd_pwrite(fd, vector(words), 1, 1000, room));
    second(old.fd_pwrite(fd, vector(words), 1, 1000, room));
  }
  begin("fd_pwrite, the vector outside");
  first(wasi.fd_pwrite(2, outside, 1, 0, room));
  second(old.fd_pwrite(2, outside, 1, 0, room));
}
