/** The contexts of this VM: whose script runs where. */
import { getBuffer, getHeader, getProperty } from "./imports.guest";
import { clearOut, takeText } from "./out.guest";
import { Script } from "./script.guest";
import { roomOf } from "./words.guest";

const requestMap: u32 = 0;
const pluginConfiguration: u32 = 7;

export class Context {
  script: Script = new Script("");
  /** Of a stream: whether its script was looked for; of a root: always. */
  hasScript: bool = false;
  /** Whether the script is the root's, where the stream's own callbacks have names of their own. */
  isRootScript: bool = false;
  name: string = "";

  constructor(
    readonly id: u32,
    readonly parent: u32,
  ) {}

  get rootId(): u32 {
    return this.parent == 0 ? this.id : this.parent;
  }
}

const contexts = new Map<u32, Context>();
/** Which context made the call that a token stands for. */
const callers = new Map<u32, u32>();
let newestStream: u32 = 0;

export function newestStreamId(): u32 {
  return newestStream;
}

/** The script of a root is its plugin configuration, readable while it is created. */
export function createContext(id: u32, parent: u32): Context {
  const context = new Context(id, parent);
  contexts.set(id, context);
  if (parent != 0) newestStream = id;
  else readRoot(context);
  return context;
}

/** A context that nobody announced gets no script. */
export function contextOf(id: u32): Context {
  if (!contexts.has(id)) contexts.set(id, new Context(id, 0));
  return contexts.get(id);
}

export function forgetContext(id: u32): void {
  contexts.delete(id);
}

export function rememberCaller(token: u32, id: u32): void {
  callers.set(token, id);
}

/** Whose lines an answer runs: its caller's while that lives, else those of the root it is for. */
export function callerOf(token: u32, rootId: u32): Context {
  if (!callers.has(token)) return contextOf(rootId);
  const id = callers.get(token);
  return contexts.has(id) ? contexts.get(id) : contextOf(rootId);
}

export function readRoot(context: Context): void {
  const name = property("plugin_name");
  if (name.length > 0) context.name = name;
  const text = configuration();
  if (context.hasScript || text.length == 0) return;
  context.script = new Script(text);
  context.hasScript = true;
}

/** The request header `x-probe-NAME`, else `x-probe`. */
export function readHeaderScript(context: Context): void {
  if (context.hasScript) return;
  const name = contextOf(context.rootId).name.toLowerCase();
  let text = header("x-probe-" + name);
  if (text == null) text = header("x-probe");
  if (text == null) return;
  context.script = new Script(text);
  context.hasScript = true;
}

/** Streams without request headers share their root's script. */
export function useRootScript(context: Context): void {
  if (context.hasScript || context.parent == 0) return;
  context.script = contextOf(context.parent).script;
  context.hasScript = true;
  context.isRootScript = true;
}

function property(name: string): string {
  const path = roomOf(name);
  const out = clearOut();
  return getProperty(path.ptr, path.size, out, out + 4) == 0 ? takeText() : "";
}

function configuration(): string {
  const out = clearOut();
  return getBuffer(pluginConfiguration, 0, 0x7fffffff, out, out + 4) == 0 ? takeText() : "";
}

function header(name: string): string | null {
  const key = roomOf(name);
  const out = clearOut();
  return getHeader(requestMap, key.ptr, key.size, out, out + 4) == 0 ? takeText() : null;
}
