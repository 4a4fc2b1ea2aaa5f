/** Times of the board: integers of microseconds inside, ISO 8601 with six digits outside. */

const DAY_MICROS = 86_400_000_000;
const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));

/** Texts of days written before, since most times of an answer fall on few days. Emptied when full. */
const KEPT_DAYS = 64;
const dates = new Map<number, string>();

function dateOf(day: number): string {
  const known = dates.get(day);
  if (known !== undefined) return known;
  const date = new Date(day * 86_400_000).toISOString().slice(0, -'00:00:00.000Z'.length);
  if (dates.size >= KEPT_DAYS) dates.clear();
  dates.set(day, date);
  return date;
}

export function toIso(micros: number): string {
  const day = Math.floor(micros / DAY_MICROS);
  const inDay = micros - day * DAY_MICROS;
  const seconds = Math.floor(inDay / 1_000_000);
  const hours = TWO_DIGITS[Math.floor(seconds / 3600)];
  const minutes = TWO_DIGITS[Math.floor(seconds / 60) % 60];
  const fraction = String(inDay - seconds * 1_000_000).padStart(6, '0');
  return `${dateOf(day)}${hours}:${minutes}:${TWO_DIGITS[seconds % 60]}.${fraction}Z`;
}

export function toMicros(date: Date): number {
  return date.getTime() * 1000;
}

/** The clock of PostgreSQL in microseconds, for what several boards must judge by one clock: no board's own matters then. */
export const DATABASE_CLOCK = '(extract(epoch FROM clock_timestamp()) * 1000000)::bigint';
