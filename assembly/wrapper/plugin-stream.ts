import { RootContext, StreamContext } from "../abi/contexts";
import { Status } from "../abi/enums";
import { Headers } from "../memory/headers";
import * as proxywasm from "../proxywasm/index";
import { ContextValues } from "./context-values";

// Set before any stream exists, and only in a module that asks for the request line.
let keepRequestLine: ((stream: PluginStream) => void) | null = null;

/** Compiled, and then run before any stream exists, only where `Path()` and its like are called. */
// @ts-ignore: decorator
@lazy
const KEPT: bool = linkRequestLine();

function linkRequestLine(): bool {
  keepRequestLine = (stream) => {
    stream.requestLine();
  };
  return true;
}

/** `:scheme`, `:authority`, `:path` and `:method` as they were when the request came. */
class RequestLine {
  scheme: string = pseudoHeader(":scheme");
  host: string = pseudoHeader(":authority");
  path: string = pseudoHeader(":path");
  method: string = pseudoHeader(":method");
}

function pseudoHeader(name: string): string {
  const text = proxywasm.GetHttpRequestHeader(name).Text();
  return text === null ? "" : text;
}

/** What an HTTP stream's context is whatever the configuration's type: compiled once. */
export class PluginStream extends StreamContext {
  private values: ContextValues | null = null;
  private line: RequestLine | null = null;

  constructor(id: u32, root: RootContext) {
    super(id, root);
  }

  /**
   * Keeps a value for the rest of this stream.
   * @example ctx.SetContext("user", new User(name))
   */
  SetContext<T>(key: string, value: T): void {
    let values = this.values;
    if (values === null) this.values = values = new ContextValues();
    values.set<T>(key, value);
  }

  /** The object kept under that name; null when there is none, or one of another class. */
  GetContext<T>(key: string): T | null {
    const values = this.values;
    return values === null ? null : values.get<T>(key);
  }

  /** The text kept under that name, or the default. */
  GetStringContext(key: string, otherwise: string): string {
    const value = this.GetContext<string>(key);
    return value === null ? otherwise : value;
  }

  /** The bool kept under that name, or the default. */
  GetBoolContext(key: string, otherwise: bool): bool {
    const values = this.values;
    return values === null ? otherwise : values.scalar<bool>(key, otherwise);
  }

  /** The integer kept under that name, or the default. */
  GetIntContext(key: string, otherwise: i64): i64 {
    const values = this.values;
    return values === null ? otherwise : values.scalar<i64>(key, otherwise);
  }

  /** The float kept under that name, or the default. */
  GetFloatContext(key: string, otherwise: f64): f64 {
    const values = this.values;
    return values === null ? otherwise : values.scalar<f64>(key, otherwise);
  }

  /** The bytes kept under that name, or null. */
  GetByteSliceContext(key: string): Uint8Array | null {
    return this.GetContext<Uint8Array>(key);
  }

  /**
   * `:scheme` as it was when the request came, before this plugin changed anything; "" when
   * missing.
   */
  Scheme(): string {
    return this.requestLine().scheme;
  }

  /** `:authority` as it was when the request came; "" when missing. */
  Host(): string {
    return this.requestLine().host;
  }

  /** `:path`, query included, as it was when the request came; "" when missing. */
  Path(): string {
    return this.requestLine().path;
  }

  /** `:method` as it was when the request came; "" when missing. */
  Method(): string {
    return this.requestLine().method;
  }

  /** Lets a request go on that a handler has stopped with `Action.Pause`. In every callback. */
  ResumeHttpRequest(): Status {
    proxywasm.SetEffectiveContext(this.id);
    return proxywasm.ResumeHttpRequest();
  }

  /** Lets a response go on that a handler has stopped with `Action.Pause`. In every callback. */
  ResumeHttpResponse(): Status {
    proxywasm.SetEffectiveContext(this.id);
    return proxywasm.ResumeHttpResponse();
  }

  /**
   * Answers the client in place of the upstream; once a stream, and before the response's headers
   * are on their way. Return `Action.Pause` afterwards.
   * @example ctx.SendHttpResponse(403, new wrapper.Headers(), wrapper.utf8.encode("no"))
   */
  SendHttpResponse(statusCode: u32, headers: Headers, body: Uint8Array): Status {
    proxywasm.SetEffectiveContext(this.id);
    return proxywasm.SendHttpResponse(statusCode, headers, body);
  }

  requestLine(): RequestLine {
    let line = this.line;
    // `KEPT` also has the line read at each request's start, where it is not yet changed.
    if (line === null && KEPT) this.line = line = new RequestLine();
    return line!;
  }

  beginRequest(): void {
    const keep = keepRequestLine;
    if (keep !== null) keep(this);
  }
}
