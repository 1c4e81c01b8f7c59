const days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const months = [
  ...["Jan", "Feb", "Mar", "Apr", "May", "Jun"],
  ...["Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
];
const secondsOfDay = 86_400;
const daysOfEra = 146_097;

/**
 * An instant as a header shows it, `Thu, 01 Jan 2026 00:00:00 GMT`, from Unix nanoseconds.
 *
 * Source: RFC 9110 5.6.7.
 */
export function httpDate(wallNs: bigint): string {
  if (wallNs >= last.fromNs && wallNs < last.toNs) return last.text;
  const seconds = Number(wallNs / 1_000_000_000n);
  const text = textOf(seconds);
  if (wallNs >= 0n) {
    const fromNs = BigInt(seconds) * 1_000_000_000n;
    last = { fromNs, toNs: fromNs + 1_000_000_000n, text };
  }
  return text;
}

/** The second that was asked for last: many answers come within one. */
let last = { fromNs: 0n, toNs: 0n, text: "" };

function textOf(seconds: number): string {
  const day = Math.floor(seconds / secondsOfDay);
  const ofDay = seconds - day * secondsOfDay;
  const [year, month, date] = civil(day);
  const two = (value: number) => String(value).padStart(2, "0");
  const time = [Math.floor(ofDay / 3600), Math.floor(ofDay / 60) % 60, ofDay % 60].map(two);
  const name = days[((day % 7) + 7) % 7]!;
  return `${name}, ${two(date)} ${months[month]!} ${String(year).padStart(4, "0")} ${time.join(":")} GMT`;
}

/** Year, month from 0 and date of a day counted from 1 January 1970; years begin in March within an era of 400. */
function civil(day: number): [year: number, month: number, date: number] {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / daysOfEra);
  const ofEra = shifted - era * daysOfEra;
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) /
      365,
  );
  const ofYear =
    ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * ofYear + 2) / 153);
  const date = ofYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  const month = (fromMarch + 2) % 12;
  return [yearOfEra + era * 400 + (month <= 1 ? 1 : 0), month, date];
}
