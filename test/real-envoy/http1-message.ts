/** Reads HTTP/1.1 messages from a socket as they are: every header in its order, what has come of a body so far. */

export type Headers = readonly (readonly [name: string, value: string])[];

type Place = "head" | "length" | "size" | "chunk" | "trailers" | "close" | "done";

/** One message; text is one character a byte. */
export class Http1Message {
  /** The first line. */
  startLine = "";
  headers: Headers = [];
  trailers: Headers = [];
  readonly #parts: string[] = [];
  /** Whether the connection ends a body that names no length: of answers only. */
  readonly #isAnswer: boolean;
  readonly #isBodiless: boolean;
  #place: Place = "head";
  #missing = 0;
  #rest = "";

  constructor(options: { readonly isAnswer: boolean; readonly isBodiless?: boolean }) {
    this.#isAnswer = options.isAnswer;
    this.#isBodiless = options.isBodiless ?? false;
  }

  get hasHead(): boolean {
    return this.#place !== "head";
  }

  get isComplete(): boolean {
    return this.#place === "done";
  }

  get body(): string {
    return this.#parts.join("");
  }

  /** The second word of an answer's first line. */
  get status(): number {
    return Number(this.startLine.split(" ")[1]);
  }

  /** Takes bytes; what is left belongs to the next message. */
  push(bytes: string): string {
    this.#rest += bytes;
    while (this.#place !== "done" && this.#step());
    if (this.#place !== "done") return "";
    const left = this.#rest;
    this.#rest = "";
    return left;
  }

  /** The connection has ended: the message is complete if that is how it ends. */
  end(): void {
    if (this.#place === "close") this.#place = "done";
  }

  #step(): boolean {
    switch (this.#place) {
      case "head":
        return this.#head();
      case "size":
        return this.#size();
      case "trailers":
        return this.#readTrailers();
      case "length":
      case "chunk":
      case "close":
        return this.#data();
      case "done":
        return false;
    }
  }

  #head(): boolean {
    const end = this.#rest.indexOf("\r\n\r\n");
    if (end < 0) return false;
    const [first = "", ...lines] = this.#rest.slice(0, end).split("\r\n");
    this.#rest = this.#rest.slice(end + 4);
    if (/^HTTP\/1\.1 10[0-9]/.test(first) && !first.startsWith("HTTP/1.1 101")) return true;
    this.startLine = first;
    this.headers = lines.map(pairOf);
    this.#place = this.#bodyPlace();
    return true;
  }

  #bodyPlace(): Place {
    if (this.#isAnswer && (this.#isBodiless || [204, 304].includes(this.status))) return "done";
    const value = (wanted: string): string | undefined =>
      this.headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
    if (value("transfer-encoding")?.toLowerCase() === "chunked") return "size";
    this.#missing = Number(value("content-length") ?? 0);
    if (this.#missing > 0) return "length";
    if (value("content-length") !== undefined) return "done";
    return this.#isAnswer ? "close" : "done";
  }

  #size(): boolean {
    const end = this.#rest.indexOf("\r\n");
    if (end < 0) return false;
    if (end > 0) this.#missing = Number.parseInt(this.#rest.slice(0, end), 16);
    this.#rest = this.#rest.slice(end + 2);
    // An empty line ends the chunk before.
    if (end > 0) this.#place = this.#missing === 0 ? "trailers" : "chunk";
    return true;
  }

  #data(): boolean {
    if (this.#rest === "") return false;
    const part = this.#place === "close" ? this.#rest : this.#rest.slice(0, this.#missing);
    this.#parts.push(part);
    this.#rest = this.#rest.slice(part.length);
    if (this.#place === "close") return false;
    this.#missing -= part.length;
    if (this.#missing === 0) this.#place = this.#place === "length" ? "done" : "size";
    return true;
  }

  #readTrailers(): boolean {
    if (this.#rest.startsWith("\r\n")) {
      this.#rest = this.#rest.slice(2);
      this.#place = "done";
      return true;
    }
    const end = this.#rest.indexOf("\r\n\r\n");
    if (end < 0) return false;
    this.trailers = this.#rest.slice(0, end).split("\r\n").map(pairOf);
    this.#rest = this.#rest.slice(end + 4);
    this.#place = "done";
    return true;
  }
}

function pairOf(line: string): readonly [string, string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, "")];
}

/** A head as bytes go out. */
export function headText(startLine: string, headers: Headers): string {
  return [startLine, ...headers.map(([name, value]) => `${name}: ${value}`), "", ""].join("\r\n");
}

export function chunkText(frame: string): string {
  return frame === "" ? "" : `${frame.length.toString(16)}\r\n${frame}\r\n`;
}

/** The empty chunk and what follows it. */
export function lastChunkText(trailers: Headers): string {
  return `0\r\n${trailers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
}
