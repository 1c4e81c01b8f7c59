/** Scripts: which operations belong to which call of which callback. */

export class Line {
  /** 0: every call that has no line of its own. */
  constructor(
    readonly callback: string,
    readonly number: i32,
    readonly operations: string[],
  ) {}
}

/** A script, and how often each callback has come to the context that owns it. */
export class Script {
  private lines: Line[] = new Array<Line>();
  private counts: Map<string, i32> = new Map<string, i32>();

  /** Lines `CALLBACK[#N]: op; op`, separated by newline or ` | `; what is none is left out. */
  constructor(text: string) {
    const lines = text.split("\n").join(" | ").split(" | ");
    for (let index = 0; index < lines.length; index++) {
      const colon = lines[index].indexOf(":");
      if (colon < 0) continue;
      let callback = lines[index].substring(0, colon).trim();
      let number = 0;
      const hash = callback.indexOf("#");
      if (hash >= 0) {
        number = <i32>I64.parseInt(callback.substring(hash + 1), 10);
        callback = callback.substring(0, hash);
      }
      const operations = new Array<string>();
      const written = lines[index].substring(colon + 1).split(";");
      for (let at = 0; at < written.length; at++) {
        const operation = written[at].trim();
        if (operation.length > 0) operations.push(operation);
      }
      this.lines.push(new Line(callback, number, operations));
    }
  }

  /** Counts a call, and finds its line. */
  next(callback: string): Line | null {
    const count = (this.counts.has(callback) ? this.counts.get(callback) : 0) + 1;
    this.counts.set(callback, count);
    let general: Line | null = null;
    for (let index = 0; index < this.lines.length; index++) {
      const line = this.lines[index];
      if (line.callback != callback) continue;
      if (line.number == count) return line;
      if (line.number == 0) general = line;
    }
    return general;
  }
}
