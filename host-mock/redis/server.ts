/** A Redis server in memory. */
import type { CommandTable } from "./command.ts";
import { hashCommands } from "./commands/hashes.ts";
import { keyCommands } from "./commands/keys.ts";
import { listCommands } from "./commands/lists.ts";
import { setCommands } from "./commands/sets.ts";
import { sortedSetCommands } from "./commands/sorted-sets.ts";
import { stringCommands } from "./commands/strings.ts";
import { Keyspace } from "./keyspace.ts";
import { tryInteger } from "./numbers.ts";
import { bulk, bulks, ok, RedisError, syntaxError, type Reply } from "./reply.ts";
import { scriptCommand, Scripts } from "./scripting.ts";

export interface RedisServerOptions {
  /** Milliseconds since 1970 on the server's machine. */
  readonly nowMs: () => number;
  /** What `AUTH` must give; absent: everybody may do everything. */
  readonly password?: string;
  /** Whose password it is; "default" when absent. */
  readonly user?: string;
}

const databaseCount = 16;

const dataCommands: CommandTable = {
  ...keyCommands,
  ...stringCommands,
  ...hashCommands,
  ...listCommands,
  ...setCommands,
  ...sortedSetCommands,
};

/** Words of the server's own commands, as in `Command.arity`. */
const ownCommands: Readonly<Record<string, number>> = {
  ping: -1,
  echo: 2,
  auth: -2,
  select: 2,
  flushall: -1,
  time: 1,
  eval: -3,
  evalsha: -3,
  script: -2,
};

/**
 * Databases, scripts and who may use them. It answers as Redis 7.0 does; what it does not know it refuses as an unknown
 * command. One client's database and login are in its `RedisConnection`.
 *
 * Source: Redis `server.c` (processCommand), `acl.c` (authCommand), `db.c` (selectCommand).
 */
export class RedisServer {
  readonly #options: RedisServerOptions;
  readonly #databases: readonly Keyspace[];
  readonly scripts = new Scripts();

  constructor(options: RedisServerOptions) {
    this.#options = options;
    this.#databases = Array.from({ length: databaseCount }, () => new Keyspace(options.nowMs));
  }

  get nowMs(): number {
    return this.#options.nowMs();
  }

  /** A new client; a trusted one need not log in. */
  connect(isTrusted = false): RedisConnection {
    return new RedisConnection(this, isTrusted || this.#options.password === undefined);
  }

  database(index: number): Keyspace {
    return this.#databases[index]!;
  }

  flush(): void {
    for (const database of this.#databases) database.clear();
  }

  /** Whether `AUTH` with these is a login; null where no password is wanted from the default user. */
  admits(user: string | null, password: string): boolean | null {
    const { password: wanted, user: known = "default" } = this.#options;
    if (wanted === undefined && user === null) return null;
    if (wanted === undefined) return user === "default";
    return password === wanted && (user ?? "default") === known;
  }
}

export class RedisConnection {
  readonly #server: RedisServer;
  #isLoggedIn: boolean;
  #database = 0;

  constructor(server: RedisServer, isLoggedIn: boolean) {
    this.#server = server;
    this.#isLoggedIn = isLoggedIn;
  }

  /** A command, its name first, in any case. */
  run(words: readonly string[]): Reply {
    try {
      return this.#run(words, false);
    } catch (error) {
      if (error instanceof RedisError) return error.reply;
      throw error;
    }
  }

  #run(words: readonly string[], inScript: boolean): Reply {
    const [given = "", ...args] = words;
    const name = given.toLowerCase();
    const command = Object.hasOwn(dataCommands, name) ? dataCommands[name] : undefined;
    const arity =
      command?.arity ?? (Object.hasOwn(ownCommands, name) ? ownCommands[name] : undefined);
    if (arity === undefined)
      throw new RedisError(inScript ? unknownInScript : unknown(given, args));
    if (arity > 0 ? words.length !== arity : words.length < -arity)
      throw new RedisError(
        inScript
          ? "ERR Wrong number of args calling Redis command from script"
          : `ERR wrong number of arguments for '${name}' command`,
      );
    if (!this.#isLoggedIn && name !== "auth")
      throw new RedisError("NOAUTH Authentication required.");
    if (command !== undefined)
      return command.run({ keys: this.#server.database(this.#database) }, args);
    if (inScript && notInScripts.has(name))
      throw new RedisError("ERR This Redis command is not allowed from script");
    return this.#own(name, args);
  }

  #own(name: string, args: readonly string[]): Reply {
    const server = this.#server;
    switch (name) {
      case "ping":
        if (args.length > 1)
          throw new RedisError("ERR wrong number of arguments for 'ping' command");
        return args[0] === undefined ? { kind: "status", text: "PONG" } : bulk(args[0]);
      case "echo":
        return bulk(args[0]!);
      case "auth":
        return this.#login(args);
      case "select":
        return this.#select(args[0]!);
      case "flushall":
        server.flush();
        return ok;
      case "time":
        return bulks([
          String(Math.floor(server.nowMs / 1000)),
          String(Math.floor((server.nowMs % 1000) * 1000)),
        ]);
      case "eval":
        return this.#script(server.scripts.load(args[0]!), args.slice(1));
      case "evalsha":
        return this.#script(args[0]!, args.slice(1));
      default:
        return scriptCommand(server.scripts, args);
    }
  }

  #script(sha: string, args: readonly string[]): Reply {
    return this.#server.scripts.run(sha, args, (words) => {
      try {
        return this.#run(words, true);
      } catch (error) {
        if (error instanceof RedisError) return error.reply;
        throw error;
      }
    });
  }

  #login(args: readonly string[]): Reply {
    if (args.length > 2) throw new RedisError(syntaxError);
    const [first = "", second] = args;
    const admits = this.#server.admits(second === undefined ? null : first, second ?? first);
    if (admits === null) {
      throw new RedisError(
        "ERR AUTH <password> called without any password configured for the default user. " +
          "Are you sure your configuration is correct?",
      );
    }
    if (!admits)
      throw new RedisError("WRONGPASS invalid username-password pair or user is disabled.");
    this.#isLoggedIn = true;
    return ok;
  }

  #select(text: string): Reply {
    const index = tryInteger(text);
    if (index === undefined) throw new RedisError("ERR value is not an integer or out of range");
    if (index < 0n || index >= databaseCount) throw new RedisError("ERR DB index is out of range");
    this.#database = Number(index);
    return ok;
  }
}

const notInScripts: ReadonlySet<string> = new Set(["auth", "eval", "evalsha", "script"]);
const unknownInScript = "ERR Unknown Redis command called from script";

function unknown(name: string, args: readonly string[]): string {
  let shown = "";
  for (const arg of args) {
    if (shown.length >= 128) break;
    shown += `'${arg.slice(0, 128 - shown.length)}' `;
  }
  return `ERR unknown command '${name.slice(0, 128)}', with args beginning with: ${shown}`;
}
