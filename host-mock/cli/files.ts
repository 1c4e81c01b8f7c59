import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
  type Stats,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { MockHostError } from "../errors.ts";

/**
 * A file being written, beside its place until it is complete; pieces are gathered, so that a line costs no system
 * call of its own.
 */
export class OpenFile {
  readonly #path: string;
  readonly #descriptor: number;
  /** Where it stands meanwhile, and where it goes; null: it is written in place. */
  readonly #move: { readonly from: string; readonly to: string } | null;
  #pending: string[] = [];
  #pendingLength = 0;
  #isOpen = true;

  constructor(
    path: string,
    descriptor: number,
    move: { readonly from: string; readonly to: string } | null,
  ) {
    this.#path = path;
    this.#descriptor = descriptor;
    this.#move = move;
  }

  write(text: string): void {
    this.#pending.push(text);
    this.#pendingLength += text.length;
    if (this.#pendingLength >= gatheredLength) this.#flush();
  }

  /** It is complete, and takes the place of what was there before. */
  keep(): void {
    this.#flush();
    this.#close();
    if (this.#move === null) return;
    try {
      renameSync(this.#move.from, this.#move.to);
    } catch (cause) {
      throw cannotWrite(this.#path, cause);
    }
  }

  /** It is of no use: what was there before stays. Nothing happens to one that was kept. */
  discard(): void {
    this.#close();
    if (this.#move !== null) rmSync(this.#move.from, { force: true });
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.#descriptor);
    this.#isOpen = false;
  }

  #flush(): void {
    const bytes = new TextEncoder().encode(this.#pending.join(""));
    this.#pending = [];
    this.#pendingLength = 0;
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(this.#descriptor, bytes, at);
    } catch (cause) {
      throw cannotWrite(this.#path, cause);
    }
  }
}

const gatheredLength = 256 * 1024;

/**
 * Opens a file for writing before any work is done; `E_FILE` when that cannot be. Devices and pipes are written in
 * place, a link where it points.
 */
export function openFile(path: string): OpenFile {
  try {
    const old = found(path);
    if (old !== undefined && !old.isFile()) return new OpenFile(path, openSync(path, "w"), null);
    if (old !== undefined) accessSync(path, constants.W_OK);
    const to = realPath(path);
    const from = `${to}.${process.pid}.part`;
    const descriptor = openSync(from, "w");
    if (old !== undefined) fchmodSync(descriptor, old.mode & 0o777);
    return new OpenFile(path, descriptor, { from, to });
  } catch (cause) {
    throw cannotWrite(path, cause);
  }
}

/** Whether two paths are one file, links and spelling aside; either may not be there yet. */
export function isSameFile(one: string, other: string): boolean {
  const [oneStats, otherStats] = [found(one), found(other)];
  if (oneStats !== undefined && otherStats !== undefined)
    return oneStats.dev === otherStats.dev && oneStats.ino === otherStats.ino;
  return realPath(one) === realPath(other);
}

function found(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/** The path without links; of a file that is not there yet, its folder's and its name. */
function realPath(path: string): string {
  if (found(path) !== undefined) return realpathSync(path);
  const folder = dirname(resolve(path));
  return found(folder) === undefined
    ? resolve(path)
    : join(realpathSync(folder), basename(resolve(path)));
}

function cannotWrite(path: string, cause: unknown): MockHostError {
  const why = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
  return new MockHostError("E_FILE", `the file cannot be written (${why})`, {
    place: `${path}:1:1`,
    remedy: "name a file in a folder that exists and may be written",
    cause,
  });
}
