/** docs/compatibility.md, made of what the checks found. */
import { readFileSync } from "node:fs";
import { inspectModule } from "../../host-mock/module/inspect.ts";
import { foreignModule, isBuilt, type ForeignName } from "./build.ts";
import type { ModuleCheck } from "./checks/check.ts";
import { profileOf } from "./host.ts";

export interface Outcome {
  readonly check: ModuleCheck;
  readonly hasPassed: boolean;
}

/** Exact for what is fetched; what this run's compilers have made differs with them, and is told with two digits. */
function sizeText(module: ForeignName, bytes: number): string {
  if (!isBuilt(module)) return bytes.toLocaleString("en");
  const digits = 10 ** (String(bytes).length - 2);
  return `about ${(Math.round(bytes / digits) * digits).toLocaleString("en")}`;
}

function row({ check, hasPassed }: Outcome): string {
  const { abi, bytes, language } = inspectModule(readFileSync(foreignModule(check.module)));
  const result = !hasPassed
    ? "**failed**"
    : check.unsupported === undefined
      ? "runs"
      : `not supported: ${check.unsupported}`;
  const cells = [
    `\`${check.module}\``,
    language,
    abi.join(", "),
    sizeText(check.module, bytes),
    profileOf(check.module),
    check.checked,
    result,
  ];
  return `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}

export function compatibilityPage(outcomes: readonly Outcome[]): string {
  const runs = outcomes.filter(
    ({ check, hasPassed }) => hasPassed && check.unsupported === undefined,
  );
  return `# Modules of other SDKs

\`make foreign\` writes this page: it builds or fetches each module, gives it a realistic configuration and sends requests
that it must change, refuse or count. ${String(runs.length)} of ${String(outcomes.length)} modules run. A run whose outcome differs from this page fails.

The \`go_\` and \`rust_\` modules are of this repository (\`test/foreign/\`); \`mosn_cpp_abi010\` comes from the Go module mosn.io/proxy-wasm-go-host v0.2.0,
the others from the Python package gpustack-higress-plugins 0.5.1, as published. The profile \`higress\` was not compared with a running gateway.

| module | language | ABI | bytes | profile | checked | result |
| --- | --- | --- | --- | --- | --- | --- |
${outcomes.map(row).join("\n")}
`;
}
