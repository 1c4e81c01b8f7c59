import { expect, it } from "vitest";
import { abiFunctions, higressFunctions, wasiFunctions } from "../../transform/host-functions.js";
import { hostSignatures } from "../../host-mock/abi/signatures.ts";

/** The mock's names of one module and group that a module of ABI 0.2.1 may import. */
function mockNames(module: "env" | "wasi", group: "proxy-wasm" | "higress"): string[] {
  return hostSignatures
    .filter((one) => one.module === module && one.group === group && one.versions.has("0.2.1"))
    .map((one) => one.name)
    .sort();
}

it("the transform allows the functions of ABI 0.2.1 that the mock offers", () => {
  const names = mockNames("env", "proxy-wasm").filter((name) => name.startsWith("proxy_"));

  expect([...abiFunctions].sort()).toEqual(names);
});

it("the transform allows Higress' own functions to modules built for it", () => {
  expect([...higressFunctions].sort()).toEqual(mockNames("env", "higress"));
});

it("the transform allows the WASI functions that the mock offers", () => {
  expect([...wasiFunctions].sort()).toEqual(mockNames("wasi", "proxy-wasm"));
});
