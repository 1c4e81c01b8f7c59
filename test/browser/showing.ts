import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { Chromium, type Page, type Screen } from "./chromium.ts";
import { pathOf, writePages, type PageName } from "./pages.ts";

export const desktop: Screen = { width: 1280, height: 900 };
export const phone: Screen = { width: 360, height: 740, mobile: true, scale: 2 };

/**
 * A browser for one file of tests. Each page it shows must have said nothing on the console and asked for nothing when its
 * test is over.
 */
export function showing(): (name: PageName, screen?: Screen) => Promise<Page> {
  let browser: Chromium;
  const open: Page[] = [];
  beforeAll(() => {
    writePages();
    browser = new Chromium();
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    for (const page of open.splice(0)) {
      expect(page.complaints).toEqual([]);
      expect(page.requests).toEqual([]);
      await page.close();
    }
  });
  return async (name, screen = desktop) => {
    const page = await browser.open(pathOf(name), screen);
    open.push(page);
    return page;
  };
}

/** What the page's script says of itself. */
export function report<T>(page: Page, call: string): Promise<T> {
  return page.evaluate<T>(`window.proxyWasmAsReport.${call}`);
}

export function details(page: Page): Promise<string> {
  return page.evaluate<string>("document.getElementById('details').textContent");
}

/** The seconds that are shown, from and to. */
export async function shown(page: Page): Promise<readonly [number, number]> {
  const [from, until] = await report<[number, number]>(page, "shown()");
  return [from / 1e9, until / 1e9];
}
