import { expect, it } from "vitest";
import { Status } from "../../../host-mock/abi/status.ts";
import { utf8 } from "../../../host-mock/state/bytes.ts";
import { FilterState, undeclared } from "../../../host-mock/state/filter-state.ts";

it("a plugin's value is replaced by the next one", () => {
  const state = new FilterState();

  const statuses = ["one", "two"].map((text) => state.set("wasm.a", utf8(text), undeclared));

  expect(statuses).toEqual([Status.Ok, Status.Ok]);
  expect(state.get("wasm.a")).toEqual({ kind: "plugin", type: "bytes", bytes: utf8("two") });
});

it("a read-only name takes one value", () => {
  const state = new FilterState();
  const once = { ...undeclared, isReadOnly: true };

  expect(state.set("wasm.a", utf8("one"), once)).toBe(Status.Ok);
  expect(state.set("wasm.a", utf8("two"), undeclared)).toBe(Status.BadArgument);
  expect(state.get("wasm.a")).toMatchObject({ bytes: utf8("one") });
});

it("the first value decides the type", () => {
  const state = new FilterState();
  state.set("wasm.a", utf8("one"), { ...undeclared, type: "string" });
  state.set("wasm.a", utf8("two"), undeclared);

  expect(state.get("wasm.a")).toMatchObject({ type: "string", bytes: utf8("two") });
});

it("an object of Envoy keeps the life span of its first value", () => {
  const state = new FilterState();

  state.put("k", { kind: "text", text: "one" }, "request");
  state.put("k", { kind: "text", text: "two" }, "request");
  state.put("k", { kind: "text", text: "three" }, "connection");

  expect(state.get("k")).toEqual({ kind: "text", text: "two" });
});

it("names that nobody set are not there", () => {
  expect(new FilterState().get("wasm.a")).toBeUndefined();
});
