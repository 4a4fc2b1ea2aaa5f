import type { TrendsRecord } from '../../contract/schemas/trials/signals.ts';
import { dayToIso } from '../../snapshot/format/words/dates.ts';
import { changeOf, concentration, FORMULAS, rounded, sum } from './formulas.ts';
import { countDays, type Selection, select } from './selection.ts';
import type { SignalImage } from './signal-image.ts';

const WINDOW_DAYS = 30;
const WEEK_DAYS = 7;

export interface TrendsQuestion {
  /** Last day of the window, as days since 1970-01-01. */
  lastDay: number;
  disease: string | undefined;
  series: boolean;
}

/** Volume, momentum, series and concentration of the last 30 days; visits each of their items. */
export function trends(
  image: SignalImage,
  { lastDay, disease, series }: TrendsQuestion,
): NonNullable<TrendsRecord['signal']> {
  const selection = select(image, { from: lastDay - WINDOW_DAYS + 1, to: lastDay }, disease);
  const { items } = countDays(image, selection);
  const dates = Array.from({ length: WINDOW_DAYS }, (_, at) => dayToIso(selection.from + at));
  const week = (start: number) => ({
    from: dates[start]!,
    to: dates[start + WEEK_DAYS - 1]!,
    items: sum(items.subarray(start, start + WEEK_DAYS)),
  });
  const recent = week(WINDOW_DAYS - WEEK_DAYS);
  const before = week(WINDOW_DAYS - 2 * WEEK_DAYS);
  return {
    window: { days: WINDOW_DAYS, from: dates[0]!, to: dates[WINDOW_DAYS - 1]! },
    volume: { held: image.rows, inWindow: selection.length, perDay: rounded(selection.length / WINDOW_DAYS) },
    momentum: { recent, before, change: changeOf(recent.items, before.items), formula: FORMULAS.momentum },
    ...(series ? { series: dates.map((day, at) => ({ day, items: items[at]! })) } : {}),
    concentration: {
      byCategory: concentration(
        groupsOf(tally(selection, image.category, image.categories.length), (number) => image.categories[number]!),
      ),
      byDomain: concentration(groupsOf(tally(selection, image.domain, image.domains), image.domainName)),
      formula: FORMULAS.concentration,
    },
  };
}

/** Counts the selected rows for each number of a column. */
function tally({ rows, start, length }: Selection, column: Uint8Array | Uint32Array, numbers: number): Uint32Array {
  const counts = new Uint32Array(numbers);
  for (let at = 0; at < length; at++) {
    const number = column[rows === null ? start + at : (rows[at] as number)] as number;
    counts[number] = (counts[number] as number) + 1;
  }
  return counts;
}

function groupsOf(counts: Uint32Array, nameOf: (number: number) => string): { name: string; items: number }[] {
  const groups: { name: string; items: number }[] = [];
  for (const [number, items] of counts.entries()) if (items > 0) groups.push({ name: nameOf(number), items });
  return groups;
}
