import type { Body } from "../state/body.ts";
import type { HeaderMap } from "../state/header-map.ts";
import type { ChainCallbacks } from "./filter-chain.ts";

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

/** A filter's callbacks for a request on its way to the upstream. */
export const requestCallbacks: ChainCallbacks<StreamFilter> = {
  headers: (filter, headers, isEnd) => filter.onRequestHeaders(headers, isEnd),
  data: (filter, body, isEnd) => filter.onRequestBody(body, isEnd),
  trailers: (filter, trailers) => filter.onRequestTrailers(trailers),
};

/** And for an answer on its way to the client. */
export const responseCallbacks: ChainCallbacks<StreamFilter> = {
  headers: (filter, headers, isEnd) => filter.onResponseHeaders(headers, isEnd),
  data: (filter, body, isEnd) => filter.onResponseBody(body, isEnd),
  trailers: (filter, trailers) => filter.onResponseTrailers(trailers),
};
