/**
 * Colours of all reports: those of leaders are told apart by people who see no red or no green, differ in brightness
 * too, and each has a hatch of its own; red means wrong and nothing else. Paper gets the light ones.
 */
const light = {
  bg: "#ffffff",
  fg: "#1b1f24",
  dim: "#57606a",
  line: "#d0d7de",
  lane: "#eef1f4",
  bad: "#c1121f",
  warn: "#9a5b00",
  good: "#1a7f37",
  link: "#0969da",
  tone0: "#0072b2",
  tone1: "#e69f00",
  tone2: "#009e73",
  tone3: "#cc79a7",
  tone4: "#56b4e9",
  tone5: "#b8a800",
  hatch: "#00000059",
  ink: "#101418",
  ink0: "#ffffff",
} as const;

const dark: typeof light | Record<keyof typeof light, string> = {
  bg: "#0f1419",
  fg: "#e6edf3",
  dim: "#9aa5b1",
  line: "#3a434d",
  lane: "#1c232b",
  bad: "#ff6b6b",
  warn: "#e3a94a",
  good: "#56d364",
  link: "#6cb6ff",
  tone0: "#3d9bd6",
  tone1: "#e69f00",
  tone2: "#1fb58a",
  tone3: "#d98cb8",
  tone4: "#7cc7f0",
  tone5: "#d6c832",
  hatch: "#00000066",
  ink: "#0b0f14",
  ink0: "#0b0f14",
};

/** How many colours leaders have; hatches come round after `hatchCount`, so twelve terms differ. */
export const toneCount = 6;
export const hatchCount = 4;

function variables(colors: Readonly<Record<string, string>>): string {
  return Object.entries(colors)
    .map(([name, value]) => `--${name}:${value}`)
    .join(";");
}

/** The colours as variables of an element. */
export function themeCss(selector: string): string {
  return (
    `${selector}{${variables(light)}}\n` +
    `@media screen and (prefers-color-scheme:dark){${selector}{${variables(dark)}}}\n`
  );
}

const tones = Array.from(
  { length: toneCount },
  (_, tone) => `.tone${tone}{fill:var(--tone${tone})}`,
).join("");

/** How the marks of the static pictures look. */
export const drawingCss = `svg{font:12px system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
svg text{fill:var(--fg)}svg .dim{fill:var(--dim)}svg .strong{font-weight:600}
svg .on{font-size:11px;font-weight:600;fill:var(--ink)}svg .on0{fill:var(--ink0)}
${tones}.toneNone{fill:var(--line)}
.lane{fill:var(--lane)}.life{fill:var(--line)}.grid{stroke:var(--line);stroke-width:1;fill:none}
.gap{stroke:var(--warn);stroke-width:1.5;stroke-dasharray:3 3;fill:none}svg text.gapText{fill:var(--warn);font-size:11px}
.pause{fill:url(#pausing);stroke:var(--warn)}.band{fill:url(#banding);stroke:var(--dim);stroke-dasharray:2 2}
.double{fill:var(--bad)}.call{fill:var(--fg);stroke:var(--bg);stroke-width:.75}.crash,.trap,.refused,.missed{fill:none;stroke:var(--bad);stroke-width:2}
.trap{fill:var(--bad)}.restart{fill:var(--bg);stroke:var(--fg);stroke-width:1.5}.fault{fill:var(--warn);stroke:var(--bg)}
.held{stroke:var(--fg);stroke-width:1.5;fill:none}.held.refused{stroke:var(--bad)}
.warning{fill:var(--warn)}.unset{fill:none;stroke:var(--dim);stroke-dasharray:2 2}
.violation{stroke:var(--bad);stroke-width:2;fill:none}.expected{stroke:var(--warn);stroke-width:2;stroke-dasharray:5 3;fill:none}
svg text.violationText{fill:var(--bad);font-weight:600}svg text.expectedText{fill:var(--warn);font-weight:600}
.hatchLine{stroke:var(--hatch);stroke-width:2;fill:none}.hatchDot{fill:var(--hatch)}
.pausing{stroke:var(--warn);stroke-width:1.5;fill:none}.banding{stroke:var(--dim);stroke-width:.75;fill:none}
`;

/** Patterns that the classes above name. */
export const drawingDefs =
  "<defs>" +
  '<pattern id="hatch1" width="7" height="7" patternUnits="userSpaceOnUse"><path class="hatchLine" d="M-2 9L9 -2M-2 2L2 -2M5 9L9 5"/></pattern>' +
  '<pattern id="hatch2" width="7" height="7" patternUnits="userSpaceOnUse"><circle class="hatchDot" cx="3.5" cy="3.5" r="1.5"/></pattern>' +
  '<pattern id="hatch3" width="7" height="7" patternUnits="userSpaceOnUse"><path class="hatchLine" d="M-2 -2L9 9M5 -2L9 2M-2 5L2 9"/></pattern>' +
  '<pattern id="pausing" width="5" height="5" patternUnits="userSpaceOnUse"><path class="pausing" d="M2.5 0V5"/></pattern>' +
  '<pattern id="banding" width="6" height="6" patternUnits="userSpaceOnUse"><path class="banding" d="M-1 7L7 -1"/></pattern>' +
  "</defs>";

/** The patterns in an element of their own: one that is not displayed lends none. */
export const patterns = `<svg class="patterns" width="0" height="0" aria-hidden="true">${drawingDefs}</svg>`;
