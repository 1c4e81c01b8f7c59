/** A chain of filters that answer from lists, and what passes it. */
import { FilterChain } from "../../../host-mock/http/filter-chain.ts";
import type { Body } from "../../../host-mock/state/body.ts";
import { lossyUtf8 } from "../../../host-mock/state/bytes.ts";
import { HeaderMap } from "../../../host-mock/state/header-map.ts";

/** A filter that answers from a list, then Continue, and notes what it was shown. */
export interface Scripted {
  readonly name: string;
  readonly headers: number[];
  readonly data: number[];
  readonly trailers: number[];
}

export function filter(name: string, script: Partial<Omit<Scripted, "name">> = {}): Scripted {
  return { name, headers: [], data: [], trailers: [], ...script };
}

export function chainOf(
  filters: readonly Scripted[],
  edit?: (filter: Scripted, body: Body) => void,
  options: {
    isRequest?: boolean;
    limitBytes?: number;
    onHeaders?: (filter: Scripted) => void;
  } = {},
) {
  const seen: string[] = [];
  const buffering = new Set<Scripted>();
  const letGo = (one: Scripted): boolean => {
    buffering.delete(one);
    return chain.resume(one);
  };
  const chain: FilterChain<Scripted> = new FilterChain(
    filters,
    {
      headers: (at, _, isEnd) => {
        seen.push(`${at.name} headers${isEnd ? " end" : ""}`);
        options.onHeaders?.(at);
        return at.headers.shift() ?? 0;
      },
      // As the filter of a plugin does: after StopIterationAndBuffer it looks at everything held.
      data: (at, frame, isEnd) => {
        if (buffering.has(at)) chain.addData(frame);
        const body = buffering.has(at) ? chain.held.body! : frame;
        seen.push(`${at.name} ${lossyUtf8(body.bytes())}${isEnd ? " end" : ""}`);
        edit?.(at, body);
        const answer = at.data.shift() ?? 0;
        if (answer === 1) buffering.add(at);
        else buffering.delete(at);
        return answer;
      },
      trailers: (at) => {
        seen.push(`${at.name} trailers`);
        return at.trailers.shift() ?? 0;
      },
    },
    {
      headers: (_, isEnd) => seen.push(`sink headers${isEnd ? " end" : ""}`),
      data: (bytes, isEnd) => seen.push(`sink ${lossyUtf8(bytes)}${isEnd ? " end" : ""}`),
      trailers: () => seen.push("sink trailers"),
    },
    {
      isRequest: options.isRequest ?? true,
      limitBytes: options.limitBytes ?? 0,
      onTooMuch: () => {
        seen.push("too much");
        chain.isAborted = true;
      },
      onPressure: (isHigh) => seen.push(isHigh ? "pressure" : "relief"),
      onAborted: () => seen.push("aborted"),
      isOver: () => false,
    },
  );
  return { chain, seen, letGo };
}

export const headers = () => new HeaderMap("request");
