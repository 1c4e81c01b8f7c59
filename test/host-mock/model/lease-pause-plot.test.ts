import { describe, expect, it } from "vitest";
import { leasePausePlot, modelLeasePause } from "../../../host-mock/model/index.ts";

const numbers = (text: string): number[] => (text.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
const attribute = (tag: string, name: string): number =>
  Number(new RegExp(` ${name}="(-?[\\d.]+)"`).exec(tag)?.[1]);
const tags = (svg: string, pattern: RegExp): string[] => svg.match(pattern) ?? [];

const model = modelLeasePause();
const svg = leasePausePlot(model);

describe("the picture of the model", () => {
  it("is the same text each time", () => {
    expect(leasePausePlot(modelLeasePause())).toBe(svg);
  });

  it("needs nothing but itself", () => {
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" /);
    expect(svg).not.toMatch(/<script|href|url\(|@import|NaN|undefined|Infinity/);
  });

  it("closes what it opens", () => {
    const open: string[] = [];
    for (const [, end, name = "", alone] of svg.matchAll(/<(\/)?([a-z]+)[^>]*?(\/)?>/g)) {
      if (end !== undefined) expect(open.pop()).toBe(name);
      else if (alone === undefined) open.push(name);
    }

    expect(open).toEqual([]);
  });

  it("says in words what it shows", () => {
    expect(svg).toContain("200,000 trials a lease, generator go, seed 42");
    expect(svg).toMatch(/<desc>.*Lease of 3 s: elections 0\.94 %, split 97\.81 %\./);
  });

  it("puts each point where its numbers are on the axes", () => {
    const ticks = tags(svg, /<text class="tick" [^>]*text-anchor="end">[\d.]+ %/g).map((tag) => ({
      y: attribute(tag, "y"),
      share: Number(/>([\d.]+) %/.exec(tag)?.[1]),
    }));
    const dots = tags(svg, /<circle class="dot"[^>]*>/g).map((tag) => attribute(tag, "cy"));

    // The first panel's ticks come first, and its dots, one for each lease.
    const [one, other] = ticks;
    const shareAt = (y: number): number =>
      one!.share + ((y - one!.y) / (other!.y - one!.y)) * (other!.share - one!.share);
    for (const [index, row] of model.rows.entries())
      expect(shareAt(dots[index]!)).toBeCloseTo(100 * row.elections.rate!, 2);
  });

  it("draws the published table over what was counted from it", () => {
    const dots = tags(svg, /<circle class="dot"[^>]*>/g).slice(0, 6);
    const diamonds = tags(svg, /<path class="diamond"[^>]*>/g).slice(0, 6);

    const places = dots.map((tag) => [attribute(tag, "cx"), attribute(tag, "cy")]);
    const centres = diamonds.map((tag) => {
      const [x = NaN, top = NaN] = numbers(tag);
      return [x, top + 8];
    });
    for (const [index, [x, y]] of places.entries()) {
      expect(centres[index]?.[0]).toBeCloseTo(x!, 1);
      expect(Math.abs(centres[index]![1]! - y!)).toBeLessThan(2);
    }
  });

  it("has a bar a lease and fence, as long as the share of stale writes it takes", () => {
    const bars = tags(svg, /<rect class="(none|lazy|eager)"[^>]*>/g);
    const full = 100;

    expect(bars).toHaveLength(9);
    for (const [index, { fencing, elections }] of model.rows.entries()) {
      for (const [place, policy] of (["none", "lazy", "eager"] as const).entries()) {
        const share = fencing[policy].accepted / elections.count;
        expect(attribute(bars[3 * index + place]!, "width")).toBeCloseTo(full * share, 1);
      }
    }
  });

  it("grows with the number of leases, and says nothing where nobody was elected", () => {
    const many = modelLeasePause({ trials: 20, ttlsMs: [1e3, 2e3, 3e3, 5e3, 7e3, 15e3, 29e3] });

    const picture = leasePausePlot(many);

    expect(picture).not.toMatch(/NaN|undefined|Infinity/);
    expect(attribute(picture, "height")).toBeGreaterThan(attribute(svg, "height"));
    expect(picture).toContain(">–</text>");
  });
});
