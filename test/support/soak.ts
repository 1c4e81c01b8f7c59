/** How long the repetitive tests run: a tenth in `make test`, the whole in `make soak` (which sets SOAK=1). */
export const isSoak = process.env["SOAK"] === "1";

/** The whole count in a soak, else a tenth of it; counts are multiples of ten. */
export function rounds(count: number): number {
  return isSoak ? count : count / 10;
}
