import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { MockHostError } from "../../errors.ts";

/** In the order in which they stand in the page: each uses those before it. */
export const clientFiles = [
  ...["model", "theme", "view", "marks", "draw", "callbacks", "pick", "search", "overlay", "main"],
];

/** Beside this module in the package; where the sources themselves run, in what the build made of them. */
const folders = ["./client/", "../../../dist/report/html/client/"];

let known: string | undefined;

/** The page's script: the compiled files of `client/`, joined into one that leaves no names behind. */
export function clientScript(): string {
  known ??= `(() => {\n"use strict";\n${clientFiles.map(read).join("")}})();`;
  return known;
}

function read(name: string): string {
  const places = folders.map((folder) =>
    fileURLToPath(new URL(`${folder}${name}.client.js`, import.meta.url)),
  );
  const place = places.find((path) => existsSync(path));
  if (place === undefined) {
    throw new MockHostError("E_INTERNAL", `the report's script ${name}.client.js was not built`, {
      remedy: "run npm run build in the folder of proxy-wasm-as",
    });
  }
  const text = readFileSync(place, "utf8");
  if (/<\/script|<!--/i.test(text))
    throw new MockHostError("E_INTERNAL", `${place} would end its element`);
  return text;
}
