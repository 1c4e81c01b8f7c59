/** A panel of a plot: axes with round steps, and points of the data in its coordinates. SVG text, no library. */
export interface PanelOptions {
  readonly title: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly xLabel: string;
  readonly x: Domain;
  readonly y: Domain;
}

export interface Domain {
  readonly from: number;
  readonly until: number;
}

/** A place in the data. */
export type Point = readonly [x: number, y: number];

/** Room above a panel's frame for its title. */
const titleGap = 14;

export class Panel {
  readonly #options: PanelOptions;

  constructor(options: PanelOptions) {
    this.#options = options;
  }

  x(value: number): number {
    const { left, width, x } = this.#options;
    return left + ((value - x.from) / (x.until - x.from)) * width;
  }

  y(value: number): number {
    const { top, height, y } = this.#options;
    return top + height - ((value - y.from) / (y.until - y.from)) * height;
  }

  /** Title, grid, the numbers at the axes and the label under the horizontal one. */
  frame(unit: string): string {
    const { title, left, top, width, height, xLabel, x, y } = this.#options;
    const bottom = top + height;
    const rows = steps(y, 6).map((value) => {
      const at = px(this.y(value.number));
      return (
        `<path class="grid" d="M${px(left)} ${at}H${px(left + width)}"/>` +
        `<text class="tick" x="${px(left - 8)}" y="${at}" dy="4" text-anchor="end">${value.text}${unit}</text>`
      );
    });
    const columns = steps(x, 6).map((value) => {
      const at = px(this.x(value.number));
      return `<text class="tick" x="${at}" y="${px(bottom + 18)}" text-anchor="middle">${value.text}</text>`;
    });
    return [
      `<text class="head" x="${px(left)}" y="${px(top - titleGap)}">${title}</text>`,
      ...rows,
      ...columns,
      `<path class="axis" d="M${px(left)} ${px(bottom)}H${px(left + width)}"/>`,
      `<text class="tick" x="${px(left + width / 2)}" y="${px(bottom + 38)}" text-anchor="middle">${xLabel}</text>`,
    ].join("\n");
  }

  line(points: readonly Point[], className: string): string {
    return `<path class="${className}" d="M${this.#through(points)}"/>`;
  }

  /** The area between two lines over the same places. */
  area(lower: readonly Point[], upper: readonly Point[], className: string): string {
    const around = this.#through([...lower, ...[...upper].reverse()]);
    return `<path class="${className}" d="M${around}Z"/>`;
  }

  /** A filled point with a bar from `low` to `high`. */
  measured([x, y]: Point, low: number, high: number): string {
    const at = this.x(x);
    const bar = [low, high].map((end) => {
      const y = px(this.y(end));
      return `M${px(at - 4)} ${y}h8`;
    });
    const stem = `M${px(at)} ${px(this.y(low))}V${px(this.y(high))}`;
    return (
      `<path class="bar" d="${stem}${bar.join("")}"/>` +
      `<circle class="dot" cx="${px(at)}" cy="${px(this.y(y))}" r="3.5"/>`
    );
  }

  /** A hollow diamond. */
  diamond([x, y]: Point): string {
    return diamond(this.x(x), this.y(y));
  }

  #through(points: readonly Point[]): string {
    return points.map(([x, y]) => `${px(this.x(x))} ${px(this.y(y))}`).join("L");
  }
}

/** A hollow diamond about a place of the picture. */
export function diamond(x: number, y: number): string {
  return `<path class="diamond" d="M${px(x)} ${px(y - 8)}l8 8l-8 8l-8 -8Z"/>`;
}

/** The domain of values with some air around, within limits. */
export function domainOf(values: readonly number[], limits: Domain): Domain {
  const least = Math.min(...values);
  const most = Math.max(...values);
  const air = (most - least) * 0.08 || 0.01;
  return { from: Math.max(limits.from, least - air), until: Math.min(limits.until, most + air) };
}

/** A coordinate: tenths are finer than any screen. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

interface Step {
  readonly number: number;
  readonly text: string;
}

/** Round numbers of a domain, at most about so many. */
function steps({ from, until }: Domain, countMax: number): Step[] {
  const rough = (until - from) / countMax;
  const decade = 10 ** Math.floor(Math.log10(rough));
  const size = [1, 2, 5, 10].map((k) => k * decade).find((step) => step >= rough) ?? 10 * decade;
  const places = Math.max(0, -Math.floor(Math.log10(size) + 1e-9));
  const first = Math.ceil(from / size - 1e-9);
  const last = Math.floor(until / size + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const number = (first + i) * size;
    return { number, text: number.toFixed(places) };
  });
}
