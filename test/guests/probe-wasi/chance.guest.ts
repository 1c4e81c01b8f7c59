/** Arguments, environment, clocks, random bytes, waiting and leaving. */
import * as wasi from "./preview1.guest";
import { amount, atTheEnd, begin, first, outside, room, say, second } from "./report.guest";
import * as old from "./unstable.guest";

/** Of a VM with one variable: the order of several is not defined. */
export function environment(): void {
  sizes();
  begin("environ_get");
  const difference = room + 8;
  first(wasi.environ_get(room, difference), variables());
  second(old.environ_get(room, difference), variables());
  begin("environ_get, the pointers outside");
  first(wasi.environ_get(outside, room));
  second(old.environ_get(outside, room));
  begin("environ_get, the texts outside");
  first(wasi.environ_get(room, outside), pointer());
  second(old.environ_get(room, outside), pointer());
  begin("environ_sizes_get outside");
  first(wasi.environ_sizes_get(outside, room));
  second(old.environ_sizes_get(outside, room));
  begin("environ_sizes_get, the size outside");
  first(wasi.environ_sizes_get(room, outside));
  second(old.environ_sizes_get(room, outside));
}

/** Whether the pointer word was written, without its value. */
function pointer(): string {
  return load<u32>(room) == 0xeeeeeeee ? "" : " wrote a pointer";
}

function variables(): string {
  const at = load<u32>(room) - room;
  const text = String.UTF8.decodeUnsafe(room + 8, 80, true);
  return " [" + at.toString() + "] " + text;
}

export function noEnvironment(): void {
  sizes();
  begin("environ_get outside");
  first(wasi.environ_get(outside, outside));
  second(old.environ_get(outside, outside));
}

function sizes(): void {
  begin("environ_sizes_get");
  first(wasi.environ_sizes_get(room, room + 4));
  second(old.environ_sizes_get(room, room + 4));
  begin("args_sizes_get");
  first(wasi.args_sizes_get(room, room + 4));
  second(old.args_sizes_get(room, room + 4));
  begin("args_sizes_get outside");
  first(wasi.args_sizes_get(outside, room));
  second(old.args_sizes_get(outside, room));
  begin("args_sizes_get, the size outside");
  first(wasi.args_sizes_get(room, outside));
  second(old.args_sizes_get(room, outside));
  begin("args_get");
  first(wasi.args_get(room, room + 8));
  second(old.args_get(room, room + 8));
  begin("args_get outside");
  first(wasi.args_get(outside, outside));
  second(old.args_get(outside, outside));
}

export function clocks(): void {
  for (let id: u32 = 0; id < 5; id++) {
    begin("clock_time_get " + id.toString());
    first(wasi.clock_time_get(id, 0, room), written64());
    second(old.clock_time_get(id, 0, room), written64());
    begin("clock_res_get " + id.toString());
    first(wasi.clock_res_get(id, room));
    second(old.clock_res_get(id, room));
  }
  begin("clock_time_get, a precision");
  first(wasi.clock_time_get(1, -1, room), written64());
  second(old.clock_time_get(1, -1, room), written64());
  begin("clock_time_get outside");
  first(wasi.clock_time_get(0, 0, outside));
  second(old.clock_time_get(0, 0, outside));
  begin("clock_time_get over the end");
  first(wasi.clock_time_get(0, 0, atTheEnd()));
  second(old.clock_time_get(0, 0, atTheEnd()));
  begin("clock_time_get 7 outside");
  first(wasi.clock_time_get(7, 0, outside));
  second(old.clock_time_get(7, 0, outside));
  begin("clock_res_get outside");
  first(wasi.clock_res_get(0, outside));
  second(old.clock_res_get(0, outside));
}

function written64(): string {
  const value = load<u64>(room);
  return value == 0xeeeeeeeeeeeeeeee ? "" : value == 0 ? " zero" : " positive";
}

export function randomness(): void {
  begin("random_get 0");
  first(wasi.random_get(room, 0));
  second(old.random_get(room, 0));
  begin("random_get 0 outside");
  first(wasi.random_get(outside, 0));
  second(old.random_get(outside, 0));
  begin("random_get 32 outside");
  first(wasi.random_get(outside, 32));
  second(old.random_get(outside, 32));
  begin("random_get 32 over the end");
  first(wasi.random_get(atTheEnd(), 32));
  second(old.random_get(atTheEnd(), 32));
  begin("random_get 65537 outside");
  first(wasi.random_get(outside, 65537));
  second(old.random_get(outside, 65537));
  const many = new Uint8Array(65537);
  begin("random_get 65536");
  first(wasi.random_get(<u32>many.dataStart, 65536), isMixed(many));
  second(old.random_get(<u32>many.dataStart, 65536), isMixed(many));
  begin("random_get 65537");
  first(wasi.random_get(<u32>many.dataStart, 65537));
  second(old.random_get(<u32>many.dataStart, 65537));
}

/** Half of all bits are set, give or take one in fifty. */
function isMixed(bytes: Uint8Array): string {
  let count = 0;
  for (let index = 0; index < 65536; index++) count += popcnt<i32>(bytes[index]);
  bytes.fill(0);
  return count > 256000 && count < 268000 ? " mixed" : " not mixed";
}

export function leaving(): void {
  begin("sched_yield");
  first(wasi.sched_yield());
  second(old.sched_yield());
  begin("poll_oneoff");
  first(wasi.poll_oneoff(room + 8, room + 16, 1, room));
  second(old.poll_oneoff(room + 8, room + 16, 1, room));
  begin("poll_oneoff, the count outside");
  first(wasi.poll_oneoff(outside, outside, 1, outside));
  second(old.poll_oneoff(outside, outside, 1, outside));
  begin("poll_oneoff, no event");
  first(wasi.poll_oneoff(room + 8, room + 16, 0, room));
  second(old.poll_oneoff(room + 8, room + 16, 0, room));
  wasi.proc_exit(0);
  old.proc_exit(3);
  say("proc_exit returned: " + amount());
}
