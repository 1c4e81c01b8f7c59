import type { OutputStream, Streams } from "../../../host-mock/cli/output.ts";

/** A stream that keeps what it is given. */
export class Collector implements OutputStream {
  text = "";
  readonly isTTY: boolean;
  readonly columns = 100;

  constructor(options: { readonly isTTY?: boolean } = {}) {
    this.isTTY = options.isTTY ?? false;
  }

  write(text: string): boolean {
    this.text += text;
    return true;
  }

  once(): void {}

  off(): void {}
}

export interface Collected extends Streams {
  readonly stdout: Collector;
  readonly stderr: Collector;
}

export function collectors(): Collected {
  return { stdout: new Collector(), stderr: new Collector() };
}
