import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Page, Screen } from "./chromium.ts";
import { folder, names } from "./pages.ts";
import { desktop, details, phone, report, showing, shown } from "./showing.ts";

const show = showing();

const screens: readonly [string, Screen][] = [
  ["desktop", desktop],
  ["phone", phone],
  ["dark", { ...desktop, dark: true }],
  ["phone-dark", { ...phone, dark: true }],
];

describe.each(screens)("on a %s screen", (label, screen) => {
  test.each(names)(
    "%s opens from disk, says nothing, asks nothing, and is not wider",
    async (name) => {
      const page = await show(name, screen);
      const [wide, room] = await page.evaluate<[number, number]>(
        "[document.documentElement.scrollWidth, innerWidth]",
      );
      const image = await page.screenshot(label.startsWith("phone"));
      writeFileSync(join(folder, `${name}-${label}.png`), image);

      expect(room).toBe(screen.width);
      expect(wide).toBeLessThanOrEqual(room);
    },
  );
});

describe("drawing", () => {
  test.each(["hour", "failing", "hundred"] as const)(
    "%s stands within half a second",
    async (name) => {
      const times: number[] = [];
      for (let round = 0; round < 5; round++) {
        const page = await show(name);
        times.push(await report<number>(page, "drawnMs"));
      }

      console.log(`${name}: drawn after ${times.map((ms) => `${Math.round(ms)} ms`).join(", ")}`);
      // A busy machine only adds to it, so the shortest is the page's own.
      expect(Math.min(...times)).toBeLessThan(500);
    },
  );

  test("one mark a pixel and row: an hour needs no more of them than it has pixels", async () => {
    const page = await show("hour");
    const width = await page.evaluate<number>("document.getElementById('canvas').clientWidth");

    expect(await report<number>(page, "spots()")).toBeLessThan(14 * width);
  });

  test("puts the colours of terms and of the violation on the canvas", async () => {
    const page = await show("failing");
    const colors = await page.evaluate<string[]>(`(() => {
      const canvas = document.getElementById("canvas");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const found = new Map();
      for (let at = 0; at < data.length; at += 4) {
        const color = [data[at], data[at + 1], data[at + 2]].join();
        found.set(color, (found.get(color) ?? 0) + 1);
      }
      return [...found].filter(([, count]) => count > 300).map(([color]) => color);
    })()`);

    expect(colors).toContain("0,114,178");
    expect(colors).toContain("230,159,0");
    expect(colors).toContain("193,18,31");
  });

  test("follows the screen when it turns", async () => {
    const page = await show("failing", phone);
    const size = { width: 740, height: 360, mobile: true, deviceScaleFactor: 2 };

    await page.send("Emulation.setDeviceMetricsOverride", size);
    await page.drawn();
    await page.drawn();

    const [canvas, room] = await page.evaluate<[number, number]>(
      "[document.getElementById('canvas').clientWidth, document.getElementById('scroller').clientWidth]",
    );
    expect(canvas).toBe(room);
    expect(canvas).toBeGreaterThan(600);
  });
});

describe("the keyboard", () => {
  test("v goes to the violation and tells it", async () => {
    const page = await show("failing");

    await page.press("v");

    const [from, until] = await shown(page);
    expect(until - from).toBeCloseTo(30, 5);
    expect((from + until) / 2).toBeCloseTo(20.467, 2);
    expect(await details(page)).toContain(
      "single_winner of metrics-reporter: main#1 (term 1767225602899)",
    );
    writeFileSync(join(folder, "failing-v.png"), await page.screenshot());
  });

  test("v does nothing where nothing is wrong", async () => {
    const page = await show("hour");

    await page.press("v");

    expect(await shown(page)).toEqual([0, 3600]);
    const isHidden = await page.evaluate<boolean>("document.getElementById('violation').hidden");
    expect(isHidden).toBe(true);
  });

  test("right and left go from event to event", async () => {
    const page = await show("failing");
    const told: (string | null)[] = [];

    for (let step = 0; step < 16; step++) {
      await page.press("ArrowRight");
      told.push(await report(page, "chosen()"));
    }
    await page.press("ArrowLeft");

    expect(told.filter((text) => text?.includes("main#1 leads with term"))).toHaveLength(1);
    expect(told.some((text) => text?.includes("is wiped"))).toBe(true);
    expect(told.some((text) => text?.includes("logs debug"))).toBe(false);
    expect(await report(page, "chosen()")).toBe(told.at(-2));
  });

  test("with Shift calls, logs and sets are events, too", async () => {
    const page = await show("failing");
    const told: (string | null)[] = [];

    for (let step = 0; step < 40; step++) {
      await page.press("ArrowRight", 8);
      told.push(await report(page, "chosen()"));
    }

    for (const word of ["calls collector", "logs debug", "sets higress_wasm_vm_lease"])
      expect(
        told.some((text) => text?.includes(word)),
        word,
      ).toBe(true);
  });

  test("+ and - zoom, 0 shows the whole run, ? the keys, Escape nothing chosen", async () => {
    const page = await show("failing");
    const areKeysHidden = (): Promise<boolean> =>
      page.evaluate("document.getElementById('keys').hidden");

    await page.press("+");
    await page.press("+");
    const near = await shown(page);
    await page.press("-");
    const far = await shown(page);
    await page.press("0");

    expect(near[1] - near[0]).toBeCloseTo(45 / 4, 5);
    expect(far[1] - far[0]).toBeCloseTo(45 / 2, 5);
    expect(await shown(page)).toEqual([0, 45]);
    expect(await areKeysHidden()).toBe(true);
    await page.press("?");
    expect(await areKeysHidden()).toBe(false);
    await page.press("ArrowRight");
    expect(await report(page, "chosen()")).not.toBeNull();
    await page.press("Escape");
    expect(await report(page, "chosen()")).toBeNull();
  });

  test("zoom ends at ten of the run's milliseconds and at the whole run", async () => {
    const page = await show("failing");

    for (let press = 0; press < 40; press++) await page.press("+");
    const [from, until] = await shown(page);
    for (let press = 0; press < 45; press++) await page.press("-");

    expect(until - from).toBeCloseTo(0.01, 6);
    expect(await shown(page)).toEqual([0, 45]);
  });
});

