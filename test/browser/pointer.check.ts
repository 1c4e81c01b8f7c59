import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Page } from "./chromium.ts";
import { folder } from "./pages.ts";
import { details, phone, report, showing, shown } from "./showing.ts";

const show = showing();

/** The middle of a row on the page, and a way along its time. */
async function place(page: Page, label: string, share: number): Promise<[number, number]> {
  const words = JSON.stringify(label);
  return page.evaluate<[number, number]>(`(() => {
    const box = document.getElementById("canvas").getBoundingClientRect();
    const { y, height, left, width } = window.proxyWasmAsReport.row(${words});
    return [box.left + left + width * ${share}, box.top + y + height / 2];
  })()`);
}

describe("mouse and touch", () => {
  test("pointing at a leadership tells it, a click keeps it", async () => {
    const page = await show("failing");
    const [x, y] = await place(page, "leader", 0.7);

    await page.mouse("mouseMoved", x, y);
    await page.drawn();
    const tip = await page.evaluate<string>("document.getElementById('tip').textContent");
    await page.mouse("mousePressed", x, y, { button: "left", clickCount: 1 });
    await page.mouse("mouseReleased", x, y, { button: "left", clickCount: 1 });
    await page.drawn();

    expect(tip).toContain("worker_0#2 leads with term 1767225620467 (T2)");
    expect(await details(page)).toContain("20.467 s – 45 s (24.533 s): worker_0#2 leads");
  });

  test("nearer, a click on a tick lists its host calls", async () => {
    const page = await show("failing");
    await page.press("v");
    for (let press = 0; press < 4; press++) await page.press("+");
    const ticks = await report<{ x: number; y: number; width: number }[]>(
      page,
      "ticks('worker_0')",
    );
    const { x, y } = ticks.reduce((best, next) => (next.width > best.width ? next : best));
    const [left, top] = await page.evaluate<[number, number]>(
      "(({ left, top }) => [left, top])(document.getElementById('canvas').getBoundingClientRect())",
    );

    await page.mouse("mousePressed", left + x, top + y, { button: "left", clickCount: 1 });
    await page.mouse("mouseReleased", left + x, top + y, { button: "left", clickCount: 1 });
    await page.drawn();

    expect(await details(page)).toMatch(/worker_0: proxy_on_\w+, \d+ host calls/);
    expect(await details(page)).toContain(
      "proxy_get_shared_data higress_wasm_vm_lease:metrics-reporter",
    );
    writeFileSync(join(folder, "failing-near.png"), await page.screenshot());
  });

  test("dragging moves, the wheel zooms about the pointer", async () => {
    const page = await show("failing");
    await page.press("+");
    const before = await shown(page);
    const [x, y] = await place(page, "worker_1", 0.5);

    await page.mouse("mousePressed", x, y, { button: "left", clickCount: 1 });
    await page.mouse("mouseMoved", x + 100, y, { button: "left", buttons: 1 });
    await page.mouse("mouseReleased", x + 100, y, { button: "left", clickCount: 1 });
    await page.drawn();
    const dragged = await shown(page);
    await page.mouse("mouseWheel", x, y, { deltaX: 0, deltaY: -300 });
    await page.drawn();
    await page.drawn();
    const zoomed = await shown(page);

    expect(dragged[0]).toBeLessThan(before[0]);
    expect(dragged[1] - dragged[0]).toBeCloseTo(before[1] - before[0], 5);
    expect(zoomed[1] - zoomed[0]).toBeLessThan((dragged[1] - dragged[0]) * 0.7);
  });

  test("on a phone two fingers zoom, one moves, a tap chooses", async () => {
    const page = await show("failing", phone);
    await page.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
    await page.evaluate("document.getElementById('stage').scrollIntoView()");
    const [x, y] = await place(page, "leader", 0.5);

    await page.touch("touchStart", [
      [x - 30, y],
      [x + 30, y],
    ]);
    await page.touch("touchMove", [
      [x - 60, y],
      [x + 60, y],
    ]);
    await page.touch("touchMove", [
      [x - 90, y],
      [x + 90, y],
    ]);
    await page.touch("touchEnd", []);
    await page.drawn();
    const pinched = await shown(page);
    await page.touch("touchStart", [[x, y]]);
    await page.touch("touchMove", [[x + 20, y]]);
    await page.touch("touchMove", [[x + 60, y]]);
    await page.touch("touchEnd", []);
    await page.drawn();
    const moved = await shown(page);
    const [tapX, tapY] = await place(page, "leader", 0.9);
    await page.touch("touchStart", [[tapX, tapY]]);
    await page.touch("touchEnd", []);
    await page.drawn();

    expect(pinched[1] - pinched[0]).toBeLessThan(45 / 2);
    expect(moved[0]).toBeLessThan(pinched[0]);
    expect(await details(page)).toContain("leads with term");
  });
});
