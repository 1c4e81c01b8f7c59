import { Status } from "../../abi/status.ts";
import type { ForeignFunction } from "./foreign-function.ts";
import { compress, uncompress } from "./native-codecs.ts";

/**
 * `compress`: any bytes as a zlib stream. `uncompress`: the bytes of a zlib stream; SerializationFailure for what is
 * none.
 *
 * Source: Envoy `source/extensions/common/wasm/foreign.cc`.
 */
export const compressionFunctions: Readonly<Record<string, ForeignFunction>> = {
  compress: (argument) => ({ status: Status.Ok, result: compress(argument) }),
  uncompress(argument) {
    const result = uncompress(argument);
    return result === undefined
      ? { status: Status.SerializationFailure }
      : { status: Status.Ok, result };
  },
};
