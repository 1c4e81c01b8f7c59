import { beforeAll, describe, expect, it } from "vitest";
import { blocksOf, isRecording, writeBlock, type Block } from "./support/page.ts";
import { Project } from "./support/project.ts";

/**
 * Pages that are worked through from top to bottom, each in a project: a block with a title is a file, a `diff` block
 * changes one, a `sh` block is run line by line, and a `text` block right after it is what its last line prints.
 * `# exit code N` behind a line says how it ends; 0 where nothing is said.
 */
const pages: readonly { page: string; project: string; goesOn?: boolean }[] = [
  { page: "docs/start.md", project: "start" },
  { page: "docs/guides/test-failover.md", project: "start", goesOn: true },
  { page: "docs/guides/write-a-plugin.md", project: "write-a-plugin" },
  { page: "docs/guides/move-from-wasm-go.md", project: "move-from-wasm-go" },
  { page: "docs/concepts/shared-data.md", project: "shared-data" },
  { page: "docs/concepts/lease-pause.md", project: "lease-pause" },
];

const isInstall = /^npm install /;

interface Line {
  readonly command: string;
  readonly code: number;
}

function linesOf(block: Block): Line[] {
  return block.text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [command = "", comment = ""] = line.split(/ +# /);
      return { command, code: Number(/^exit code (\d+)/.exec(comment)?.[1] ?? 0) };
    });
}

describe.each(pages)("$page", ({ page, project: name, goesOn }) => {
  const blocks = blocksOf(page);
  let project: Project;
  let grown = 0;
  let output = "";
  let endedAsSaid = false;

  beforeAll(() => {
    project = new Project(name, goesOn);
  });

  it("shows files alone: every block of code has a title", () => {
    const untitled = blocks.filter(
      ({ language, title }) => /^(ts|js|yaml|json|diff)$/.test(language) && title === undefined,
    );

    expect(untitled.map(({ line }) => `${page}:${line}`)).toEqual([]);
  });

  for (const [index, block] of blocks.entries()) {
    const { language, title, line, text } = block;
    if (language === "diff") {
      it(`line ${line}: ${title} is changed`, () => {
        const before = project.read(title!);

        project.change(title!, text);

        expect(project.read(title!)).not.toBe(before);
      });
    } else if (title !== undefined) {
      it(`line ${line}: ${title} is written`, () => {
        project.write(title, text);

        expect(project.read(title)).toBe(text);
      });
    } else if (language === "sh") {
      for (const { command, code } of linesOf(block).filter(
        ({ command }) => !isInstall.test(command),
      )) {
        it(`line ${line}: ${command}`, async () => {
          const done = await project.run(command);
          output = done.output;
          endedAsSaid = done.code === code;

          expect(done.code, done.output).toBe(code);
        });
      }
    } else if (language === "text" && blocks[index - 1]?.language === "sh") {
      it(`line ${line}: prints what is shown`, () => {
        if (isRecording && endedAsSaid) grown += writeBlock(page, line + grown, output);

        expect(isRecording ? output : text).toBe(output);
      });
    }
  }
});
