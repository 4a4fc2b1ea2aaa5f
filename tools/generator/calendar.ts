/** Days as whole numbers since 1970-01-01, so that dates are drawn and compared without a clock or a time zone. */
export type Day = number;

const DAY_MS = 86_400_000;

export function dayOf(date: string): Day {
  const time = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(time) || !/^\d{4}-\d{2}-\d{2}$/.test(date)) {
    throw new RangeError(`"${date}" is not a date: give it as YYYY-MM-DD`);
  }
  return time / DAY_MS;
}

/** Days already worded: a corpus names a few ten thousand different days, each of them many times. */
const worded = new Map<Day, string>();

/** YYYY-MM-DD */
export function isoDay(day: Day): string {
  let text = worded.get(day);
  if (text === undefined) {
    text = new Date(day * DAY_MS).toISOString().slice(0, 10);
    worded.set(day, text);
  }
  return text;
}

/** YYYY-MM */
export function isoMonth(day: Day): string {
  return isoDay(day).slice(0, 7);
}
