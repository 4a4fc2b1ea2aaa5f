/** Zone names of RFC 822 and of British and European feeds, as minutes east of UTC. */
const ZONES: Readonly<Record<string, number>> = {
  ...{ Z: 0, UT: 0, UTC: 0, GMT: 0, WET: 0, BST: 60, IST: 60, CET: 60, WEST: 60, CEST: 120, EET: 120, EEST: 180 },
  ...{ EST: -300, EDT: -240, CST: -360, CDT: -300, MST: -420, MDT: -360, PST: -480, PDT: -420 },
};
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const RFC_822 =
  /^(?:[A-Za-z]{3,9}\.?,?\s+)?(\d{1,2})[\s-]([A-Za-z]{3,9})\.?[\s-](\d{4}|\d{2})(?:,?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d{1,9})?(?:\s*([+-])(\d{2}):?(\d{2})|\s+([A-Za-z]{1,5}))?)?$/;
const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(?:([Zz])|([+-])(\d{2}):?(\d{2})?)?)?$/;
const MAX_LENGTH = 64;

/**
 * The instant of a date in RFC 822 (also with two-digit years and zone names) or ISO 8601; null for anything else. A day
 * alone means its first instant; a time without a zone, or with an unknown zone name, is in UTC.
 */
export function feedDate(stated: string): Date | null {
  const text = stated.trim().replace(/\s+/g, ' ');
  if (text.length > MAX_LENGTH) return null;
  return iso(text) ?? rfc822(text);
}

function iso(text: string): Date | null {
  const match = ISO_8601.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction, , sign, zoneHours, zoneMinutes] = match;
  const milliseconds = Number((fraction ?? '').padEnd(3, '0').slice(0, 3));
  const zone = sign === undefined ? 0 : offset(sign, zoneHours, zoneMinutes);
  return instant([year, month, day, hour, minute, second], milliseconds, zone);
}

function rfc822(text: string): Date | null {
  const match = RFC_822.exec(text);
  if (match === null) return null;
  const [, day, monthName = '', yearText = '', hour, minute, second, sign, zoneHours, zoneMinutes, zoneName] = match;
  const month = MONTHS.indexOf(monthName.slice(0, 3).toLowerCase()) + 1;
  const year = yearText.length === 4 ? Number(yearText) : Number(yearText) + (Number(yearText) < 50 ? 2000 : 1900);
  const named = ZONES[(zoneName ?? 'UTC').toUpperCase()] ?? 0;
  const zone = sign === undefined ? named : offset(sign, zoneHours, zoneMinutes);
  return instant([String(year), String(month), day, hour, minute, second], 0, zone);
}

function offset(sign: string, hours: string | undefined, minutes: string | undefined): number {
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}

/** Null if the parts are not a real date and time; a leap second becomes the second before it. */
function instant(parts: (string | undefined)[], milliseconds: number, zoneMinutes: number): Date | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map((part) => Number(part ?? 0));
  const inRange = year >= 1970 && month >= 1 && month <= 12 && hour < 24 && minute < 60 && second <= 60;
  if (!inRange || day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return null;
  if (Math.abs(zoneMinutes) > 14 * 60) return null;
  const local = Date.UTC(year, month - 1, day, hour, minute, Math.min(second, 59), milliseconds);
  return new Date(local - zoneMinutes * 60_000);
}
