/**
 * The contexts a plugin's callbacks receive, and the callbacks by name: three classes that speak of
 * each other. What they have that does not depend on the configuration's type is in the classes
 * below them.
 */
import { Registration, RootContext } from "../abi/contexts";
import { Action } from "../abi/enums";
import { Json } from "../json/index";
import { ElectingRoot } from "./electing-root";
import { ElectionSettings } from "./election-settings";
import { PluginStream } from "./plugin-stream";
import { Tick } from "./ticks";

/**
 * What a plugin does, one field a callback; null: nothing. An option of `SetCtx` is one of these
 * with one field set and the function that takes it over. Functions, not virtual methods: what no
 * option brings along is not linked.
 */
export class Handlers<C> {
  start: ((ctx: PluginContext<C>) => string | null) | null = null;
  parse: ((ctx: PluginContext<C>, json: Json, config: C) => string | null) | null = null;
  parseConfig: ((json: Json, config: C) => string | null) | null = null;
  requestHeaders: ((ctx: HttpContext<C>, config: C) => Action) | null = null;
  responseHeaders: ((ctx: HttpContext<C>, config: C) => Action) | null = null;
  streamDone: ((ctx: HttpContext<C>, config: C) => void) | null = null;
  election: ElectionSettings | null = null;

  /** Runs the parser on a configuration of so many bytes; null: the plugin has none. */
  configure: ((ctx: PluginContext<C>, size: u32) => void) | null = null;
  /** Takes this option over into the plugin's handlers, and fills the slots it needs. */
  apply: ((own: Handlers<C>, all: Handlers<C>, registration: Registration) => void) | null = null;
}

/** A plugin with its handlers, as `SetCtx` registers it. */
export class PluginRegistration<C> extends Registration {
  readonly handlers: Handlers<C> = new Handlers<C>();

  constructor(name: string) {
    super(name);
  }
}

/**
 * One plugin with one configuration, in one VM. A changed configuration makes a new one beside the
 * old, in the same VM: the old one goes on serving its streams and ticks until the host lets it go.
 */
export class PluginContext<C> extends ElectingRoot {
  /** The configuration as the parser filled it. */
  config: C;
  readonly handlers: Handlers<C>;

  constructor(id: u32, registration: PluginRegistration<C>) {
    super(id, registration);
    this.config = instantiate<C>();
    this.handlers = registration.handlers;
    this.settings = registration.handlers.election;
  }

  /**
   * The type of `ctx[0]` is how HttpClient learns C from a context's type: editors read this line,
   * asc the next.
   */
  [key: number]: C;
  // @ts-ignore: decorator
  @operator("[]")
  private configOf(unused: i32): C {
    return this.config;
  }

  /**
   * Runs a function every `periodMs` from now on, on a clock that only runs forward. The first run
   * comes after a random part of the period, so that the VMs of one Envoy spread. Late runs are not
   * made up for. Periods below 1 ms refuse the configuration. The host's tick timer is then the
   * SDK's: do not call `proxywasm.SetTickPeriodMilliSeconds` beside it.
   * @example ctx.RegisterTickFunc(3000, (ctx, config) => { ctx.DoLeaderElection(); })
   */
  RegisterTickFunc(periodMs: i64, run: (ctx: PluginContext<C>, config: C) => void): void {
    this.addTick(periodMs, new PluginTick<C>(this, run));
  }
}

/** One HTTP stream: a request and its response. */
export class HttpContext<C> extends PluginStream {
  constructor(id: u32, root: RootContext) {
    super(id, root);
  }

  /** The plugin's configuration, in the generation that this stream began with. */
  get config(): C {
    return this.plugin.config;
  }

  /** The plugin context that this stream belongs to. */
  get plugin(): PluginContext<C> {
    return changetype<PluginContext<C>>(this.root);
  }

  /**
   * The type of `ctx[0]` is how HttpClient learns C from a context's type: editors read this line,
   * asc the next.
   */
  [key: number]: C;
  // @ts-ignore: decorator
  @operator("[]")
  private configOf(unused: i32): C {
    return this.config;
  }
}

class PluginTick<C> extends Tick {
  constructor(
    private ctx: PluginContext<C>,
    private f: (ctx: PluginContext<C>, config: C) => void,
  ) {
    super();
  }

  run(): void {
    this.f(this.ctx, this.ctx.config);
  }
}
