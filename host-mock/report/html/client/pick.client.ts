interface Choice {
  readonly item: number;
  readonly callback: number;
  readonly at: number;
}

let chosen: Choice | null = null;
const tip = element("tip", HTMLDivElement);
const details = element("details", HTMLDivElement);

/** What is drawn at a place, or nearest to it. */
function spotAt(x: number, y: number, reach: number): Spot | null {
  let best: Spot | null = null;
  let bestScore = Number.POSITIVE_INFINITY;
  for (const spot of spots) {
    const dx = Math.max(spot.x0 - x, 0, x - spot.x1);
    const dy = Math.max(spot.y0 - y, 0, y - spot.y1);
    if (dx > reach || dy > reach) continue;
    // A small thing on a large one is meant, so size counts a little.
    const score = dx + dy + Math.min(20, (spot.x1 - spot.x0) / 50);
    if (score <= bestScore) {
      best = spot;
      bestScore = score;
    }
  }
  return best;
}

function choose(choice: Choice | null): void {
  chosen = choice;
  details.replaceChildren(...(choice === null ? [] : describe(choice)));
  requestDraw();
}

function chooseItem(item: number, length?: number): void {
  const row = itemRow[item] ?? -1;
  if (row >= 0) revealRow(row);
  reveal(itemAt[item] ?? 0, length);
  choose({ item, callback: -1, at: itemAt[item] ?? 0 });
}

function describe(choice: Choice): HTMLElement[] {
  const head = document.createElement("p");
  const strong = document.createElement("strong");
  strong.textContent = spanText(choice);
  head.append(strong, ` ${sentenceOf(choice)}`);
  if (choice.item >= 0 && kindOf(choice.item) === "violation") head.className = "bad";
  if (choice.callback < 0 || callbacks === null) return [head];
  const list = document.createElement("ul");
  for (const call of callbacks.sequences[callbacks.sequence[choice.callback] ?? 0] ?? []) {
    const entry = document.createElement("li");
    entry.textContent = callbacks.calls[call] ?? "";
    list.append(entry);
  }
  return [head, list];
}

function spanText({ item, at }: Choice): string {
  const stepNs = report.unitNs < 1e6 ? 1e3 : 1e6;
  if (item < 0 || itemUntil(item) <= at) return `${timeText(at, stepNs)}:`;
  const until = itemUntil(item);
  return `${timeText(at, stepNs)} – ${timeText(until, stepNs)} (${timeText(until - at, stepNs)}):`;
}

function sentenceOf({ item, callback }: Choice): string {
  if (item >= 0) return textOf(item);
  const name = callbacks?.names[callbacks.name[callback] ?? 0] ?? "";
  const count = callbacks?.sequences[callbacks.sequence[callback] ?? 0]?.length ?? 0;
  const row = report.rows[callbacks?.row[callback] ?? 0]?.label ?? "";
  return `${row}: ${name}, ${count} host call${count === 1 ? "" : "s"}`;
}

function showTip(spot: Spot | null, x: number, y: number): void {
  tip.hidden = spot === null;
  if (spot === null) return;
  tip.textContent = `${spanText(spot)} ${sentenceOf(spot)}`.slice(0, 400);
  const left = Math.min(x + 12, Math.max(0, layout.width - tip.offsetWidth - 6));
  const below = y + 16;
  const isAbove = below + tip.offsetHeight > layout.height;
  tip.style.left = `${left}px`;
  tip.style.top = `${isAbove ? Math.max(0, y - tip.offsetHeight - 10) : below}px`;
}

/** The event after (1) or before (−1) what is chosen, or the first or last of what is shown. */
function stepBy(direction: 1 | -1, withMinor: boolean): void {
  const isWanted = (item: number): boolean =>
    withMinor ? kindOf(item) !== "life" : !minorKinds.has(kindOf(item)) && isOwn(item);
  let item: number;
  if (chosen !== null && chosen.item >= 0) item = chosen.item + direction;
  else {
    const from = chosen?.at ?? (direction === 1 ? view.from : view.until);
    item = direction === 1 ? 0 : itemCount - 1;
    while (item >= 0 && item < itemCount && direction * ((itemAt[item] ?? 0) - from) < 0)
      item += direction;
    if (direction === -1) item = lastBefore(from);
  }
  while (item >= 0 && item < itemCount && !isWanted(item)) item += direction;
  if (item >= 0 && item < itemCount) chooseItem(item);
}

function lastBefore(at: number): number {
  let item = itemCount - 1;
  while (item >= 0 && (itemAt[item] ?? 0) > at) item--;
  return item;
}

/** A leadership stands in two rows, and is one event. */
function isOwn(item: number): boolean {
  return kindOf(item) !== "lead" || report.rows[itemRow[item] ?? 0]?.kind === "vm";
}

let lastViolation = -1;

/** The violation, then the next one, near enough to see what is around it. */
function nextViolation(): void {
  if (violations.length === 0) return;
  lastViolation = (lastViolation + 1) % violations.length;
  const item = violations[lastViolation] ?? 0;
  chooseItem(item, Math.max(30e9 / report.unitNs, narrowest));
}
