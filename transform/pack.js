// The form in which static data is packed: made for short texts of two bytes a character, and for a small reader.
//
//   00 n           n zero units (a unit is two bytes, little-endian)
//   01…7f          one unit of that value
//   80…fe d d      copies (byte − 80 + 4) units from d units back, which are all there already
//   ff u u         one unit, any
const ZEROS_MAX = 255;
const COPY_MIN = 4;
const COPY_MAX = 0xfe - 0x80 + COPY_MIN;
const BACK_MAX = 0xffff;
/** How many earlier places are looked at for the longest match. */
const CANDIDATES_MAX = 200;

/** @typedef {{ cost: number, length: number, back: number }} Step a step from a place, and the cost from there on */

/** @param {Uint8Array} image an even number of bytes @returns {Uint8Array} */
export function pack(image) {
  const units = new Uint16Array(image.length / 2);
  for (let i = 0; i < units.length; i++) units[i] = image[2 * i] | (image[2 * i + 1] << 8);
  const steps = cheapest(units, matchesOf(units));
  const bytes = [];
  for (let i = 0; i < units.length; i += steps[i].length) {
    const { length, back } = steps[i];
    if (back > 0) bytes.push(0x80 + length - COPY_MIN, back & 0xff, back >> 8);
    else if (units[i] === 0) bytes.push(0, length);
    else if (units[i] < 0x80) bytes.push(units[i]);
    else bytes.push(0xff, units[i] & 0xff, units[i] >> 8);
  }
  return Uint8Array.from(bytes);
}

/**
 * The cheapest way on from each place, found from the end.
 *
 * @param {Uint16Array} units
 * @param {{ length: number, back: number }[]} matches
 * @returns {Step[]}
 */
function cheapest(units, matches) {
  /** @type {Step[]} */
  const steps = [];
  steps[units.length] = { cost: 0, length: 0, back: 0 };
  let zeros = 0;
  for (let i = units.length - 1; i >= 0; i--) {
    zeros = units[i] === 0 ? Math.min(zeros + 1, ZEROS_MAX) : 0;
    const single = units[i] === 0 ? 2 : units[i] < 0x80 ? 1 : 3;
    let best = { cost: single + steps[i + 1].cost, length: 1, back: 0 };
    for (let length = 2; length <= zeros; length++) {
      const cost = 2 + steps[i + length].cost;
      if (cost < best.cost) best = { cost, length, back: 0 };
    }
    const { length: longest, back } = matches[i];
    for (let length = COPY_MIN; length <= longest; length++) {
      const cost = 3 + steps[i + length].cost;
      if (cost < best.cost) best = { cost, length, back };
    }
    steps[i] = best;
  }
  return steps;
}

/** The longest earlier occurrence of what begins at each place. @param {Uint16Array} units */
function matchesOf(units) {
  /** @type {Map<string, number[]>} */
  const places = new Map();
  const matches = [];
  for (let i = 0; i < units.length; i++) {
    const key = units.slice(i, i + COPY_MIN).join();
    const earlier = places.get(key) ?? [];
    let best = { length: 0, back: 0 };
    for (const place of earlier.slice(-CANDIDATES_MAX)) {
      const back = i - place;
      const limit = Math.min(COPY_MAX, units.length - i, back);
      let length = 0;
      while (length < limit && units[place + length] === units[i + length]) length++;
      if (length > best.length && back <= BACK_MAX) best = { length, back };
    }
    matches.push(best);
    earlier.push(i);
    places.set(key, earlier);
  }
  return matches;
}
