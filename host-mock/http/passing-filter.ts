import type { StreamFilter } from "./stream-filter.ts";

/** A filter that lets everything pass and says nothing; what stands in a plugin's place does one thing more. */
export class PassingFilter implements StreamFilter {
  onRequestHeaders(): number {
    return 0;
  }

  onRequestBody(): number {
    return 0;
  }

  onRequestTrailers(): number {
    return 0;
  }

  onResponseHeaders(): number {
    return 0;
  }

  onResponseBody(): number {
    return 0;
  }

  onResponseTrailers(): number {
    return 0;
  }

  onLog(): void {
    // No plugin has a context in this stream.
  }

  onDestroy(): void {
    // As above.
  }
}
