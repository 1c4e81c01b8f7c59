/**
 * Source: proxy-wasm-cpp-host `src/exports.cc`, Envoy `source/extensions/common/wasm/context.cc`.
 */
import { isAscii, noBytes } from "../state/bytes.ts";
import { HeaderName } from "../state/header-entry.ts";
import type { HeaderMap, HeaderText } from "../state/header-map.ts";
import type { CallSite, HostFunctions } from "./call-site.ts";
import { HeaderMapType } from "./enums.ts";
import type { GuestMemory } from "../vm/memory.ts";
import { decodePairs, encodePairs } from "./pairs.ts";
import { Status } from "./status.ts";

const typeMax = HeaderMapType.HttpCallResponseTrailers;

/** Maps of gRPC and HTTP calls are read-only: for them, and where there is none, undefined. */
function writableMap(site: CallSite, type: number): HeaderMap | undefined {
  if (type >= HeaderMapType.GrpcReceiveInitialMetadata) return undefined;
  return site.context().headerMap(type, true);
}

type Edit = (map: HeaderMap, name: HeaderName, value: HeaderText) => void;

/** Up to this size values are looked up among those read before. */
const shortBytes = 64;

/** Text where it is ASCII: the same short values come again and again. */
function valueOf(memory: GuestMemory, ptr: number, size: number): HeaderText | undefined {
  const text = size > shortBytes ? undefined : memory.readLatin1(ptr, size);
  return text !== undefined && isAscii(text) ? text : memory.readBytes(ptr, size);
}

function edited(
  site: CallSite,
  type: number,
  edit: Edit,
  namePtr: number,
  nameSize: number,
  valuePtr: number,
  valueSize: number,
) {
  if (type > typeMax) return Status.BadArgument;
  const { memory } = site;
  const name = memory.readLatin1(namePtr, nameSize);
  const value = valueOf(memory, valuePtr, valueSize);
  if (name === undefined || value === undefined) return Status.InvalidMemoryAccess;
  const map = writableMap(site, type);
  if (map === undefined) return Status.BadArgument;
  edit(map, HeaderName.ofBinary(name), value);
  return Status.Ok;
}

const add: Edit = (map, name, value) => map.add(name, value);
const set: Edit = (map, name, value) => map.set(name, value);
const remove: Edit = (map, name) => void map.remove(name);

export const headerMapFunctions: HostFunctions = {
  /**
   * The first value of a name, in any case. BadArgument for an unknown or unavailable map (NotFound
   * while logging); InvalidMemoryAccess; NotFound for an absent name. ABI 0.1.0 has Ok and an empty
   * value for both NotFound.
   *
   *     valuePtrPtr: | u32 pointer |    valueSizePtr: | u32 size |, both 0 for an empty value
   */
  proxy_get_header_map_value(
    site: CallSite,
    type: number,
    namePtr: number,
    nameSize: number,
    valuePtrPtr: number,
    valueSizePtr: number,
  ) {
    if (type > typeMax) return Status.BadArgument;
    const name = site.memory.readLatin1(namePtr, nameSize);
    if (name === undefined) return Status.InvalidMemoryAccess;
    const context = site.context();
    const map = context.headerMap(type, false);
    if (map === undefined && !context.isLogPhase) return Status.BadArgument;
    const value = map?.get(HeaderName.ofBinary(name));
    if (value !== undefined) return site.giveBytes(value, valuePtrPtr, valueSizePtr);
    return site.abi === "0.1.0"
      ? site.giveBytes(noBytes, valuePtrPtr, valueSizePtr)
      : Status.NotFound;
  },

  /**
   * Adds an entry. BadArgument for an unknown, unavailable or read-only map; InvalidMemoryAccess.
   */
  proxy_add_header_map_value(
    site: CallSite,
    type: number,
    namePtr: number,
    nameSize: number,
    valuePtr: number,
    valueSize: number,
  ) {
    return edited(site, type, add, namePtr, nameSize, valuePtr, valueSize);
  },

  /** Removes all entries of the name and adds one at the end. Statuses as for add. */
  proxy_replace_header_map_value(
    site: CallSite,
    type: number,
    namePtr: number,
    nameSize: number,
    valuePtr: number,
    valueSize: number,
  ) {
    return edited(site, type, set, namePtr, nameSize, valuePtr, valueSize);
  },

  /** Removes all entries of the name; Ok when there are none. Statuses as for add. */
  proxy_remove_header_map_value(site: CallSite, type: number, namePtr: number, nameSize: number) {
    return edited(site, type, remove, namePtr, nameSize, 0, 0);
  },

  /**
   * All entries as serialised pairs (`pairs.ts`). BadArgument for an unknown map;
   * InvalidMemoryAccess. An empty map and one that is not available are Ok with pointer and size 0.
   *
   *     ptrPtr: | u32 pointer |    sizePtr: | u32 size |
   */
  proxy_get_header_map_pairs(site: CallSite, type: number, ptrPtr: number, sizePtr: number) {
    if (type > typeMax) return Status.BadArgument;
    const map = site.context().headerMap(type, false);
    return site.giveBytes(
      map === undefined ? noBytes : encodePairs(map.entries()),
      ptrPtr,
      sizePtr,
    );
  },

  /**
   * Puts these pairs in place of every entry; a rejected block is an empty list. Statuses as for
   * add.
   */
  proxy_set_header_map_pairs(site: CallSite, type: number, ptr: number, size: number) {
    if (type > typeMax) return Status.BadArgument;
    const block = site.memory.viewBytes(ptr, size);
    if (block === undefined) return Status.InvalidMemoryAccess;
    const map = writableMap(site, type);
    if (map === undefined) return Status.BadArgument;
    map.replaceAll(decodePairs(block));
    return Status.Ok;
  },

  /**
   * The bytes of all names and values. BadArgument for an unknown, unavailable or read-only map;
   * InvalidMemoryAccess.
   *
   *     sizePtr: | u32 size |
   */
  proxy_get_header_map_size(site: CallSite, type: number, sizePtr: number) {
    const map = type > typeMax ? undefined : writableMap(site, type);
    return map === undefined ? Status.BadArgument : site.giveU32(map.sizeBytes, sizePtr);
  },
};
