import { Status } from "../abi/enums";
import { proxy_get_property, proxy_set_property } from "../abi/imports";
import { OUT_PTR, OUT_SIZE } from "../memory/out";
import { encodeBuffer } from "../memory/utf8";
import { bytesAnswer } from "./answers";
import { BytesResult } from "./result";

/**
 * A property of the host by its path: `["source", "address"]`. Numbers come as eight bytes,
 * little-endian, booleans as one, text as UTF-8. Statuses: Ok; NotFound; SerializationFailure for a
 * value that has no byte form; InternalFailure. In: any callback, not in top-level code; what there
 * is depends on it.
 * @example const route = proxywasm.GetProperty(["xds", "route_name"]).Text();
 * Source: Envoy `context.cc`, `getProperty`.
 */
export function GetProperty(path: string[]): BytesResult {
  const bytes = pathOf(path);
  return bytesAnswer(
    proxy_get_property(changetype<usize>(bytes), bytes.byteLength, OUT_PTR, OUT_SIZE),
  );
}

/**
 * Sets a property of the stream, which later filters and access logs can read. Statuses: Ok;
 * NotFound without a stream; BadArgument when it is read-only. In: callbacks of a stream.
 * @example proxywasm.SetProperty(["user"], wrapper.utf8.encode("anna"));
 * Source: Envoy `context.cc`, `setProperty`.
 */
export function SetProperty(path: string[], value: Uint8Array): Status {
  const bytes = pathOf(path);
  return proxy_set_property(
    changetype<usize>(bytes),
    bytes.byteLength,
    value.dataStart,
    value.byteLength,
  );
}

/** The parts of a path, separated by NUL. */
function pathOf(path: string[]): ArrayBuffer {
  let joined = "";
  for (let i = 0; i < path.length; i++) joined = i == 0 ? path[0] : joined + "\0" + path[i];
  return encodeBuffer(joined);
}
