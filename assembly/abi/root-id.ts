import { takeBytes } from "../memory/host-buffer";
import { OUT_PTR, OUT_SIZE } from "../memory/out";
import { decodeLossy, encodeBuffer } from "../memory/utf8";
import { Status } from "./enums";
import { proxy_get_property } from "./imports";

/** The `root_id` the host's configuration gives this root context; "" when it gives none. */
export function readRootId(): string {
  const path = encodeBuffer("plugin_root_id");
  const status = proxy_get_property(changetype<usize>(path), path.byteLength, OUT_PTR, OUT_SIZE);
  return status == Status.Ok ? decodeLossy(takeBytes()) : "";
}
