import { Json, ParseJson } from "../json/index";
import { noBytes } from "../memory/bytes";
import { GetPluginConfiguration, Status } from "../proxywasm/index";
import { Handlers, PluginContext } from "./contexts";
import { PluginRoot } from "./plugin-root";

/**
 * Reads the plugin's configuration into `config`, which starts with its class's defaults. Answer
 * null, or a message: the plugin then refuses to start. An empty configuration is a JSON value for
 * which `Exists()` is false; text that is not JSON is refused before the parser is asked.
 */
export function ParseConfig<C>(f: (json: Json, config: C) => string | null): Handlers<C> {
  const option = new Handlers<C>();
  option.parseConfig = f;
  option.apply = (own, all, registration) => {
    all.parseConfig = own.parseConfig;
    all.configure = (ctx, size) => {
      const parse = ctx.handlers.parseConfig;
      const json = readConfiguration(ctx, size);
      if (json !== null && parse !== null) refuse(ctx, parse(json, ctx.config));
    };
  };
  return option;
}

/**
 * As `ParseConfig`, with the plugin context: to register ticks, to set the timing of an election.
 */
export function ParseConfigWithContext<C>(
  f: (ctx: PluginContext<C>, json: Json, config: C) => string | null,
): Handlers<C> {
  const option = new Handlers<C>();
  option.parse = f;
  option.apply = (own, all, registration) => {
    all.parse = own.parse;
    all.configure = (ctx, size) => {
      const parse = ctx.handlers.parse;
      const json = readConfiguration(ctx, size);
      if (json !== null && parse !== null) refuse(ctx, parse(ctx, json, ctx.config));
    };
  };
  return option;
}

/** Runs first at every start of the plugin and at every new configuration; a message refuses it. */
export function PrePluginStartOrReload<C>(
  f: (ctx: PluginContext<C>) => string | null,
): Handlers<C> {
  const option = new Handlers<C>();
  option.start = f;
  option.apply = (own, all, registration) => {
    all.start = own.start;
  };
  return option;
}

/** Null, with the reason in `root.refusal`, when there is no JSON to parse. */
function readConfiguration(root: PluginRoot, size: u32): Json | null {
  if (size == 0) return ParseJson(noBytes());
  const read = GetPluginConfiguration();
  if (read.status != Status.Ok) {
    root.refusal = "it cannot be read";
    return null;
  }
  const json = ParseJson(read.value);
  if (json.Exists()) return json;
  root.refusal = "it is not JSON: " + json.Error();
  return null;
}

/** Keeps what the parser's calls found wrong, if the parser itself finds nothing. */
function refuse(root: PluginRoot, message: string | null): void {
  if (message !== null) root.refusal = message;
}
