import { escape } from "./escape.ts";
import type { Item } from "./items.ts";

/** A small picture and its meaning, for each kind that a legend explains. */
const signs: readonly (readonly [Item["kind"], string, string])[] = [
  [
    "lead",
    '<rect class="tone0" x="1" y="3" width="11" height="10"/><rect class="tone1" x="13" y="3" width="12" height="10"/><rect fill="url(#hatch1)" x="13" y="3" width="12" height="10"/>',
    "leads: a colour and hatch for each term (T1, T2, …)",
  ],
  ["life", '<rect class="life" x="1" y="6" width="24" height="4"/>', "alive"],
  ["gap", '<path class="gap" d="M1 8h24"/>', "nobody leads"],
  ["double", '<rect class="double" x="1" y="6" width="24" height="5"/>', "two lead"],
  ["pause", '<rect class="pause" x="2" y="2" width="22" height="12"/>', "paused"],
  ["band", '<rect class="band" x="2" y="2" width="22" height="12"/>', "a fault that lasts"],
  ["call", '<circle class="call" cx="13" cy="8" r="3"/>', "call; a line leads to its arrival"],
  [
    "refused",
    '<path class="refused" d="M9 8a4 4 0 1 0 8 0a4 4 0 1 0 -8 0M10 11l6 -6"/>',
    "refused by the fence",
  ],
  ["crash", '<path class="crash" d="M9 4l8 8m0 -8l-8 8"/>', "crash"],
  ["restart", '<path class="restart" d="M9 12h8l-4 -8z"/>', "fresh VM"],
  ["trap", '<path class="trap" d="M8 4h10l-5 9z"/>', "trap"],
  ["fault", '<path class="fault" d="M13 3l5 5l-5 5l-5 -5z"/>', "another fault"],
  ["warning", '<path class="warning" d="M10 11h6l-3 -6z"/>', "warning or error in the log"],
  ["violation", '<path class="violation" d="M13 1V15"/>', "violation"],
  ["expected", '<path class="expected" d="M13 1V15"/>', "violation, as expected"],
];

/** What the script alone draws, near enough. */
const callbackSigns: readonly string[] = [
  '<li class="screen"><svg viewBox="0 0 26 16" aria-hidden="true"><path class="tickSign" d="M6.5 5v7M13.5 5v7M20.5 5v7"/></svg>ticks and other callbacks</li>',
  '<li class="screen"><svg viewBox="0 0 26 16" aria-hidden="true"><rect class="readSign" x="1.5" y="5.5" width="5" height="5"/><rect class="writeSign" x="9" y="5" width="6" height="6"/><circle class="writeSign" cx="21" cy="8" r="3"/></svg>host calls, nearer: a read and a write of shared data, a call out; red: refused</li>',
];

/** The same in a picture of its own, below it: markup of so wide lines, and how high they are. */
export function drawnLegend(
  items: readonly Item[],
  { top, width }: { readonly top: number; readonly width: number },
): { readonly markup: string; readonly height: number } {
  let x = 4;
  let y = top;
  const parts = entriesOf(items).map(([, sign, meaning]) => {
    const wide = 30 + meaning.length * 6.4 + 16;
    if (x + wide > width) {
      x = 4;
      y += legendLineHeight;
    }
    const part = `<g transform="translate(${Math.round(x)} ${y})">${sign}<text class="dim" x="31" y="12">${escape(meaning)}</text></g>`;
    x += wide;
    return part;
  });
  return { markup: parts.join(""), height: y - top + legendLineHeight };
}

const legendLineHeight = 20;

function entriesOf(items: readonly Item[]): readonly (typeof signs)[number][] {
  const used = new Set(items.map(({ kind }) => kind));
  return signs.filter(([kind]) => used.has(kind));
}

/** What the pictures' marks mean: those that occur. */
export function legend(
  items: readonly Item[],
  { hasCallbacks }: { readonly hasCallbacks: boolean },
): string {
  const entries = entriesOf(items).map(
    ([, sign, meaning]) =>
      `<li><svg viewBox="0 0 26 16" aria-hidden="true">${sign}</svg>${escape(meaning)}</li>`,
  );
  if (hasCallbacks) entries.push(...callbackSigns);
  return `<ul class="legend">${entries.join("")}</ul>`;
}
