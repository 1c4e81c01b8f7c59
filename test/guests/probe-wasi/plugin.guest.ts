/**
 * Calls every WASI function, under both of its names, and tells in the log what each answered and wrote. Which of them
 * says the path of a request.
 */
import { clocks, environment, leaving, noEnvironment, randomness } from "./chance.guest";
import { files, lists, memoryOfFiles, names, numbers } from "./files.guest";
import { badMemory, descriptors, lineEnds, pieces, positioned } from "./output.guest";
import { say } from "./report.guest";
import { memoryOfSockets, sockets } from "./sockets.guest";

// @ts-ignore: decorator
@external("env", "proxy_get_header_map_value")
declare function proxy_get_header_map_value(
  map: u32,
  name: usize,
  nameSize: usize,
  valuePtr: usize,
  valueSize: usize,
): u32;

export function proxy_abi_version_0_2_1(): void {}

export function proxy_on_memory_allocate(size: i32): usize {
  return heap.alloc(size);
}

export function proxy_on_request_headers(_id: u32, _count: u32, _end: u32): i32 {
  const path = pathOfRequest();
  if (path == "/descriptors") descriptors();
  else if (path == "/line-ends") lineEnds();
  else if (path == "/pieces") pieces();
  else if (path == "/bad-memory") badMemory();
  else if (path == "/positioned") positioned();
  else if (path == "/files") files();
  else if (path == "/numbers") numbers();
  else if (path == "/names") names();
  else if (path == "/lists") lists();
  else if (path == "/memory-of-files") memoryOfFiles();
  else if (path == "/sockets") sockets();
  else if (path == "/memory-of-sockets") memoryOfSockets();
  else if (path == "/environment") environment();
  else if (path == "/no-environment") noEnvironment();
  else if (path == "/clocks") clocks();
  else if (path == "/randomness") randomness();
  else if (path == "/leaving") leaving();
  else say("no such calls: " + path);
  return 0;
}

const words = memory.data(8, 8);

function pathOfRequest(): string {
  const name = String.UTF8.encode(":path");
  const status = proxy_get_header_map_value(
    0,
    changetype<usize>(name),
    name.byteLength,
    words,
    words + 4,
  );
  if (status != 0) return status.toString();
  const path = String.UTF8.decodeUnsafe(load<u32>(words), load<u32>(words, 4));
  heap.free(load<u32>(words));
  return path;
}
