import { BaseContext, RootContext, StreamContext } from "../abi/contexts";
import { Status } from "../abi/enums";
import { noBytes } from "../memory/bytes";
import { Headers } from "../memory/headers";
import { DispatchHttpCall, SetEffectiveContext } from "../proxywasm/index";
import { HttpResponse, readResponse } from "./http-response";
import { PendingCall, PendingCalls } from "./pending-calls";
import { PluginRoot } from "./plugin-root";

/** As in wasm-go; 0 would be no timeout at all. */
const TIMEOUT_MS: u32 = 500;

// Set in top-level code, and only in a module that waits for work in flight.
let afterAnswer: ((root: PluginRoot) => void) | null = null;

export function setAnswerHook(hook: (root: PluginRoot) => void): void {
  afterAnswer = hook;
}

class Call<X, C, S> extends PendingCall {
  constructor(
    private ctx: X,
    private state: S,
    private callback: (ctx: X, config: C, response: HttpResponse, state: S) => void,
  ) {
    super(ctx);
  }

  run(response: HttpResponse): void {
    this.callback(this.ctx, this.ctx.config, response, this.state);
  }
}

/**
 * Calls a cluster that the host's configuration declares. Every call ends in exactly one of three
 * ways:
 *
 * - the host refuses it: the returned status is not `Ok`, and the callback never runs;
 * - it is reset: the callback runs with `IsReset`;
 * - there is a response, which after a timeout is Envoy's own (`TimedOut`).
 *
 * A call belongs to the context it is made with. If that goes first, the answer is dropped. There
 * are no closures: what the callback needs is handed over as `state`, an object, text or number.
 */
export class HttpClient {
  /** `host` is sent as `:authority`; by default the cluster's name. */
  constructor(
    public readonly cluster: string,
    public readonly host: string = "",
  ) {}

  /**
   * GET a path, with query, of the cluster.
   * @example client.Get(ctx, "/check", new wrapper.Headers(), user, (ctx, config, response, user) => { … })
   */
  Get<X, S>(
    ctx: X,
    path: string,
    headers: Headers,
    state: S,
    callback: (ctx: X, config: valueof<X>, response: HttpResponse, state: S) => void,
    timeoutMs: u32 = TIMEOUT_MS,
  ): Status {
    return this.Call<X, S>(ctx, "GET", path, headers, noBytes(), state, callback, timeoutMs);
  }

  /**
   * POST a body.
   * @example client.Post(ctx, "/report", headers, body, report, (ctx, config, response, report) => { … }, 2000)
   */
  Post<X, S>(
    ctx: X,
    path: string,
    headers: Headers,
    body: Uint8Array,
    state: S,
    callback: (ctx: X, config: valueof<X>, response: HttpResponse, state: S) => void,
    timeoutMs: u32 = TIMEOUT_MS,
  ): Status {
    return this.Call<X, S>(ctx, "POST", path, headers, body, state, callback, timeoutMs);
  }

  /** PUT a body. */
  Put<X, S>(
    ctx: X,
    path: string,
    headers: Headers,
    body: Uint8Array,
    state: S,
    callback: (ctx: X, config: valueof<X>, response: HttpResponse, state: S) => void,
    timeoutMs: u32 = TIMEOUT_MS,
  ): Status {
    return this.Call<X, S>(ctx, "PUT", path, headers, body, state, callback, timeoutMs);
  }

  /** DELETE a path, with a body that may be empty. */
  Delete<X, S>(
    ctx: X,
    path: string,
    headers: Headers,
    body: Uint8Array,
    state: S,
    callback: (ctx: X, config: valueof<X>, response: HttpResponse, state: S) => void,
    timeoutMs: u32 = TIMEOUT_MS,
  ): Status {
    return this.Call<X, S>(ctx, "DELETE", path, headers, body, state, callback, timeoutMs);
  }

  /** Any method. `headers` must not hold `:method`, `:path` or `:authority`. */
  Call<X, S>(
    ctx: X,
    method: string,
    path: string,
    headers: Headers,
    body: Uint8Array,
    state: S,
    callback: (ctx: X, config: valueof<X>, response: HttpResponse, state: S) => void,
    timeoutMs: u32 = TIMEOUT_MS,
  ): Status {
    const call = new Call<X, valueof<X>, S>(ctx, state, callback);
    return this.dispatch(call, method, path, headers, body, timeoutMs);
  }

  private dispatch(
    call: PendingCall,
    method: string,
    path: string,
    headers: Headers,
    body: Uint8Array,
    timeoutMs: u32,
  ): Status {
    const sent = new Headers()
      .With(":method", method)
      .With(":path", path)
      .With(":authority", this.host.length == 0 ? this.cluster : this.host);
    for (let i = 0; i < headers.Size(); i++) {
      const pair = headers.At(i);
      sent.addView(pair.name, pair.value);
    }
    const done = DispatchHttpCall(this.cluster, sent, body, new Headers(), timeoutMs);
    if (done.status == Status.Ok) expect(call, done.token);
    return done.status;
  }
}

function expect(call: PendingCall, token: u32): void {
  const root = rootOf(call.owner);
  const slots = root.registration.slots;
  slots.httpCallResponse = onHttpCallResponse;
  slots.delete = forgetCalls;
  let calls = root.calls;
  if (calls === null) root.calls = calls = new PendingCalls();
  calls.add(token, call);
}

/** Where answers are waited for: hosts deliver them to the root. */
function rootOf(owner: BaseContext): PluginRoot {
  const root = owner.isRoot ? owner : changetype<StreamContext>(owner).root;
  return changetype<PluginRoot>(root);
}

function onHttpCallResponse(
  root: RootContext,
  token: u32,
  headerCount: u32,
  bodySize: u32,
  trailerCount: u32,
): void {
  const calls = changetype<PluginRoot>(root).calls;
  if (calls === null) return;
  const call = calls.take(token);
  if (call === null) return;
  const response = readResponse(headerCount, bodySize);
  // The answer comes to the root; what the callback does is meant for its stream.
  if (!call.owner.isRoot) SetEffectiveContext(call.owner.id);
  call.run(response);
  const after = afterAnswer;
  if (after !== null) after(changetype<PluginRoot>(root));
}

/** A stream that goes takes its calls along; a root's list goes with the root. */
function forgetCalls(context: BaseContext): void {
  if (context.isRoot) return;
  const calls = rootOf(context).calls;
  if (calls !== null) calls.forget(context);
}
