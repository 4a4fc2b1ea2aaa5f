import type { TrendsRecord } from '../../contract/schemas/trials/signals.ts';
import { changeOf, concentration, FORMULAS, rounded } from './formulas.ts';
import { select, span, type WindowQuestion } from './selection.ts';
import type { SignalImage } from './signal-image.ts';

const WINDOW_DAYS = 30;
const WEEK_DAYS = 7;

/** Volume, momentum, series and concentration of the last 30 days; visits each of their items. */
export function trends(
  image: SignalImage,
  { series, ...question }: Omit<WindowQuestion, 'days'> & { series: boolean },
): NonNullable<TrendsRecord['signal']> {
  const { dates, rows, items } = select(image, { ...question, days: WINDOW_DAYS });
  const recent = span(dates, items, WINDOW_DAYS - WEEK_DAYS, WEEK_DAYS);
  const before = span(dates, items, WINDOW_DAYS - 2 * WEEK_DAYS, WEEK_DAYS);
  return {
    window: { days: WINDOW_DAYS, from: dates[0]!, to: dates[WINDOW_DAYS - 1]! },
    volume: { held: image.rows, inWindow: rows.length, perDay: rounded(rows.length / WINDOW_DAYS) },
    momentum: { recent, before, change: changeOf(recent.items, before.items), formula: FORMULAS.momentum },
    ...(series ? { series: dates.map((day, at) => ({ day, items: items[at]! })) } : {}),
    concentration: {
      byCategory: concentration(groupsOf(rows, image.category, (number) => image.categories[number]!)),
      byDomain: concentration(groupsOf(rows, image.domain, image.domainName)),
      formula: FORMULAS.concentration,
    },
  };
}

/** The selected rows counted by the number that a column has for each. */
function groupsOf(rows: Uint32Array, column: Uint8Array | Uint32Array, nameOf: (number: number) => string) {
  const counts = new Map<number, number>();
  for (const row of rows) {
    const number = column[row] as number;
    counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  return Array.from(counts, ([number, items]) => ({ name: nameOf(number), items }));
}
