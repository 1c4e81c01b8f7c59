import { Status } from "../../abi/status.ts";
import { FIRST_TIE } from "../../http/scheduler.ts";
import { noBytes } from "../../state/bytes.ts";
import { readFields } from "../../state/protobuf.ts";
import { EventClass } from "../../time/event-queue.ts";
import { ThreadEvent } from "../thread-event.ts";
import type { ForeignFunction } from "./foreign-function.ts";

const badArgument = { status: Status.BadArgument };
const ok = { status: Status.Ok };

/** `{ 1: bytes body, 2: bool end_of_stream }`; undefined for bytes that are no message. */
function injected(argument: Uint8Array): { body: Uint8Array; isEnd: boolean } | undefined {
  const fields = readFields(argument);
  if (fields === undefined) return undefined;
  let body: Uint8Array = noBytes;
  let isEnd = false;
  for (const field of fields) {
    if (field.number === 1 && field.type === "bytes") body = field.value;
    if (field.number === 2 && field.type === "varint") isEnd = field.value !== 0n;
  }
  return { body, isEnd };
}

/**
 * Foreign functions of Higress.
 *
 * | name                                           | argument                | result        |
 * | ---------------------------------------------- | ----------------------- | ------------- |
 * | get_log_level                                  |                         | u32, 0 … 6    |
 * | set_global_max_requests_per_io_cycle           | u64                     |               |
 * | inject_encoded_data_to_filter_chain            | { 1: bytes, 2: bool }   | sends at once |
 * | inject_encoded_data_to_filter_chain_on_header  | the same                | sends in a later turn of the loop |
 *
 * Source: Higress' fork of Envoy, `source/extensions/common/wasm/foreign.cc`.
 */
export const higressFunctions: Readonly<Record<string, ForeignFunction>> = {
  get_log_level: (_, context) => {
    const result = new Uint8Array(4);
    new DataView(result.buffer).setUint32(0, context.owner.thread.world.logLevel, true);
    return { status: Status.Ok, result };
  },

  // How many requests a connection may bring in one turn of the loop: here each has a turn of its own.
  set_global_max_requests_per_io_cycle: (argument) => (argument.length === 8 ? ok : badArgument),

  inject_encoded_data_to_filter_chain: (argument, context) => {
    const data = injected(argument);
    if (data === undefined) return badArgument;
    context.injectEncodedData(data.body, data.isEnd);
    return ok;
  },

  inject_encoded_data_to_filter_chain_on_header: (argument, context) => {
    const data = injected(argument);
    if (data === undefined) return badArgument;
    const { thread } = context.owner;
    const post = new ThreadEvent(thread, EventClass.answer, () =>
      context.injectEncodedData(data.body, data.isEnd),
    );
    thread.world.schedule(post, thread.world.nowNs, FIRST_TIE);
    return ok;
  },
};
