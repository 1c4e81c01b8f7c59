/**
 * The service argument of a gRPC call: a message `envoy.config.core.v3.GrpcService`, else a cluster's name.
 *
 * | field                                | read as                                        |
 * | ------------------------------------ | ---------------------------------------------- |
 * | 1 envoy_grpc: 1 cluster_name         | the cluster                                    |
 * | 1 envoy_grpc: 2 authority            | `:authority`; the cluster's name when absent   |
 * | 2 google_grpc                        | a target that only Google's library reaches    |
 * | 5 initial_metadata: 1 key, 2 value   | headers added to every call                    |
 *
 * Source: Envoy `source/extensions/common/wasm/context.cc` (grpcCall, grpcStream), protobuf's wire format.
 */
import { latin1, tryUtf8 } from "../state/bytes.ts";

export interface GrpcService {
  readonly kind: "envoy" | "google" | "none";
  readonly cluster: string;
  readonly authority: string;
  readonly metadata: readonly (readonly [string, Uint8Array])[];
}

/** Undefined when the bytes are no such message: then they are a cluster's name. */
export function parseGrpcService(bytes: Uint8Array): GrpcService | undefined {
  const fields = readFields(bytes);
  if (fields === undefined) return undefined;
  let service: GrpcService = { kind: "none", cluster: "", authority: "", metadata: [] };
  for (const { number, content } of fields) {
    if (content === undefined) continue;
    if (number === 2) service = { ...service, kind: "google", cluster: "", authority: "" };
    else if (number === 1) {
      const target = envoyGrpc(content);
      if (target === undefined) return undefined;
      service = { ...service, kind: "envoy", ...target };
    } else if (number === 5) {
      const header = headerValue(content);
      if (header === undefined) return undefined;
      service = { ...service, metadata: [...service.metadata, header] };
    }
  }
  return service;
}

/** The name that bytes which are no message stand for. */
export function clusterNameOf(bytes: Uint8Array): string {
  return tryUtf8(bytes) ?? latin1(bytes);
}

function envoyGrpc(bytes: Uint8Array): { cluster: string; authority: string } | undefined {
  const texts = textFields(bytes, [1, 2]);
  return texts && { cluster: texts.get(1) ?? "", authority: texts.get(2) ?? "" };
}

function headerValue(bytes: Uint8Array): readonly [string, Uint8Array] | undefined {
  const fields = readFields(bytes);
  const key = textFields(bytes, [1, 2])?.get(1);
  if (fields === undefined || key === undefined) return undefined;
  const value = fields.findLast(({ number }) => number === 2 || number === 3)?.content;
  return [key, value ?? new Uint8Array(0)];
}

/** The last value of each of these text fields; undefined for a broken message or a text that is not UTF-8. */
function textFields(
  bytes: Uint8Array,
  numbers: readonly number[],
): Map<number, string> | undefined {
  const fields = readFields(bytes);
  if (fields === undefined) return undefined;
  const texts = new Map<number, string>();
  for (const { number, content } of fields) {
    if (content === undefined || !numbers.includes(number)) continue;
    const text = tryUtf8(content);
    if (text === undefined) return undefined;
    texts.set(number, text);
  }
  return texts;
}

interface Field {
  readonly number: number;
  /** Of a length-delimited field; undefined for every other. */
  readonly content: Uint8Array | undefined;
}

const wireVarint = 0;
const wire64 = 1;
const wireBytes = 2;
const wireGroup = 3;
const wireGroupEnd = 4;
const wire32 = 5;
const nestingMax = 100;

/** The fields of a message; undefined when the bytes are none. */
function readFields(bytes: Uint8Array): Field[] | undefined {
  const reader = new WireReader(bytes);
  const fields: Field[] = [];
  while (!reader.isAtEnd) {
    const field = reader.field(0);
    if (field === undefined || field === "group end") return undefined;
    fields.push(field);
  }
  return fields;
}

class WireReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** Undefined for what is no field. */
  field(depth: number, group?: number): Field | "group end" | undefined {
    const tag = this.#varint();
    if (tag === undefined || tag > 0xffffffffn || tag >> 3n === 0n) return undefined;
    const number = Number(tag >> 3n);
    switch (Number(tag & 7n)) {
      case wireVarint:
        return this.#varint() === undefined ? undefined : { number, content: undefined };
      case wire64:
        return this.#skip(8) ? { number, content: undefined } : undefined;
      case wire32:
        return this.#skip(4) ? { number, content: undefined } : undefined;
      case wireBytes: {
        const size = this.#varint();
        const start = this.#at;
        if (size === undefined || !this.#skip(Number(size))) return undefined;
        return { number, content: this.#bytes.subarray(start, this.#at) };
      }
      case wireGroup:
        return this.#group(number, depth + 1) ? { number, content: undefined } : undefined;
      case wireGroupEnd:
        return number === group ? "group end" : undefined;
      default:
        return undefined;
    }
  }

  #group(number: number, depth: number): boolean {
    if (depth > nestingMax) return false;
    for (;;) {
      if (this.isAtEnd) return false;
      const field = this.field(depth, number);
      if (field === undefined) return false;
      if (field === "group end") return true;
    }
  }

  #skip(size: number): boolean {
    if (this.#at + size > this.#bytes.length) return false;
    this.#at += size;
    return true;
  }

  /** At most ten bytes; bits above the 64th are lost. */
  #varint(): bigint | undefined {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) return undefined;
      this.#at++;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value & 0xffffffffffffffffn;
    }
    return undefined;
  }
}
