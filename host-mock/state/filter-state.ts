import { Status, type StatusCode } from "../abi/status.ts";

/** How a plugin declared the bytes it will store. */
export type StoredType = "bytes" | "string" | "flatbuffers" | "protobuf";

/** How long a value lives: the stream's filter chain, the request (with internal redirects), the connection. */
export type LifeSpan = "filter chain" | "request" | "connection";

/** What `declare_property` says of a name, or what holds without it. */
export interface Declaration {
  readonly type: StoredType;
  /** The first value stays. */
  readonly isReadOnly: boolean;
  readonly span: LifeSpan;
}

export const undeclared: Declaration = { type: "bytes", isReadOnly: false, span: "filter chain" };

/** One value. What Envoy's own objects show to properties is text, fields, or nothing. */
export type StoredValue =
  | { readonly kind: "plugin"; readonly type: StoredType; readonly bytes: Uint8Array }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "address"; readonly ip: string; readonly port: number }
  | { readonly kind: "opaque" };

interface Stored {
  value: StoredValue;
  readonly isReadOnly: boolean;
  readonly span: LifeSpan;
}

/**
 * What plugins keep with a stream, by name (a binary string): shared by all plugins of the stream. Values of life span
 * `connection` are those of the connection.
 *
 * Source: Envoy `source/common/stream_info/filter_state_impl.cc`, `cel_state.h`.
 */
export class FilterState {
  readonly #own = new Map<string, Stored>();

  get(name: string): StoredValue | undefined {
    return this.#own.get(name)?.value;
  }

  /** A plugin's value; BadArgument when the name is read-only and has one. The array is taken over. */
  set(name: string, bytes: Uint8Array, declaration: Declaration): StatusCode {
    const present = this.#own.get(name);
    if (present === undefined || present.value.kind !== "plugin") {
      const { type, isReadOnly, span } = declaration;
      this.#own.set(name, { value: { kind: "plugin", type, bytes }, isReadOnly, span });
      return Status.Ok;
    }
    if (present.isReadOnly) return Status.BadArgument;
    present.value = { ...present.value, bytes };
    return Status.Ok;
  }

  /** One of Envoy's own objects. A name keeps the life span of its first value: another one changes nothing. */
  put(name: string, value: StoredValue, span: LifeSpan): void {
    const present = this.#own.get(name);
    if (present !== undefined && present.span !== span) return;
    this.#own.set(name, { value, isReadOnly: false, span });
  }
}
