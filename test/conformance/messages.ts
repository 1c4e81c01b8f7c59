/** Requests and answers of a case in the form that both hosts send: every header that goes over the wire. */
import type { HeaderPairs } from "./bytes-shown.ts";
import type { ProbeAnswer, ProbeRequest } from "./probe.ts";

export const authority = "probe.example";
export const defaultAnswer: ProbeAnswer = { status: 200, frames: ["ok"] };
export const defaultGapMs = 30;

export function methodOf(request: ProbeRequest): string {
  return request.method ?? (request.frames === undefined ? "GET" : "POST");
}

/** All but the authority: the case's own, the length or coding of a body, the scripts. */
export function requestHeaders(request: ProbeRequest): HeaderPairs {
  const { headers = [], frames, contentLength, trailers, script } = request;
  const isHttp1 = request.protocol !== "http2";
  const hasBody = frames !== undefined || trailers !== undefined;
  return [
    ...headers,
    ...(contentLength === undefined
      ? hasBody && isHttp1
        ? [["transfer-encoding", "chunked"] as const]
        : []
      : [["content-length", String(contentLength)] as const]),
    ...scriptHeaders(script),
  ];
}

function scriptHeaders(script: ProbeRequest["script"]): HeaderPairs {
  if (script === undefined) return [];
  if (typeof script === "string") return [["x-probe", oneLine(script)]];
  return Object.entries(script).map(([plugin, text]) => [
    `x-probe-${plugin.toLowerCase()}`,
    oneLine(text),
  ]);
}

/** A header value has no line ends. */
function oneLine(script: string): string {
  return script
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" | ");
}

const bodiless = new Set([204, 304]);

/** An answer without frames and trailers says that it is empty; one with frames is chunked unless it gives a length. */
export function answerHeaders(answer: ProbeAnswer, method: string): HeaderPairs {
  const { headers = [], frames, trailers, status = 200 } = answer;
  const has = (wanted: string): boolean => headers.some(([name]) => name.toLowerCase() === wanted);
  if (has("content-length") || has("transfer-encoding") || bodiless.has(status)) return headers;
  if (method === "HEAD") return headers;
  if (frames === undefined && trailers === undefined) return [...headers, ["content-length", "0"]];
  return [...headers, ["transfer-encoding", "chunked"]];
}
