import { LuaError, type LuaValue } from "./value.ts";

export type Less = (one: LuaValue, other: LuaValue) => boolean;

/**
 * Sorts in place with Lua's quicksort, so that equal entries come to stand where they do in Lua. LuaError when `isLess`
 * is no order.
 *
 * Source: Lua 5.1 `ltablib.c` (auxsort).
 */
export function luaSort(values: LuaValue[], isLess: Less, from = 0, to = values.length - 1): void {
  let [low, high] = [from, to];
  const isOrdered = (one: number, other: number): boolean => {
    if (!isLess(values[other]!, values[one]!)) return true;
    exchange(values, one, other);
    return false;
  };
  while (low < high) {
    isOrdered(low, high);
    if (high - low === 1) return;
    // As of indices from 1.
    const middle = Math.floor((low + high + 2) / 2) - 1;
    if (isOrdered(low, middle)) isOrdered(middle, high);
    if (high - low === 2) return;
    exchange(values, middle, high - 1);
    const at = partition(values, low, high, isLess);
    const isLeftSmaller = at - low < high - at;
    const [partFrom, partTo] = isLeftSmaller ? [low, at - 1] : [at + 1, high];
    if (isLeftSmaller) low = at + 1;
    else high = at - 1;
    luaSort(values, isLess, partFrom, partTo);
  }
}

/** Around the value before the last one: where it comes to stand. */
function partition(values: LuaValue[], low: number, high: number, isLess: Less): number {
  const pivot = values[high - 1]!;
  let [left, right] = [low, high - 1];
  for (;;) {
    while (isLess(values[++left] ?? null, pivot)) if (left > high) throw noOrder();
    while (isLess(pivot, values[--right] ?? null)) if (right < low) throw noOrder();
    if (right < left) break;
    exchange(values, left, right);
  }
  exchange(values, high - 1, left);
  return left;
}

function noOrder(): LuaError {
  return new LuaError("invalid order function for sorting");
}

function exchange(values: LuaValue[], one: number, other: number): void {
  [values[one], values[other]] = [values[other]!, values[one]!];
}
