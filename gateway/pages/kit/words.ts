import { DUMP_DAY_FROM } from '../../../contract/schemas/trials/registry-answer.ts';
import { type Html, html } from '../html.ts';

/** Numbers, instants and short texts in a line. */

const NUMBER = new Intl.NumberFormat('en-GB');

/** A count with separators; an unknown one is called unknown, never 0. */
export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? 'not known' : NUMBER.format(value);
}

const DAY_HOURS = 24;

/** An age given in hours. */
export function ageInWords(hours: number | null): string {
  if (hours === null) return 'not known';
  if (hours < 2 * DAY_HOURS) return several(Math.round(hours), 'hour', 'hours');
  return several(Math.round(hours / DAY_HOURS), 'day', 'days');
}

/** A time in its two largest units, as "13 days 12 hours", rounded down. */
export function spanInWords(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  const units = [
    [Math.floor(minutes / 1440), 'day', 'days'],
    [Math.floor(minutes / 60) % 24, 'hour', 'hours'],
    [minutes % 60, 'minute', 'minutes'],
  ] as const;
  const first = units.findIndex(([number]) => number > 0);
  const shown = units.slice(first, first + 2).filter(([number]) => number > 0);
  return minutes < 1 ? 'less than a minute' : shown.map(([number, one, more]) => several(number, one, more)).join(' ');
}

/** A count with its noun. */
export function several(number: number, one: string, more: string): string {
  return `${count(number)} ${number === 1 ? one : more}`;
}

export function trialsInWords(number: number): string {
  return several(number, 'trial', 'trials');
}

/** A ratio as per cent; unknown if the whole is 0. */
export function share(part: number, whole: number): string {
  return whole === 0 ? 'not known' : `${((part / whole) * 100).toFixed(1)} %`;
}

/** HTML allows at most three digits of a second; the board's instants have six. */
const MICROSECONDS = /(\.\d{3})\d+Z$/;

/** An instant in readable form, with the exact one in the element. */
export function instant(iso: string | null | undefined): Html {
  if (iso === null || iso === undefined) return html`<span class="soft">not stated</span>`;
  return html`<time datetime="${iso.replace(MICROSECONDS, '$1Z')}">${iso.slice(0, 16).replace('T', ' ')}${iso.length > 10 && ' UTC'}</time>`;
}

/** How the day of a dump is known. */
export type DumpDay = { from: keyof typeof DUMP_DAY_FROM } | undefined;

/** The day of a registry's data; of a dump with what that day is. */
export function dataOf(day: string | null, dump: DumpDay): Html {
  return html`${instant(day)}${dump !== undefined && ` (a file: ${DUMP_DAY_FROM[dump.from]})`}`;
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** A day as it is read aloud: 2 October 2026. */
export function longDay(iso: string): string {
  return DAY.format(new Date(iso));
}

/** A registry's date at its own precision: 2 October 2026, or October 2026. */
export function monthOrDay(date: string): string {
  if (/^\d{4}-\d{2}$/.test(date)) return MONTH.format(new Date(date));
  return /^\d{4}-\d{2}-\d{2}/.test(date) ? longDay(date) : date;
}

export function code(text: string | number | undefined): Html {
  return html`<code>${text}</code>`;
}

/** Text whose words in backticks are code. */
export function inCode(text: string): Html {
  return html`${text.split('`').map((part, place) => (place % 2 === 1 ? code(part) : part))}`;
}

/** Parts with a separator between them. */
export function joined(parts: readonly (Html | string)[], separator: Html | string = ', '): Html {
  return html`${parts.map((part, place) => [place > 0 && separator, part])}`;
}

export function list(entries: readonly (Html | string)[]): Html {
  return html`<ul>${entries.map((entry) => html`<li>${entry}</li>`)}</ul>`;
}
