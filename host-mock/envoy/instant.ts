/** Seconds since 1970 of `YYYY-MM-DDThh:mm:ss` in UTC, or NaN when there is no such instant. */
export function unixSeconds(text: string): number {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})$/.exec(text);
  if (match === null) return NaN;
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return NaN;
  if (hour > 23 || minute > 59 || second > 59) return NaN;
  return ((daysSince1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Years are counted from March, so that the leap day is the last one. */
function daysSince1970(year: number, month: number, day: number): number {
  const years = month <= 2 ? year - 1 : year;
  const months = (month + 9) % 12;
  const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  return 365 * years + leapDays + Math.floor((153 * months + 2) / 5) + day - 1 - 719468;
}
