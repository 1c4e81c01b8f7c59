/** Lua scripts. Source: Redis `eval.c`, `script_lua.c`. */
import { MockHostError } from "../errors.ts";
import { tableOf } from "./lua/arguments.ts";
import { Budget, ScriptKilled } from "./lua/budget.ts";
import { Interpreter } from "./lua/interpreter.ts";
import { standardGlobals } from "./lua/library.ts";
import { parseLua } from "./lua/parser.ts";
import type { Block } from "./lua/syntax.ts";
import { ScriptRandom } from "./lua/random.ts";
import { LuaTable } from "./lua/table.ts";
import { LuaError, LuaSyntaxError, toText, type LuaFunction, type LuaValue } from "./lua/value.ts";
import { generalText, longOf, tryInteger } from "./numbers.ts";
import { array, bulk, integer, nil, ok, RedisError, type Reply } from "./reply.ts";
import { sha1 } from "./sha1.ts";

/** Runs a command for a script. */
export type RunCommand = (words: readonly string[]) => Reply;

/** Scripts by their SHA-1, as `EVAL` and `SCRIPT LOAD` leave them. */
export class Scripts {
  readonly #sources = new Map<string, Block>();
  readonly #random = new ScriptRandom();

  /** Compiles and keeps a script; returns its SHA-1. */
  load(source: string): string {
    const sha = sha1(source);
    if (this.#sources.has(sha)) return sha;
    const engine = /^#!([^\n]*)/.exec(source);
    if (engine !== null)
      throw new RedisError(`ERR Unexpected engine in script shebang: ${engine[0]}`);
    try {
      this.#sources.set(sha, parseLua(source));
    } catch (error) {
      if (!(error instanceof LuaSyntaxError)) throw error;
      const where = `user_script:${error.line}`;
      throw new RedisError(`ERR Error compiling script (new function): ${where}: ${error.message}`);
    }
    return sha;
  }

  has(sha: string): boolean {
    return this.#sources.has(sha.toLowerCase());
  }

  clear(): void {
    this.#sources.clear();
  }

  /** `args` are numkeys, keys and arguments. */
  run(sha: string, args: readonly string[], command: RunCommand): Reply {
    const block = this.#sources.get(sha.toLowerCase());
    if (block === undefined) throw new RedisError("NOSCRIPT No matching script. Please use EVAL.");
    const count = tryInteger(args[0] ?? "");
    if (count === undefined) throw new RedisError("ERR value is not an integer or out of range");
    if (count > args.length - 1)
      throw new RedisError("ERR Number of keys can't be greater than number of args");
    if (count < 0n) throw new RedisError("ERR Number of keys can't be negative");
    const split = 1 + Number(count);
    const budget = new Budget();
    const globals = standardGlobals(budget, this.#random);
    globals.set("KEYS", LuaTable.of(args.slice(1, split)));
    globals.set("ARGV", LuaTable.of(args.slice(split)));
    globals.set("redis", redisLibrary(command));
    try {
      return replyOf(new Interpreter(globals, budget).run(block)[0] ?? null);
    } catch (error) {
      const isOverflow = error instanceof RangeError && error.message.includes("call stack");
      const known = isOverflow ? LuaError.at("stack overflow", budget.line) : error;
      return scriptError(known, sha.toLowerCase());
    }
  }
}

/** Errors of commands keep their code; Lua's own become `ERR`. */
function scriptError(error: unknown, sha: string): Reply {
  if (!(error instanceof LuaError) && !(error instanceof ScriptKilled)) throw error;
  const place = ` script: ${sha}, on @user_script:${error.line ?? 1}.`;
  if (error instanceof ScriptKilled) return { kind: "error", text: `ERR ${error.message}${place}` };
  const { value } = error;
  const text = value instanceof LuaTable ? value.get("err") : `ERR ${toText(value)}`;
  return { kind: "error", text: (typeof text === "string" ? text : "ERR unknown error") + place };
}

function redisLibrary(run: RunCommand): LuaTable {
  const calling =
    (raises: boolean): LuaFunction =>
    (args) => {
      const reply = commandReply(args, run);
      if (reply.kind === "error" && raises) throw new LuaError(luaOf(reply));
      return [luaOf(reply)];
    };
  return tableOf({
    call: calling(true),
    pcall: calling(false),
    error_reply: (args) => [statusTable("err", args, coded)],
    status_reply: (args) => [statusTable("ok", args, (text) => text)],
    sha1hex: (args) => {
      if (args.length !== 1) throw new LuaError("wrong number of arguments", { level: 0 });
      const [value] = args;
      return [sha1(typeof value === "string" || typeof value === "number" ? toText(value) : "")];
    },
    log: (args) => {
      const [level] = args;
      if (args.length < 2) throw errorValue("ERR redis.log() requires two arguments or more.");
      if (typeof level !== "number")
        throw errorValue("ERR First argument must be a number (log level).");
      if (level < 0 || level > 3) throw errorValue("ERR Invalid debug level.");
      return [];
    },
    replicate_commands: () => [true],
    // One server has nobody to replicate to, and speaks version 2 of the protocol.
    set_repl: () => [],
    setresp: ([version]) => {
      if (version === 2) return [];
      throw new MockHostError("E_UNSUPPORTED", "redis.setresp in a Lua script", {
        remedy: "scripts get replies of protocol version 2",
      });
    },
    acl_check_cmd: () => {
      throw new MockHostError("E_UNSUPPORTED", "redis.acl_check_cmd in a Lua script", {
        remedy: "users may run every command or none",
      });
    },
    breakpoint: () => [false],
    debug: () => [],
    REDIS_VERSION: "7.0.15",
    REDIS_VERSION_NUM: 0x0007000f,
    REPL_NONE: 0,
    REPL_SLAVE: 1,
    REPL_REPLICA: 1,
    REPL_AOF: 2,
    REPL_ALL: 3,
    LOG_DEBUG: 0,
    LOG_VERBOSE: 1,
    LOG_NOTICE: 2,
    LOG_WARNING: 3,
  });
}

function commandReply(args: readonly LuaValue[], run: RunCommand): Reply {
  const words = args.map(argumentText);
  const error =
    args.length === 0
      ? "ERR Please specify at least one argument for this redis lib call"
      : "ERR Lua redis lib command arguments must be strings or integers";
  const given = words.filter((word) => word !== undefined);
  if (given.length === args.length && args.length > 0) return run(given);
  return { kind: "error", text: error };
}

function statusTable(
  name: string,
  args: readonly LuaValue[],
  shown: (text: string) => string,
): LuaTable {
  const [text] = args;
  if (args.length !== 1 || typeof text !== "string")
    return field("err", "ERR wrong number or type of arguments");
  return field(name, shown(text));
}

/** A single word is no code. */
function coded(text: string): string {
  const bare = text.replace(/^-/, "");
  return bare.includes(" ") ? bare : `ERR ${bare}`;
}

function field(name: string, value: LuaValue): LuaTable {
  const table = new LuaTable();
  table.set(name, value);
  return table;
}

function errorValue(text: string): LuaError {
  return new LuaError(field("err", text));
}

/** Numbers go with 17 significant digits; undefined for other values. */
function argumentText(value: LuaValue): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" ? generalText(value, 17) : undefined;
}

function luaOf(reply: Reply): LuaValue {
  switch (reply.kind) {
    case "integer":
      return Number(reply.value);
    case "bulk":
      return reply.text ?? false;
    case "status":
      return field("ok", reply.text);
    case "error":
      return field("err", reply.text);
    case "array":
      return reply.items === null ? false : LuaTable.of(reply.items.map(luaOf));
  }
}

/**
 * Numbers lose their fraction, `true` is 1, `false` and nil are nil; a table ends at its first nil. Tables with a field
 * `double`, `map`, `set` or `big_number` are such replies, as version 2 of the protocol writes them.
 */
function replyOf(value: LuaValue): Reply {
  if (typeof value === "string") return bulk(value);
  if (typeof value === "number") return integer(longOf(value));
  if (value === true) return integer(1);
  if (!(value instanceof LuaTable)) return nil;
  const error = value.get("err");
  if (typeof error === "string") return { kind: "error", text: error };
  const status = value.get("ok");
  if (typeof status === "string") return { kind: "status", text: status };
  const double = value.get("double");
  if (typeof double === "number") return bulk(generalText(double, 17));
  const map = value.get("map");
  if (map instanceof LuaTable) return array(entriesOf(map).flatMap((entry) => entry.map(replyOf)));
  const set = value.get("set");
  if (set instanceof LuaTable) return array(entriesOf(set).map(([key]) => replyOf(key)));
  const large = value.get("big_number");
  if (typeof large === "string") return bulk(large.replace(/[\r\n]/g, " "));
  return array(value.sequence().map(replyOf));
}

function entriesOf(table: LuaTable): (readonly [LuaValue, LuaValue])[] {
  const entries: (readonly [LuaValue, LuaValue])[] = [];
  for (let entry = table.next(null); entry !== null; entry = table.next(entry[0]))
    entries.push(entry);
  return entries;
}

/** `SCRIPT LOAD|EXISTS|FLUSH`. */
export function scriptCommand(scripts: Scripts, args: readonly string[]): Reply {
  const [verb = "", ...rest] = args;
  switch (verb.toLowerCase()) {
    case "load":
      if (rest.length !== 1) throw wrongCount("load");
      return bulk(scripts.load(rest[0]!));
    case "exists":
      if (rest.length === 0) throw wrongCount("exists");
      return array(rest.map((sha) => integer(scripts.has(sha))));
    case "flush":
      scripts.clear();
      return ok;
    default:
      throw new RedisError(`ERR unknown subcommand '${verb}'. Try SCRIPT HELP.`);
  }
}

function wrongCount(verb: string): RedisError {
  return new RedisError(`ERR wrong number of arguments for 'script|${verb}' command`);
}
