import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { clientFiles, clientScript } from "../../../../host-mock/report/html/client-script.ts";
import { root } from "../../../support/build-guest.ts";

const sources = join(root, "host-mock/report/html/client");
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleDetection: ts.ModuleDetectionKind.Legacy,
  strict: true,
};

const bare = (text: string): string => text.replace(/^"use strict";\n/, "").trimEnd();

describe("the page's script", () => {
  test("has every file of its folder", () => {
    const files = readdirSync(sources).filter((name) => name.endsWith(".client.ts"));

    expect(clientFiles.map((name) => `${name}.client.ts`).sort()).toEqual(files.sort());
  });

  test("is what the build made of the sources as they are; else: make build", () => {
    const script = clientScript();

    for (const name of clientFiles) {
      const source = readFileSync(join(sources, `${name}.client.ts`), "utf8");
      const compiled = bare(ts.transpileModule(source, { compilerOptions: options }).outputText);
      expect(script.includes(compiled), `${name}.client.ts was changed after the build`).toBe(true);
    }
  });

  test("reaches for nothing outside the page", () => {
    expect(clientScript()).not.toMatch(
      /https?:|fetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|\bimport\b|\bexport\b|eval\(|innerHTML|localStorage/,
    );
  });
});
