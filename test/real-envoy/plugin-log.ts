/** What of Envoy's log belongs into a transcript: plugins' lines, and Envoy's own about failed plugins. */
import type { LoggedLine } from "../conformance/transcript.ts";
import { LogTail } from "./log-tail.ts";
import type { LogLine } from "./witness-log.ts";

/** How a plugin is called in a log prefix: `NAME ROOT_ID VM_ID` for its streams, `ROOT_ID VM_ID` for its roots. */
export interface LoggingPlugin {
  readonly name: string;
  readonly rootId: string;
  readonly vmId: string;
}

const levels: Readonly<Record<string, string>> = { warning: "warn" };

export class PluginLog {
  readonly #tail: LogTail;
  readonly #mainThread: number;
  readonly #names = new Map<string, string>();
  readonly #workers = new Map<number, string>();
  #lines: LoggedLine[] = [];
  /** Whether the last line with a head was of interest. */
  #isContinued = false;
  /** When the last line of interest came, on this process's clock in milliseconds. */
  changedMs = performance.now();

  constructor(path: string, mainThread: number, plugins: readonly LoggingPlugin[]) {
    this.#tail = new LogTail(path);
    this.#mainThread = mainThread;
    for (const plugin of plugins) this.know(plugin);
  }

  know({ name, rootId, vmId }: LoggingPlugin): void {
    this.#names.set(joined([rootId, vmId]), name);
    this.#names.set(joined([name, rootId, vmId]), name);
  }

  /** All lines since the last take; Envoy may still write. */
  get lines(): readonly LoggedLine[] {
    for (const line of this.#tail.read()) this.#add(line);
    return this.#lines;
  }

  take(): readonly LoggedLine[] {
    const { lines } = this;
    this.#lines = [];
    return lines;
  }

  close(): void {
    this.#tail.close();
  }

  #add(line: LogLine): void {
    if (line.thread === 0) {
      this.#continue(line.text);
      return;
    }
    const found = this.#loggedLine(line);
    this.#isContinued = found !== undefined;
    if (found === undefined) return;
    this.#lines.push(found);
    this.changedMs = performance.now();
  }

  /** A line without a head goes on with the one before: the text has line ends in it. */
  #continue(text: string): void {
    const last = this.#lines.at(-1);
    if (!this.#isContinued || last === undefined) return;
    this.#lines[this.#lines.length - 1] = { ...last, text: `${last.text}\n${text}` };
  }

  #loggedLine({ thread, level, logger, text }: LogLine): LoggedLine | undefined {
    if (logger !== "wasm") return undefined;
    const own = { thread: this.#threadName(thread), level: levels[level] ?? level };
    const [, prefix, message] = /^wasm log ?([^:]*): ([^]*)$/.exec(text) ?? [];
    if (prefix !== undefined && message !== undefined)
      return { ...own, plugin: this.#names.get(prefix.trim()) ?? "", text: message };
    return ["error", "critical"].includes(level) ? { ...own, plugin: "", text } : undefined;
  }

  #threadName(thread: number): string {
    if (thread === this.#mainThread) return "main";
    const known = this.#workers.get(thread);
    if (known !== undefined) return known;
    const name = `worker_${String(this.#workers.size)}`;
    this.#workers.set(thread, name);
    return name;
  }
}

function joined(words: readonly string[]): string {
  return words.filter((word) => word !== "").join(" ");
}
