import { test as property } from "@fast-check/vitest";
import fc from "fast-check";
import { expect, test } from "vitest";
import { unixSeconds } from "../../../host-mock/envoy/instant.ts";

property.prop([
  fc.date({
    min: new Date("0001-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59Z"),
    noInvalidDate: true,
  }),
])("seconds since 1970 are JavaScript's own", (date) => {
  const text = date.toISOString().slice(0, 19);

  expect(unixSeconds(text)).toBe(Math.floor(Date.parse(`${text}Z`) / 1000));
});

test.each([
  ["2025-02-29T00:00:00"],
  ["2026-13-01T00:00:00"],
  ["2026-01-01T24:00:00"],
  ["2026-1-1T00:00:00"],
  [""],
])("%j is no instant", (text) => {
  expect(unixSeconds(text)).toBeNaN();
});
