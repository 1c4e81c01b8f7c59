import { beforeAll, describe, expect, it } from "vitest";
import { MockEnvoy } from "../../host-mock/index.ts";
import "../../host-mock/testing/index.ts";
import { exportNames } from "../support/module-face.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/build-guest.ts";
import { blocksOf, fileIn, readPage } from "./support/page.ts";
import { Project } from "./support/project.ts";

const page = "README.md";
const targets = ["envoy", "higress"] as const;
const markers = { envoy: "proxy_abi_version_0_2_1", higress: "proxy_abi_version_0_2_100" };

let project: Project;

beforeAll(async () => {
  project = new Project("readme");
  for (const { title, text } of blocksOf(page)) if (title !== undefined) project.write(title, text);
  await project.run("npx asc");
  await project.run("npx asc --target higress --outFile build/higress.wasm");
});

function wasmFor(target: (typeof targets)[number]): string {
  return project.path(target === "envoy" ? "build/heartbeat.wasm" : "build/higress.wasm");
}

function start(target: (typeof targets)[number]): MockEnvoy {
  const configuration = { collector: "collector" };
  return new MockEnvoy({
    concurrency: 2,
    profile: target,
    plugins: [{ name: "heartbeat", wasm: wasmFor(target), configuration }],
    clusters: { collector: { status: 204, delay: "5ms" } },
  });
}

/** Virtual machines that have sent a report so far. */
function reporters(envoy: MockEnvoy): string[] {
  return [...new Set(envoy.calls.map(({ vm }) => vm))];
}

it("every block of code has a title, so that a test can run it", () => {
  const untitled = blocksOf(page).filter(
    ({ language, title }) => /^(ts|js|yaml|json)$/.test(language) && title === undefined,
  );

  expect(untitled).toEqual([]);
});

describe.each(targets)("the plugin, built for %s exactly as it is written", (target) => {
  it("has that host's marker", () => {
    const names = exportNames(new Uint8Array(readFileSync(wasmFor(target))));

    expect(names.filter((name) => name.startsWith("proxy_abi_version"))).toEqual([markers[target]]);
  });

  it("reports on one VM alone, the leader's, with its term", () => {
    const envoy = start(target);

    envoy.advance("60s");

    const leader = envoy.election("heartbeat").leader!;
    expect(reporters(envoy)).toEqual([leader.vm]);
    expect(envoy).toHaveCalled("collector", { atLeast: 17, atMost: 20 });
    expect(envoy).toHaveNoStaleEffect({ cluster: "collector", header: "x-leader-term" });
    expect(envoy).toHaveLogged(`^term ${leader.term}: 204$`, { atLeast: 16 });
  });

  it("reports on another VM when the leader dies", () => {
    const envoy = start(target);
    envoy.advance("20s");
    const first = envoy.election("heartbeat").leader!;

    envoy.thread(first.thread).crash();
    envoy.advance("21s");

    const second = envoy.election("heartbeat").leader!;
    expect(second.vm).not.toBe(first.vm);
    expect(reporters(envoy)).toEqual([first.vm, second.vm]);
    expect(envoy).toHaveSingleWinner();
    expect(envoy).toHaveLeaderWithin("18s");
  });

  it("refuses to start without a collector, and says so", () => {
    const envoy = new MockEnvoy({
      profile: target,
      plugins: [{ name: "heartbeat", wasm: wasmFor(target), configuration: {} }],
    });

    expect(() => envoy.advance("1s")).toThrow("collector is missing");
  });
});

describe("the tests it shows", () => {
  it("the scenario ends with every verdict as expected", async () => {
    const line = "npx proxy-wasm-as simulate heartbeat.yaml";
    expect(readPage(page)).toContain(`\`${line}\``);

    const { code, output } = await project.run(line);

    expect(code, output).toBe(0);
    expect(output).toMatch(/all \d+ verdicts are as expected/);
  });

  it("the vitest test passes", async () => {
    const { code, output } = await project.run("npx vitest run heartbeat.test.ts");

    expect(code, output).toBe(0);
    expect(output).toMatch(/Tests +1 passed/);
  });
});

describe("the project it shows", () => {
  const install = (of: string): string | undefined => /^npm install .*$/m.exec(readPage(of))?.[0];

  it("has the asconfig.json of the start page, too", () => {
    expect(fileIn(page, "asconfig.json")).toBe(fileIn("docs/start.md", "asconfig.json"));
  });

  it("is installed from what npm pack makes, with the compiler it is tested with", () => {
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      version: string;
      devDependencies: { assemblyscript: string };
    };
    const { version, devDependencies } = manifest;

    expect(install(page)).toBe(
      `npm install ../proxy-wasm-as/proxy-wasm-as-${version}.tgz assemblyscript@${devDependencies.assemblyscript}`,
    );
    expect(install("docs/start.md")).toBe(install(page));
  });
});
