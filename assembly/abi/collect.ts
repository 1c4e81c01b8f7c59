/**
 * When garbage is collected. With asc's runtime `minimal` nothing is collected but here, at the end
 * of a callback, where no reference is on the wasm stack. The compiler then needs no second stack
 * to keep track of references, which is two fifths of a small plugin's size and a fifth of its
 * time. With the runtime `incremental` the collector runs by itself, and `leave` is empty.
 */
import { takeAllocated } from "../memory/bytes";
import { contextCount } from "./context-table";
import { forgetLogLevel } from "./log-level";

// asc's constant for `--runtime minimal`.
const MINIMAL: i32 = 1;
const CALLBACKS_MIN: i32 = 64;
const BYTES_MAX: usize = 256 * 1024;

// A host does not call back while a callback of the same VM runs; should one do so all the same,
// the outer callback's references are safe until it has ended itself.
let depth: i32 = 0;
let callbacks: i32 = 0;

/** To be called first in every callback. */
export function enterCallback(): void {
  forgetLogLevel();
  if (ASC_RUNTIME == MINIMAL) depth++;
}

/** To be called last in every callback. */
export function leave(): void {
  if (ASC_RUNTIME == MINIMAL) {
    depth--;
    callbacks++;
    // A collection looks at everything alive, which grows with the contexts: so the interval does,
    // too.
    const isDue = callbacks >= CALLBACKS_MIN + contextCount() || takeAllocated(BYTES_MAX);
    if (isDue && depth == 0) {
      callbacks = 0;
      __collect();
    }
  }
}
