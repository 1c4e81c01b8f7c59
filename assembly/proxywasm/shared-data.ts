import { Status } from "../abi/enums";
import { proxy_get_shared_data, proxy_set_shared_data } from "../abi/imports";
import { OUT_PTR, OUT_SIZE, OUT_WORD } from "../memory/out";
import { encodeBuffer } from "../memory/utf8";
import { takeWhenOk } from "./answers";
import { BytesResult } from "./result";

/**
 * A cas for `SetSharedData` that creates the key if it is absent and fails with `CasMismatch` if it
 * is present. The host compares a cas only with an existing key, and never hands this one out.
 */
export const CREATE_ONLY: u32 = 0xfffffffe;

/** A value and its version. `status` NotFound: no such key; an empty value is Ok. */
export class SharedDataResult extends BytesResult {
  constructor(
    status: Status,
    value: Uint8Array,
    public readonly cas: u32,
  ) {
    super(status, value);
  }
}

/**
 * Reads a key that all VMs of one `vm_id` share. `cas` is its version, never 0 for a key that
 * exists. Statuses: Ok, NotFound. In: any callback, not in top-level code.
 * @example const seen = proxywasm.GetSharedData("counter");
 * Source: proxy-wasm-cpp-host `shared_data.cc`.
 */
export function GetSharedData(key: string): SharedDataResult {
  const name = encodeBuffer(key);
  const status = <Status>(
    proxy_get_shared_data(changetype<usize>(name), name.byteLength, OUT_PTR, OUT_SIZE, OUT_WORD)
  );
  // The cas is read first: taking the bytes makes no host call, but nothing should depend on that.
  const cas = status == Status.Ok ? load<u32>(OUT_WORD) : 0;
  return new SharedDataResult(status, takeWhenOk(status), cas);
}

/**
 * Writes a key that all VMs of one `vm_id` share. With the `cas` of a read it writes only if nobody
 * wrote in between; with `CREATE_ONLY` only if the key is absent; with 0 in any case. A key that is
 * absent is created whatever the cas is. Statuses: Ok, CasMismatch. In: any callback, not in
 * top-level code.
 * @example proxywasm.SetSharedData("counter", wrapper.utf8.encode("1"), seen.cas);
 * Source: proxy-wasm-cpp-host `shared_data.cc`.
 */
export function SetSharedData(key: string, value: Uint8Array, cas: u32): Status {
  const name = encodeBuffer(key);
  return proxy_set_shared_data(
    changetype<usize>(name),
    name.byteLength,
    value.dataStart,
    value.byteLength,
    cas,
  );
}
