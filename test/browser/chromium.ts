/** A headless Chromium, driven by its DevTools protocol over a pipe: messages are JSON, each ends with a zero byte. */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";

type Params = Readonly<Record<string, unknown>>;
type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Params;
  readonly sessionId?: string;
  readonly result?: Params;
  readonly error?: { readonly message: string };
};

const installer = "apt-get";

/** Debian's package, installed when it is not there; a missing browser is a failure, never a skip. */
export function chromiumPath(): string {
  const named = process.env["CHROMIUM"];
  if (named !== undefined) return named;
  const found = (): string | undefined => {
    try {
      return execFileSync("which", ["chromium"], { encoding: "utf8" }).trim();
    } catch {
      return undefined;
    }
  };
  const path = found();
  if (path !== undefined) return path;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  try {
    execFileSync(installer, ["update", "-qq"], { env, stdio: "pipe" });
    const install = [
      "install",
      "-y",
      "-qq",
      "--no-install-recommends",
      "chromium",
      "fonts-dejavu-core",
    ];
    execFileSync(installer, install, { env, stdio: "pipe" });
  } catch (cause) {
    throw new Error(
      "needs Chromium: install Debian's package chromium, or name a binary in the variable CHROMIUM",
      { cause },
    );
  }
  return found() ?? "/usr/bin/chromium";
}

export class Chromium {
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #input: Writable;
  readonly #pending = new Map<
    number,
    { resolve: (result: Params) => void; reject: (error: Error) => void }
  >();
  readonly #listeners: ((message: Message) => void)[] = [];
  readonly #hasEnded: Promise<void>;
  #received = Buffer.alloc(0);
  #lastId = 0;

  constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), "proxy-wasm-as-chromium-"));
    const flags = [
      ...["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu"],
      ...["--no-first-run", "--disable-extensions", "--disable-background-networking"],
      ...["--hide-scrollbars", "--force-color-profile=srgb", `--user-data-dir=${this.#folder}`],
      "about:blank",
    ];
    this.#process = spawn(chromiumPath(), flags, {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    });
    this.#input = this.#process.stdio[3] as Writable;
    this.#input.on("error", () => undefined);
    (this.#process.stdio[4] as Readable).on("data", (bytes: Buffer) => this.#receive(bytes));
    this.#hasEnded = new Promise((resolve) => {
      this.#process.on("exit", () => {
        for (const { reject } of this.#pending.values()) reject(new Error("Chromium has ended"));
        resolve();
      });
    });
  }

  send(method: string, params: Params = {}, sessionId?: string): Promise<Params> {
    const id = ++this.#lastId;
    const target = sessionId === undefined ? {} : { sessionId };
    this.#input.write(`${JSON.stringify({ id, method, params, ...target })}\0`);
    return new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject }));
  }

  listen(listener: (message: Message) => void): void {
    this.#listeners.push(listener);
  }

  async open(file: string, screen: Screen): Promise<Page> {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const options = { targetId, flatten: true };
    const { sessionId } = await this.send("Target.attachToTarget", options);
    const page = new Page(this, String(sessionId));
    await page.load(file, screen);
    return page;
  }

  async close(): Promise<void> {
    await Promise.race([this.send("Browser.close").catch(() => undefined), this.#hasEnded]);
    await this.#hasEnded;
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #receive(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    for (let end = this.#received.indexOf(0); end >= 0; end = this.#received.indexOf(0)) {
      const message = JSON.parse(this.#received.subarray(0, end).toString()) as Message;
      this.#received = this.#received.subarray(end + 1);
      const waiting = this.#pending.get(message.id ?? 0);
      this.#pending.delete(message.id ?? 0);
      if (message.error !== undefined) waiting?.reject(new Error(message.error.message));
      else waiting?.resolve(message.result ?? {});
      for (const listener of this.#listeners) listener(message);
    }
  }
}

export interface Screen {
  readonly width: number;
  readonly height: number;
  readonly mobile?: boolean;
  readonly dark?: boolean;
  readonly scale?: number;
  /** Default true. */
  readonly script?: boolean;
}

/** One page, and everything it said or asked for. */
export class Page {
  /** Console errors, exceptions, refused scripts and styles. */
  readonly complaints: string[] = [];
  /** URLs that were asked for, the file itself apart. */
  readonly requests: string[] = [];
  readonly #browser: Chromium;
  readonly #session: string;
  #hasLoaded: () => void = () => undefined;

  constructor(browser: Chromium, session: string) {
    this.#browser = browser;
    this.#session = session;
    browser.listen(({ method, params, sessionId }) => {
      if (sessionId !== session || method === undefined) return;
      if (method === "Page.loadEventFired") this.#hasLoaded();
      if (method === "Runtime.exceptionThrown" || method === "Log.entryAdded")
        this.complaints.push(JSON.stringify(params));
      if (method === "Runtime.consoleAPICalled" && params?.["type"] !== "log")
        this.complaints.push(JSON.stringify(params));
      if (method === "Network.requestWillBeSent") {
        const { url } = params?.["request"] as { url: string };
        this.requests.push(url);
      }
    });
  }

  async load(file: string, screen: Screen): Promise<void> {
    for (const area of ["Page", "Runtime", "Log", "Network"]) await this.send(`${area}.enable`);
    const { width, height, mobile = false, scale = 1, dark = false, script = true } = screen;
    const size = { width, height, mobile, deviceScaleFactor: scale };
    await this.send("Emulation.setDeviceMetricsOverride", size);
    const features = [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }];
    await this.send("Emulation.setEmulatedMedia", { features });
    if (!script) await this.send("Emulation.setScriptExecutionDisabled", { value: true });
    const loaded = new Promise<void>((resolve) => (this.#hasLoaded = resolve));
    const url = pathToFileURL(file).href;
    const { errorText } = await this.send("Page.navigate", { url });
    if (errorText !== undefined) throw new Error(`${url}: ${JSON.stringify(errorText)}`);
    await loaded;
    const own = this.requests.indexOf(url);
    if (own >= 0) this.requests.splice(own, 1);
  }

  send(method: string, params: Params = {}): Promise<Params> {
    return this.#browser.send(method, params, this.#session);
  }

  /** The value of an expression in the page. */
  async evaluate<T>(expression: string): Promise<T> {
    const options = { expression, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", options);
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return (result as { value: T }).value;
  }

  async press(key: string, modifiers = 0): Promise<void> {
    const text = key.length === 1 ? { text: key } : {};
    await this.send("Input.dispatchKeyEvent", { type: "keyDown", key, modifiers, ...text });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", key, modifiers });
    await this.drawn();
  }

  async type(text: string): Promise<void> {
    await this.send("Input.insertText", { text });
    await this.drawn();
  }

  async mouse(type: string, x: number, y: number, more: Params = {}): Promise<void> {
    await this.send("Input.dispatchMouseEvent", { type, x, y, ...more });
  }

  async touch(type: string, points: readonly (readonly [number, number])[]): Promise<void> {
    const touchPoints = points.map(([x, y]) => ({ x, y }));
    await this.send("Input.dispatchTouchEvent", { type, touchPoints });
  }

  /** Two frames: what was asked for is on the screen. */
  async drawn(): Promise<void> {
    await this.evaluate(
      "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))",
    );
  }

  /** A PNG of the screen, or of the whole page. */
  async screenshot(whole = false): Promise<Buffer> {
    const options = { format: "png", captureBeyondViewport: whole };
    const { data } = await this.send("Page.captureScreenshot", options);
    return Buffer.from(String(data), "base64");
  }

  async pdf(): Promise<Buffer> {
    const { data } = await this.send("Page.printToPDF", {
      preferCSSPageSize: true,
      printBackground: false,
    });
    return Buffer.from(String(data), "base64");
  }

  async close(): Promise<void> {
    await this.send("Page.close");
  }
}
