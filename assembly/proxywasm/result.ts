import { Status } from "../abi/enums";
import { Headers } from "../memory/headers";
import * as utf8 from "../memory/utf8";

/** A byte string of the host, or why there is none. Empty and missing differ in `status`. */
export class BytesResult {
  constructor(
    public readonly status: Status,
    public readonly value: Uint8Array,
  ) {}

  /** The value as text; null when the call failed or the bytes are not valid UTF-8. */
  Text(): string | null {
    return this.status == Status.Ok ? utf8.decode(this.value) : null;
  }
}

/**
 * The first value of a header: `Status.NotFound` when it is absent, an empty value when it is
 * empty.
 */
export class HeaderResult extends BytesResult {
  constructor(status: Status, value: Uint8Array) {
    super(status, value);
  }
}

/** All headers of a map, in order. The list is empty unless `status` is Ok. */
export class HeadersResult {
  constructor(
    public readonly status: Status,
    public readonly headers: Headers,
  ) {}
}

/** A token for a call on its way, a queue or the like; 0 unless `status` is Ok. */
export class TokenResult {
  constructor(
    public readonly status: Status,
    public readonly token: u32,
  ) {}
}
