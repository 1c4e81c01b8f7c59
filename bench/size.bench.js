// Bytes of our plugins beside other SDKs', and what takes the room, function by function.
import binaryen from "assemblyscript/binaryen";
import { compile } from "./measure.js";

const shipped = ["--config", "asconfig.json"];
const plugins = [
  ["hello", "test/guests/hello/plugin.guest.ts", 16],
  ["lease", "test/guests/lease/plugin.guest.ts", 24],
  ["metrics-reporter", "examples/metrics-reporter/assembly/plugin.ts", 40],
];
const known = [
  ["Rust, proxy-wasm 0.2.5: header", 131_866],
  ["Rust, proxy-wasm 0.2.5: lease", 131_902],
  ["Go, wasm-go v1.1.1: lease", 6_097_529],
  ["C++ SDK: header", 68_839],
  ["AssemblyScript, raw imports: header", 4_586],
  ["AssemblyScript, raw imports: lease", 10_578],
];
const row = (name, bytes, note = "") =>
  console.log(`${name.padEnd(40)} ${bytes.toLocaleString("en").padStart(10)}  ${note}`);

console.log("bytes (-O3 --runtime incremental)");
const built = plugins.map(([name, entry, aimKb]) => {
  const bytes = compile(entry, shipped);
  row(
    `ours: ${name}`,
    bytes.length,
    `aim ${aimKb} KB: ${bytes.length <= aimKb * 1024 ? "met" : "missed"}`,
  );
  return [name, entry];
});
for (const [name, bytes] of known) row(name, bytes);

for (const [name, entry] of built) {
  const bytes = compile(entry, [...shipped, "--debug"]);
  const named = binaryen.readBinary(bytes);
  const sizes = [];
  for (let i = 0; i < named.getNumFunctions(); i++) {
    const info = binaryen.getFunctionInfo(named.getFunctionByIndex(i));
    if (info.module === "") sizes.push([info.name, instructions(info.body)]);
  }
  sizes.sort((a, b) => b[1] - a[1]);
  const all = sizes.reduce((sum, [, n]) => sum + n, 0);
  console.log(
    `\n${name}: the largest functions (share of instructions, before inlining is undone)`,
  );
  for (const [fn, n] of sizes.slice(0, 15))
    console.log(`  ${((100 * n) / all).toFixed(1).padStart(5)} %  ${fn}`);
  named.dispose();
}

/** Size of a function as text, a stand-in for its bytes that needs no second encoder. */
function instructions(body) {
  return body === 0 ? 0 : binaryen.emitText(body).length;
}
