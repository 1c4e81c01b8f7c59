/** Numbers as the C++ side prints them on its statistics pages. */

/** The shortest text that reads back as the number, with an exponent from 1e16 and below 1e-4 on: `9.25e+18`, `nan`. */
export function shortest(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (value === 0) return "0";
  const magnitude = Math.abs(value);
  if (magnitude >= 1e-4 && magnitude < 1e16) return String(value);
  const [digits = "", exponent = ""] = value.toExponential().split("e");
  return `${digits}e${twoDigits(exponent)}`;
}

const precision = 32;

/** Thirty-two significant digits of the number's exact value, zeros at the end left out (`%.32g`). */
export function thirtyTwoDigits(value: number): string {
  if (value === 0) return "0";
  const sign = value < 0 ? "-" : "";
  const [digits, exponent] = decimal(Math.abs(value));
  const shown = digits.replace(/0+$/, "");
  if (exponent < -4 || exponent >= precision) {
    const fraction = shown.length > 1 ? `.${shown.slice(1)}` : "";
    const power = `${exponent < 0 ? "-" : "+"}${Math.abs(exponent)}`;
    return `${sign}${shown[0]!}${fraction}e${twoDigits(power)}`;
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${shown}`;
  const whole = shown.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const fraction = shown.slice(exponent + 1);
  return `${sign}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

/** The first `precision` digits, rounded half to even, and the power of ten of the first one. */
function decimal(value: number): [digits: string, exponent: number] {
  // Every double is an integer times a power of two; times a power of five it is a decimal number.
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number(bits >> 52n);
  const mantissa = (bits & 0xfffffffffffffn) | (biased === 0 ? 0n : 1n << 52n);
  const power = Math.max(biased, 1) - 1075;
  const exact = (
    power >= 0 ? mantissa << BigInt(power) : mantissa * 5n ** BigInt(-power)
  ).toString();
  let exponent = exact.length - 1 + Math.min(power, 0);
  if (exact.length <= precision) return [exact, exponent];
  let kept = BigInt(exact.slice(0, precision));
  const rest = exact.slice(precision);
  const half = `5${"0".repeat(rest.length - 1)}`;
  if (rest > half || (rest === half && kept % 2n === 1n)) kept++;
  const digits = kept.toString();
  if (digits.length > precision) exponent++;
  return [digits.slice(0, precision), exponent];
}

/** `+5` → `+05`. */
function twoDigits(exponent: string): string {
  return `${exponent[0]!}${exponent.slice(1).padStart(2, "0")}`;
}
