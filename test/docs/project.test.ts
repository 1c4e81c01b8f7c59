import { expect, it } from "vitest";
import { Project } from "./support/project.ts";

it("a second entry beside the configured one is refused: asc would make one module of both", async () => {
  const project = new Project("second-entry");
  const options = {
    extends: "proxy-wasm-as/asconfig.json",
    entries: ["assembly/one.ts"],
    options: { outFile: "build/one.wasm" },
  };
  project.write("asconfig.json", JSON.stringify(options));

  await expect(project.run("npx asc assembly/two.ts --outFile build/two.wasm")).rejects.toThrow(
    "assembly/two.ts beside the entry of asconfig.json",
  );
});
