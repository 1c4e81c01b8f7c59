import { BaseContext, StreamContext } from "../abi/contexts";
import { Action } from "../abi/enums";
import { Handlers, HttpContext } from "./contexts";

/**
 * Handles a request when its headers have come. Answer `Action.Pause` to keep it, `Action.Continue`
 * to let it go on.
 */
export function ProcessRequestHeaders<C>(
  f: (ctx: HttpContext<C>, config: C) => Action,
): Handlers<C> {
  const option = new Handlers<C>();
  option.requestHeaders = f;
  option.apply = (own, all, registration) => {
    all.requestHeaders = own.requestHeaders;
    registration.slots.requestHeaders = (stream, count, end) => onRequestHeaders<C>(stream);
    registration.createStream = (root, id) => new HttpContext<C>(id, root);
  };
  return option;
}

/** Handles a response when its headers have come, from the upstream or from Envoy itself. */
export function ProcessResponseHeaders<C>(
  f: (ctx: HttpContext<C>, config: C) => Action,
): Handlers<C> {
  const option = new Handlers<C>();
  option.responseHeaders = f;
  option.apply = (own, all, registration) => {
    all.responseHeaders = own.responseHeaders;
    registration.slots.responseHeaders = (stream, count, end) => onResponseHeaders<C>(stream);
    registration.createStream = (root, id) => new HttpContext<C>(id, root);
  };
  return option;
}

/** Runs when a stream is over and its access log is written; headers can be read, not changed. */
export function ProcessStreamDone<C>(f: (ctx: HttpContext<C>, config: C) => void): Handlers<C> {
  const option = new Handlers<C>();
  option.streamDone = f;
  option.apply = (own, all, registration) => {
    all.streamDone = own.streamDone;
    registration.slots.log = (context) => onStreamDone<C>(context);
    registration.createStream = (root, id) => new HttpContext<C>(id, root);
  };
  return option;
}

function onRequestHeaders<C>(stream: StreamContext): Action {
  const ctx = changetype<HttpContext<C>>(stream);
  ctx.beginRequest();
  const f = ctx.plugin.handlers.requestHeaders;
  return f === null ? Action.Continue : f(ctx, ctx.config);
}

function onResponseHeaders<C>(stream: StreamContext): Action {
  const ctx = changetype<HttpContext<C>>(stream);
  const f = ctx.plugin.handlers.responseHeaders;
  return f === null ? Action.Continue : f(ctx, ctx.config);
}

function onStreamDone<C>(context: BaseContext): void {
  // An access logger's own root has no stream to speak of.
  if (context.isRoot) return;
  const ctx = changetype<HttpContext<C>>(context);
  const f = ctx.plugin.handlers.streamDone;
  if (f !== null) f(ctx, ctx.config);
}
