/** The published table of the simulation, in percent and seconds as printed there. */
export const published = [
  { ttlMs: 3_000, elections: 0.94, p50: 3.15, p99: 3.28, split: 97.81 },
  { ttlMs: 5_000, elections: 0.87, p50: 5.15, p99: 5.28, split: 97.76 },
  { ttlMs: 10_000, elections: 0.68, p50: 10.15, p99: 10.28, split: 97.71 },
] as const;
