const ISO =
  /^([+-]?\d{4,6}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,12}))?)?\s*(Z|[+ -]\d{2}(?::?\d{2})?)?)?$/i;
/** As many digits as a present in milliseconds has; one in microseconds has three more and would lie far ahead. */
const EPOCH_MILLISECONDS = /^(-?\d{1,13})(?:\.\d{1,9})?$/;

/**
 * An instant in ISO 8601 or epoch milliseconds as microseconds since 1970-01-01 UTC; undefined for anything else.
 * Without an offset it is UTC; a plus sign that a query string turned into a space is taken as meant. Digits beyond
 * microseconds are cut off, and instants beyond 2255 become the last that is exact.
 */
export function readInstant(text: string): number | undefined {
  const epoch = EPOCH_MILLISECONDS.exec(text);
  if (epoch) return exact(Number(epoch[1]) * 1000);
  const [, day, minute = '00:00', second = '00', fraction = '', zone = 'Z'] = ISO.exec(text) ?? [];
  if (day === undefined || !isCalendarDay(day)) return undefined;
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : isoOffset(zone);
  const whole = Date.parse(`${day}T${minute}:${second}${offset}`);
  return Number.isNaN(whole) ? undefined : exact(whole * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6)));
}

function exact(micros: number): number {
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, micros));
}

/** Date.parse takes the 31st of any month. */
function isCalendarDay(day: string): boolean {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
}

function isoOffset(zone: string): string {
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone.startsWith('-') ? '-' : '+'}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
