import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadScenario } from "../../../host-mock/scenario/load.ts";
import { runScenario } from "../../../host-mock/scenario/run.ts";
import { compile, root } from "../../support/build-guest.ts";
import { simulate } from "./workplace.ts";

const guest = "test/guests/trap-lines/plugin.guest.ts";
const folder = mkdtempSync(join(tmpdir(), "proxy-wasm-as-trap-"));
const scenario = join(folder, "trap.yaml");
let place = "";

beforeAll(async () => {
  const args = ["--runtime", "stub", "--sourceMap", "--use", "abort=", "--debug"];
  const module = join(folder, "lines.wasm");
  const { failed, stderr } = await compile({ entry: guest, config: false, args }, module);
  if (failed) throw new Error(stderr);
  // The compiler wrote the map under the name that the module had then.
  const map = readdirSync(folder).find((name) => name.endsWith(".map"))!;
  renameSync(join(folder, map), `${module}.map`);
  const lines = readFileSync(join(root, guest), "utf8").split("\n");
  place = `${guest}:${lines.findIndex((line) => line.endsWith("// the end")) + 1}:`;
  writeFileSync(
    scenario,
    `name: a trap
duration: 5s
plugins:
  - {name: lines, wasm: lines.wasm}
  - {name: again, wasm: lines.wasm, vm_id: other}
events:
  - {at: 1s, do: request}
`,
  );
});

afterAll(() => rmSync(folder, { recursive: true }));

describe("a trap of a module with a source map beside it", () => {
  test("has its line in the text report", async () => {
    expect((await simulate(scenario)).out).toContain(place);
  });

  test("has its line in the JSON result", async () => {
    expect((await simulate(scenario, "--json")).out).toContain(place);
  });

  test("has its line in a scenario's run", () => {
    const { events } = runScenario(loadScenario(scenario));

    const trap = events.find(({ event }) => event === "trap")!;
    expect(trap.args["source"]).toContain(place);
    expect(trap.args).not.toHaveProperty("source_map");
  });
});
