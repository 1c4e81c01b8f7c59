import { BreadthFirst } from "./breadth-first.ts";
import { Enumeration } from "./enumerate.ts";
import type { SearchResult } from "./result.ts";
import type { SearchOptions } from "./search-options.ts";
import type { World } from "./world.ts";

/**
 * Searches everything that a world can do. With merging (the default) breadth-first over distinct states, so that the
 * violation found is a shortest one; `merging: false` runs every schedule, for small worlds and for comparison.
 *
 * E_OPTION for options that contradict each other.
 */
export function searchExhaustively(world: World, options: SearchOptions = {}): SearchResult {
  if (options.merging === false) return new Enumeration(world, options).run();
  const search = new BreadthFirst(world, options);
  while (!search.isOver) search.advance();
  return search.result();
}
