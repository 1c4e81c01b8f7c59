import { requireCount } from "./options.ts";
import type { CutBy } from "./result.ts";

/** Bounds that every strategy has; the caller brings the clock. */
export interface LimitOptions {
  /** Calls of `World.step`; default: no bound. */
  readonly maxSteps?: number;
  /** Asked every few thousand steps; true ends the search, cut by time. */
  readonly shouldStop?: () => boolean;
  /** Called every few thousand steps. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly steps: number;
  /** Distinct states so far; null where they are not counted. */
  readonly states: number | null;
  /** Schedules so far; null where states are merged. */
  readonly schedules: number | null;
  /** How long the paths are that are being looked at. */
  readonly depth: number;
}

const stepsBetweenQuestions = 4096;

/** Counts steps and says when a search has to stop, and why. */
export class Limits {
  steps = 0;
  cutBy: CutBy | null = null;
  readonly #maxSteps: number;
  readonly #options: LimitOptions;
  readonly #progress: () => Omit<Progress, "steps">;
  #nextQuestion: number;

  constructor(options: LimitOptions, progress: () => Omit<Progress, "steps">) {
    requireCount("maxSteps", options.maxSteps, 1);
    this.#options = options;
    this.#progress = progress;
    this.#maxSteps = options.maxSteps ?? Infinity;
    this.#nextQuestion = Math.min(stepsBetweenQuestions, this.#maxSteps);
  }

  /** Whether one more step may be made; it is counted then. */
  allowStep(): boolean {
    if (this.steps >= this.#nextQuestion) this.#ask();
    if (this.cutBy !== null) return false;
    this.steps++;
    return true;
  }

  /** The first reason stays. */
  cut(by: CutBy): void {
    this.cutBy ??= by;
  }

  #ask(): void {
    if (this.steps >= this.#maxSteps) return this.cut("steps");
    this.#nextQuestion = Math.min(this.steps + stepsBetweenQuestions, this.#maxSteps);
    this.#options.onProgress?.({ steps: this.steps, ...this.#progress() });
    if (this.#options.shouldStop?.() === true) this.cut("time");
  }
}
