import { Status, type StatusCode } from "../../abi/status.ts";
import type { Context } from "../context.ts";

/** A status, and the bytes that are handed to the guest; without them nothing is allocated. */
export interface ForeignAnswer {
  readonly status: StatusCode;
  readonly result?: Uint8Array;
  /** There is no function of that name: nothing at all is written. */
  readonly isUnknown?: true;
}

/** A function that plugins call by name, with the context that acts. */
export type ForeignFunction = (argument: Uint8Array, context: Context) => ForeignAnswer;

export const ok: ForeignAnswer = { status: Status.Ok };
export const badArgument: ForeignAnswer = { status: Status.BadArgument };
