/** The tokens that one VM gives out for what is answered later. */
export class CallTokens {
  /** The last one of each kind, which its low two bits name: 0 HTTP call, 1 gRPC call, 2 gRPC stream, 3 Redis call. */
  readonly #last = [0, 1, 2, 3];
  #dns = 1;

  /** Each kind counts on its own, in steps of four. */
  next(kind: 0 | 1 | 2 | 3): number {
    return (this.#last[kind]! += 4);
  }

  /** From 2 on. */
  nextDns(): number {
    return ++this.#dns;
  }
}
