import { Registration, RootContext } from "../abi/contexts";
import { LogError } from "../proxywasm/index";
import { ContextValues } from "./context-values";
import { PendingCalls } from "./pending-calls";

/** Runs when a configuration has been parsed; answers why it must be refused, or null. */
type ConfiguredHook = (root: PluginRoot) => string | null;

// Set before any context exists, and only in a module whose plugins use elections (see
// `linkElections`).
let electionHook: ConfiguredHook | null = null;

export function setElectionHook(hook: ConfiguredHook): void {
  electionHook = hook;
}

/** What a plugin context is whatever its configuration's type: compiled once. */
export class PluginRoot extends RootContext {
  /** Calls in flight; they die with this context. */
  calls: PendingCalls | null = null;
  /** The configuration was accepted. */
  isConfigured: bool = false;
  /** `on_done` was received. */
  isDone: bool = false;
  /** Why the running configuration must be refused, found while it was parsed. */
  refusal: string | null = null;
  /** Begins what the configuration asked for; set by the features that need it. */
  onAccepted: ((root: PluginRoot) => void) | null = null;

  private values: ContextValues | null = null;

  constructor(id: u32, registration: Registration) {
    super(id, registration);
  }

  /**
   * Keeps a value in this plugin context, of which there is one for each VM and configuration.
   * @example ctx.SetContext("seen", new Seen())
   */
  SetContext<T>(key: string, value: T): void {
    this.valuesToSet().set<T>(key, value);
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

  beginConfiguration(): void {
    this.isConfigured = false;
    this.refusal = null;
  }

  /** Accepts or refuses; says why on one line. */
  endConfiguration(): bool {
    const hook = electionHook;
    if (this.refusal === null && hook !== null) this.refusal = hook(this);
    const refusal = this.refusal;
    if (refusal !== null) {
      this.complain("configuration refused: " + refusal);
      return false;
    }
    this.isConfigured = true;
    const begin = this.onAccepted;
    if (begin !== null) begin(this);
    return true;
  }

  /** Logs an error as this plugin's. */
  complain(what: string): void {
    LogError("[" + this.registration.name + "] " + what);
  }

  private valuesToSet(): ContextValues {
    let values = this.values;
    if (values === null) this.values = values = new ContextValues();
    return values;
  }
}
