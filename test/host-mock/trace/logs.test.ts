import { expect, it } from "vitest";
import type { TraceEvent } from "../../../host-mock/trace/event.ts";
import { logLines } from "../../../host-mock/trace/logs.ts";

function logged(message: string | Uint8Array): TraceEvent {
  const subject = { thread: "main", vm: "main#1", plugin: "p", context: 1 };
  const when = { n: 1, atNs: 0, monoNs: 0n };
  return {
    ...when,
    ...subject,
    event: "log",
    name: "info",
    args: { message },
    status: null,
    result: null,
  };
}

it("a line is text where it is UTF-8, and bytes where it is not", () => {
  const noText = Uint8Array.of(0xff, 0x41);

  const lines = logLines([
    logged(new TextEncoder().encode("grüße")),
    logged("text"),
    logged(noText),
  ]);

  expect(lines.map(({ message }) => message)).toEqual(["grüße", "text", noText]);
});
