import { statusCode, Status, type StatusCode } from "../../abi/status.ts";
import { isRecord, kindOf, requireKeys, requireRecord, unknownName } from "../../did-you-mean.ts";
import { MockHostError } from "../../errors.ts";
import { utf8 } from "../../state/bytes.ts";
import type { ForeignFunction } from "./foreign-function.ts";

/** Who calls. */
export interface ForeignCaller {
  readonly thread: string;
  readonly plugin: string;
  /** The context that acts, and its plugin context. */
  readonly contextId: number;
  readonly rootId: number;
}

/** What a test's function answers. */
export interface ForeignResult {
  /** Name of a status; "Ok" when absent. */
  readonly status?: string;
  /** What the plugin gets; text as UTF-8. Nothing is handed over when absent. */
  readonly result?: string | Uint8Array;
}

/**
 * Functions that a test gives for plugins to call by name (`proxy_call_foreign_function`). They stand before Envoy's of
 * the same name, and answer at once: no promise.
 *
 *     foreignFunctions: { get_secret: (argument) => ({ result: "s3cret" }) }
 */
export type ForeignFunctionOptions = Readonly<
  Record<string, (argument: Uint8Array, caller: ForeignCaller) => ForeignResult>
>;

/** E_OPTION for what is no function. At a call: E_OPTION for an answer that is none, E_UNKNOWN_NAME for its status. */
export function resolveForeignFunctions(
  options: ForeignFunctionOptions | undefined,
): ReadonlyMap<string, ForeignFunction> {
  const functions = new Map<string, ForeignFunction>();
  if (options === undefined) return functions;
  requireRecord("foreignFunctions", options, "give an object of functions by name");
  for (const [name, run] of Object.entries(options)) {
    if (typeof run !== "function") {
      throw new MockHostError("E_OPTION", `foreignFunctions.${name} is no function`, {
        remedy: "give (argument, caller) => ({ result })",
      });
    }
    functions.set(name, (argument, context) => {
      const answer: unknown = run(argument, {
        thread: context.thread,
        plugin: context.plugin,
        contextId: context.id,
        rootId: context.rootId,
      });
      return answerOf(name, answer);
    });
  }
  return functions;
}

function answerOf(name: string, answer: unknown): ReturnType<ForeignFunction> {
  if (!isRecord(answer)) {
    const what = `foreignFunctions.${name} has answered no object: ${kindOf(answer)}`;
    throw new MockHostError("E_OPTION", what, {
      remedy: "answer { status, result }, at once; {} is Ok without bytes",
    });
  }
  requireKeys(`the answer of foreignFunctions.${name}`, answer, ["status", "result"]);
  const { status, result } = answer as ForeignResult;
  const code = statusOf(status);
  if (result === undefined) return { status: code };
  if (typeof result === "string") return { status: code, result: utf8(result) };
  if (result instanceof Uint8Array) return { status: code, result };
  throw new MockHostError("E_OPTION", `foreignFunctions.${name}: result is ${kindOf(result)}`, {
    remedy: "answer a text or a Uint8Array",
  });
}

function statusOf(name: string | undefined): StatusCode {
  if (name === undefined) return Status.Ok;
  const code = typeof (name as unknown) === "string" ? statusCode(name) : undefined;
  if (code === undefined) throw unknownName("status", name, Object.keys(Status));
  return code;
}
