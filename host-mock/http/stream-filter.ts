import type { Body } from "../state/body.ts";
import type { HeaderMap } from "../state/header-map.ts";

/** A plugin's part in one stream. The numbers answered are filter statuses as the chain understands them. */
export interface StreamFilter {
  onRequestHeaders(headers: HeaderMap, isEnd: boolean): number;
  onRequestBody(body: Body, isEnd: boolean): number;
  onRequestTrailers(trailers: HeaderMap): number;
  onResponseHeaders(headers: HeaderMap, isEnd: boolean): number;
  onResponseBody(body: Body, isEnd: boolean): number;
  onResponseTrailers(trailers: HeaderMap): number;
  /** The stream is complete; all filters are told before the first is destroyed. */
  onLog(): void;
  onDestroy(): void;
}
