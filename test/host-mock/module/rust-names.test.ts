import { describe, expect, test } from "vitest";
import { readableName } from "../../../host-mock/module/rust-names.ts";

describe("a function's name", () => {
  test.each([
    [
      "_RNvNtCsh9bmPZy40FX_10proxy_wasm9hostcalls18proxy_close_stream",
      "proxy_wasm::hostcalls::proxy_close_stream",
    ],
    [
      "_RNvYNtCs8b4Z7SFzOlb_15rust_add_header4RootNtNtCsh9bmPZy40FX_10proxy_wasm6traits7Context7on_doneB4_",
      "<rust_add_header::Root as proxy_wasm::traits::Context>::on_done",
    ],
    [
      "_RNvMs4_NtCsgapdFDqN4sY_5alloc7raw_vecNtB5_11RawVecInner11finish_growB7_",
      "<alloc::raw_vec::RawVecInner>::finish_grow",
    ],
    [
      "_RINvNtCspDyCHxMKIP_4core3ptr13drop_in_placeINtNtB4_6option6OptionINtNtCsgapdFDqN4sY_5alloc5boxed3BoxDNtNtCsh9bmPZy40FX_10proxy_wasm6traits11HttpContextEL_EEEB1F_",
      "core::ptr::drop_in_place<core::option::Option<alloc::boxed::Box<dyn proxy_wasm::traits::HttpContext>>>",
    ],
    [
      "_RNvMs3_NtCsgapdFDqN4sY_5alloc7raw_vecINtB5_6RawVecTNtNtB7_6string6StringBN_EE8grow_oneCsh9bmPZy40FX_10proxy_wasm",
      "<alloc::raw_vec::RawVec<(alloc::string::String, alloc::string::String)>>::grow_one",
    ],
    ["_RNCNvC7mycrate3foo0", "mycrate::foo::{closure}"],
    ["_RINvC7mycrate4sizeKj20_RhE", "mycrate::size<32, &u8>"],
    ["_ZN4core9panicking5panic17h0123456789abcdefE", "core::panicking::panic"],
    [
      "_ZN60_$LT$plugin..Root$u20$as$u20$proxy_wasm..traits..Context$GT$7on_done17h00112233445566eeE",
      "<plugin::Root as proxy_wasm::traits::Context>::on_done",
    ],
  ])("of Rust: %s", (mangled, readable) => {
    expect(readableName(mangled)).toBe(readable);
  });

  test.each([
    "assembly/plugin/onTick",
    "proxy_on_tick",
    "_start",
    "_ZNE",
    "_R",
    "_RNvC7mycrate",
    "_RNvB9_3foo",
    "_RB_",
    "_ZN4core",
    "_ZN99core",
    "",
  ])("that is no mangled one stays as it is: %s", (name) => {
    expect(readableName(name)).toBe(name);
  });

  test("that nests without end stays as it is", () => {
    const endless = `_R${"I".repeat(5000)}`;

    expect(readableName(endless)).toBe(endless);
  });

  test("keeps a character's number that is none", () => {
    expect(readableName("_ZN9$u110000$E")).toBe("$u110000$");
  });

  test("stays as it is where a few letters stand for an endless name", () => {
    // Each pair holds the one before it twice.
    let pairs = "TllE";
    let at = 8;
    for (let index = 0; index < 25; index++) {
      const before = `B${base62(at)}`;
      at = 8 + pairs.length;
      pairs += `T${before}${before}E`;
    }
    const mangled = `_RINvC1a1b${pairs}E`;

    expect(readableName(mangled)).toBe(mangled);
  });
});

/** A place behind `_R` as a back reference tells it. */
function base62(value: number): string {
  const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  let text = "_";
  let rest = value - 1;
  do {
    text = digits[rest % 62]! + text;
    rest = Math.floor(rest / 62);
  } while (rest > 0);
  return text;
}
