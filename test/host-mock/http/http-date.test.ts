import { expect, test } from "vitest";
import { httpDate } from "../../../host-mock/http/http-date.ts";

test("an instant is written as Date writes it, leap days and turns of the year included", () => {
  const instants = [0, 951_782_400, 951_868_800, 1_704_067_199, 1_767_225_600, 4_102_444_800];
  for (let seconds = 0; seconds < 5e9; seconds += 86_400 * 97 + 3_607) instants.push(seconds);

  for (const seconds of instants) {
    const written = httpDate(BigInt(seconds) * 1_000_000_000n + 999_999_999n);

    expect(written).toBe(new Date(seconds * 1000).toUTCString());
  }
});
