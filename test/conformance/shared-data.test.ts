import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { mockTranscript } from "./mock-transcript.ts";

it("the guest shared-data-probe finds in the mock what it was recorded to find in a real Envoy", async () => {
  const recorded = readFileSync(join(import.meta.dirname, "shared-data.transcript.txt"), "utf8");

  const answered = await mockTranscript();

  expect(answered).toEqual(recorded.trimEnd().split("\n"));
});
