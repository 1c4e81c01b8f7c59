import { lossyUtf8 } from "../state/bytes.ts";
import type { HeaderMap } from "../state/header-map.ts";
import type { CallRequest } from "./cluster-options.ts";
import { shownHeaders, type ShownHeaders } from "./pairs.ts";

/** A call as the receiver sees it. */
export class ReceivedCall implements CallRequest {
  readonly cluster: string;
  readonly body: Uint8Array;
  readonly #map: HeaderMap;
  #shown: readonly (readonly [string, string])[] | undefined;

  constructor(cluster: string, map: HeaderMap, body: Uint8Array) {
    this.cluster = cluster;
    this.body = body;
    this.#map = map;
  }

  get method(): string {
    return this.#map.text(":method") ?? "";
  }

  get path(): string {
    return this.#map.text(":path") ?? "";
  }

  get authority(): string {
    return this.#map.text(":authority") ?? "";
  }

  get headers(): readonly (readonly [string, string])[] {
    this.#shown ??= this.#map
      .entries()
      .map(([name, value]): readonly [string, string] => [lossyUtf8(name), lossyUtf8(value)])
      .filter(([name]) => !name.startsWith(":"));
    return this.#shown;
  }

  get rawHeaders(): ShownHeaders {
    return shownHeaders(this.#map, { pseudo: false });
  }

  header(name: string): string | undefined {
    return this.#map.text(name);
  }

  text(): string {
    return lossyUtf8(this.body);
  }
}