describe("the search", () => {
  const counts = (page: Page): Promise<string> =>
    page.evaluate("document.getElementById('found').value");

  test.each([
    ["a term", "1767225620467"],
    ["a message", "not taken"],
    ["a key", "vm_lease:metrics-reporter"],
    ["a VM and a word", "worker_0 restarts"],
  ])("finds %s", async (_what, words) => {
    const page = await show("failing");

    await page.press("/");
    await page.type(words);

    expect(Number(await counts(page))).toBeGreaterThan(0);
    await page.press("Enter");
    expect((await counts(page)).startsWith("1 of ")).toBe(true);
    const told = (await report<string>(page, "chosen()")).toLowerCase();
    for (const word of words.split(" ")) expect(told).toContain(word);
  });

  test("goes on with Enter, back with Shift, round the end, and says when there is nothing", async () => {
    const page = await show("failing");

    await page.press("/");
    await page.type("not taken");
    const all = Number(await counts(page));
    for (let press = 0; press <= all; press++) await page.press("Enter");
    expect(await counts(page)).toBe(`1 of ${all}`);
    await page.press("Enter", 8);
    expect(await counts(page)).toBe(`${all} of ${all}`);
    await page.type(" zzz");
    expect(await counts(page)).toBe("nothing");
  });

  test("keeps the letters of a word out of the keys' way", async () => {
    const page = await show("failing");

    await page.press("/");
    await page.press("v");
    await page.press("0");

    expect(await shown(page)).toEqual([0, 45]);
    expect(await page.evaluate("document.getElementById('search').value")).toBe("v0");
  });
});

describe("without its script, and on paper", () => {
  test("the still picture and the tables stand there", async () => {
    const page = await show("failing", { ...desktop, script: false });
    const image = await page.screenshot();
    writeFileSync(join(folder, "failing-no-script.png"), image);
    const { root: document } = (await page.send("DOM.getDocument")) as { root: { nodeId: number } };
    const heightOf = async (selector: string): Promise<number> => {
      const { nodeId } = await page.send("DOM.querySelector", {
        nodeId: document.nodeId,
        selector,
      });
      const { model } = (await page.send("DOM.getBoxModel", { nodeId }).catch(() => ({}))) as {
        model?: { height: number };
      };
      return model?.height ?? 0;
    };

    expect(await heightOf("#overview svg")).toBeGreaterThan(100);
    expect(await heightOf("#app")).toBe(0);
  });

  test("paper gets the still picture in light colours, and no buttons", async () => {
    const page = await show("failing", { ...desktop, dark: true });
    await page.send("Emulation.setEmulatedMedia", {
      media: "print",
      features: [{ name: "prefers-color-scheme", value: "dark" }],
    });
    const [app, overview, ground] = await page.evaluate<[string, string, string]>(`[
      getComputedStyle(document.getElementById("app")).display,
      getComputedStyle(document.getElementById("overview")).display,
      getComputedStyle(document.body).backgroundColor,
    ]`);
    const pdf = await page.pdf();
    writeFileSync(join(folder, "failing.pdf"), pdf);

    expect([app, overview, ground]).toEqual(["none", "block", "rgb(255, 255, 255)"]);
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  });
});
