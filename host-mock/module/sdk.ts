/** The library that a plugin was written with: best effort, from paths and names that compilers leave behind. */
import { Buffer } from "node:buffer";

interface Trace {
  readonly sdk: string;
  /** Text that only modules made with it contain. */
  readonly text: string;
  /** Bytes behind the text that are a version; up to the first that is none. */
  readonly hasVersion?: boolean;
}

/** The outer library first: wasm-go stands on proxy-wasm-go-sdk. */
const traces: readonly Trace[] = [
  { sdk: "proxy-wasm-as", text: "~lib/proxy-wasm-as/" },
  { sdk: "@solo-io/proxy-runtime", text: "@solo-io/proxy-runtime/" },
  { sdk: "wasm-go", text: "github.com/higress-group/wasm-go/" },
  { sdk: "wasm-go", text: "github.com/alibaba/higress/plugins/wasm-go/" },
  { sdk: "proxy-wasm-go-sdk (Higress)", text: "github.com/higress-group/proxy-wasm-go-sdk/" },
  { sdk: "proxy-wasm-go-sdk", text: "github.com/proxy-wasm/proxy-wasm-go-sdk/" },
  { sdk: "proxy-wasm-go-sdk (Tetrate)", text: "github.com/tetratelabs/proxy-wasm-go-sdk/" },
  { sdk: "proxy-wasm-go-host", text: "mosn.io/proxy-wasm-go-host/" },
  { sdk: "proxy-wasm-rust-sdk", text: "/proxy-wasm-", hasVersion: true },
  { sdk: "proxy-wasm-rust-sdk", text: "proxy_wasm::" },
  { sdk: "proxy-wasm-cpp-sdk", text: "proxy_wasm_intrinsics" },
  { sdk: "proxy-wasm-cpp-sdk", text: "11RootContext" },
];

/** `proxy-wasm-rust-sdk 0.2.5`; null when nothing tells. */
export function sdkOf(bytes: Uint8Array): string | null {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const { sdk, text, hasVersion = false } of traces) {
    const found = hasVersion ? versionBehind(whole, text) : whole.includes(text) ? "" : null;
    if (found !== null) return `${sdk}${found}`;
    if (whole.includes(Buffer.from(text, "utf16le"))) return sdk;
  }
  return null;
}

/** ` 0.2.5` where the text is followed by a version and a slash. */
function versionBehind(whole: Buffer, text: string): string | null {
  for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + 1)) {
    const start = at + text.length;
    const version = /^(\d+\.\d+\.\d+[0-9A-Za-z.-]*)\//.exec(
      whole.toString("latin1", start, start + 40),
    )?.[1];
    if (version !== undefined) return ` ${version}`;
  }
  return null;
}
