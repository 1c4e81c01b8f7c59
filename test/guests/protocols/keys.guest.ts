// Keys and the candidate's name, in static memory since configure.
import { drawId, pluginName } from "./host.guest";

const PREFIX = "higress_wasm_vm_lease:";
const NAME_SIZE_MAX: i32 = 64;

/** The lease's key, and right behind it `:term`: so the term key begins as the lease's does. */
export const KEY = memory.data(96);
export let keySize: i32 = 0;
export let termKeySize: i32 = 0;
/** The key under which a creation is tried out: the lease's and `:probe`. */
export const PROBE_KEY = memory.data(96);
export let probeKeySize: i32 = 0;

/** 36 characters. */
export const ID = memory.data(40);
export const ID_SIZE: i32 = 36;

export const CELL_KEY = memory.data(8);
export const CELL_KEY_SIZE: i32 = 4;
export const CLUSTER = memory.data(16);
export const CLUSTER_SIZE: i32 = 9;

export function drawKeys(isShared: bool): void {
  keySize = write(KEY, PREFIX);
  if (!isShared) keySize += pluginName(KEY + keySize, NAME_SIZE_MAX - keySize);
  termKeySize = keySize + write(KEY + keySize, ":term");
  memory.copy(PROBE_KEY, KEY, keySize);
  probeKeySize = keySize + write(PROBE_KEY + keySize, ":probe");
  write(CELL_KEY, "cell");
  write(CLUSTER, "collector");
  drawId(ID);
}

function write(into: usize, text: string): i32 {
  for (let i = 0; i < text.length; i++) store<u8>(into + i, <u8>text.charCodeAt(i));
  return text.length;
}
