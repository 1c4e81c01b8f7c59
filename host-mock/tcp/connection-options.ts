import { requireFlag, requireKeys, requireWord } from "../did-you-mean.ts";
import { requireBytes } from "../http/pairs.ts";
import { parseDuration } from "../time/duration.ts";

/** Text is sent as UTF-8. */
export type TcpBytes = string | Uint8Array;

/** What the server behind a connection does by itself; a test may also act for it. */
export interface TcpUpstreamOptions {
  /** Sent once the connection reaches it; several elements are sent apart. */
  readonly sends?: TcpBytes | readonly TcpBytes[];
  /** Between the elements of `sends`; "0ms" when absent. */
  readonly gap?: string;
  /** True: what it receives goes back. */
  readonly echoes?: boolean;
  /**
   * True: it ends its side a gap after `sends`. It ends it too when it has seen the client's end, once all it had to send
   * is out, unless `lingers`.
   */
  readonly closes?: boolean;
  /** True: its side stays open when the client has ended its own. */
  readonly lingers?: boolean;
  /** From Envoy's attempt to connect to the connection; "0ms" when absent. */
  readonly delay?: string;
}

export interface ConnectOptions {
  /** A listener of network plugins; the only one when absent. */
  readonly listener?: string;
  /** "silent" when absent: it takes everything and answers nothing. "refuse": nobody listens there. */
  readonly upstream?: "echo" | "silent" | "refuse" | TcpUpstreamOptions;
}

const keys = ["listener", "upstream"] as const satisfies readonly (keyof ConnectOptions)[];
const upstreamKeys = [
  "sends",
  "gap",
  "echoes",
  "closes",
  "lingers",
  "delay",
] as const satisfies readonly (keyof TcpUpstreamOptions)[];
const words = ["echo", "silent", "refuse"] as const;

/** E_OPTION for what is no connection. */
export function requireConnection(options: ConnectOptions): void {
  requireKeys("a connection", options, keys);
  const { upstream } = options;
  if (upstream === undefined) return;
  if (typeof upstream !== "object" || (upstream as unknown) === null) {
    requireWord("upstream", upstream, words, ', or what it does: {sends: "hello"}');
    return;
  }
  requireKeys("upstream", upstream, upstreamKeys);
  if (upstream.sends !== undefined) requireBytes("upstream's sends", upstream.sends);
  for (const key of ["echoes", "closes", "lingers"] as const)
    requireFlag(`upstream's ${key}`, upstream[key]);
  parseDuration(upstream.gap ?? "0ms", "upstream's gap");
  parseDuration(upstream.delay ?? "0ms", "upstream's delay");
}
