/**
 * Which modules load: one case a module, each in a host of its own. What a module is says its first line. WebAssembly
 * features that Node 20 does not have stand in docs/deviations.md.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { noteLoading } from "../load-module.ts";
import type { ProbeCase, ProbeHost, ProbeSuite } from "../probe.ts";
import { rawModule } from "../../support/raw-guest.ts";

type Listed = readonly [wat: string, shows?: readonly number[]];

const modules: readonly Listed[] = [
  ["abi-0-1-0"],
  ["abi-0-2-0"],
  ["abi-0-2-1"],
  ["abi-0-2-100"],
  ["abi-0-3-0"],
  ["abi-none"],
  ["abi-two-markers"],
  ["abi-marker-global"],
  ["abi-marker-type"],
  ["alloc-both", [35]],
  ["alloc-restricted", [35]],
  ["alloc-type"],
  ["alloc-type-beside-other"],
  ["alloc-none"],
  ["feat-atomics"],
  ["feat-bulk"],
  ["feat-eh-legacy"],
  ["feat-eh-uncaught"],
  ["feat-multivalue"],
  ["feat-mutglobal"],
  ["feat-reftypes"],
  ["feat-satconv"],
  ["feat-signext"],
  ["feat-simd"],
  ["feat-tailcall"],
  ["import-of-older-version", [39]],
  ["import-abort", [39]],
  ["import-type", [39]],
  ["import-global"],
  ["import-higress"],
  ["import-memory"],
  ["import-path-link", [39]],
  ["import-table"],
  ["import-unknown", [39]],
  ["import-unknown-wasi"],
  ["import-wasi-unstable"],
  ["import-missing-before-type"],
  ["import-type-before-missing"],
  ["import-missing-and-no-alloc"],
  ["import-twice"],
  ["export-type", [39]],
  ["export-older-headers"],
  ["export-global"],
  ["export-higress"],
  ["export-dns-type"],
  ["export-foreign-type"],
  ["export-foreign-type-0-1-0"],
  ["export-every-type"],
  ["export-type-and-no-alloc"],
  ["memory-none"],
  ["memory-hidden"],
  ["memory-hidden-and-call"],
  ["memory-two-names"],
  ["memory-1-gib"],
  ["memory-above-1-gib"],
  ["memory-imported-above-1-gib"],
  ["memory-shared"],
  ["memory-grows-to-1-gib"],
  ["memory-grows-above-1-gib"],
  ["data-outside"],
  ["start-order"],
  ["start-main-void"],
  ["start-main-alone"],
  ["start-main-type"],
  ["start-type"],
  ["start-restricted", [36]],
  ["start-trap"],
  ["start-main-trap"],
  ["start-section-log"],
  ["start-section-pure"],
  ["start-section-trap"],
  ["vm-start-out-of-bounds"],
  ["vm-start-stack"],
  ["vm-start-division"],
  ["vm-start-false"],
  ["configure-false"],
];

const folder = join(import.meta.dirname, "../wat");

function ofModule([wat, shows = []]: Listed): ProbeCase {
  const text = readFileSync(join(folder, `${wat}.wat`), "utf8");
  const what = /^;; (.*)$/m.exec(text)?.[1] ?? "";
  return {
    id: wat,
    what,
    shows,
    run: (host: ProbeHost) => noteLoading(host, rawModule(text)),
  };
}

/** Bytes that are no module, made of one that is. */
function ofBytes(id: string, what: string, change: (good: Uint8Array) => Uint8Array): ProbeCase {
  const run = (host: ProbeHost): Promise<void> => {
    const good = rawModule(readFileSync(join(folder, "abi-0-2-1.wat"), "utf8"));
    return noteLoading(host, change(good));
  };
  return { id, what, run };
}

/** The first code's `i32.const 1024` becomes an addition without operands. */
function invalidCode(good: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(good);
  const at = bytes.findLastIndex((byte, index) => byte === 0x41 && bytes[index + 1] === 0x80);
  bytes.set([0x6a, 0x01, 0x01], at);
  return bytes;
}

export const suite: ProbeSuite = {
  name: "loading",
  what: "Markers, imports, exports, allocators, memories, start functions and WebAssembly features, a module each.",
  plugins: [{ name: "bystander" }],
  cases: [
    ...modules.map(ofModule),
    ofBytes("bytes-cut", "A module without its last bytes.", (good) => good.slice(0, -3)),
    ofBytes("bytes-header", "The head of a module and nothing else.", (good) => good.slice(0, 8)),
    ofBytes("bytes-text", "Text instead of a module.", () => Buffer.from("(module)")),
    ofBytes("bytes-invalid", "Code that is not valid.", invalidCode),
  ],
};
