import { CAPITALS, CURE_CLASSES, type MindRecord, type SignalItem } from '../../contract/schemas/trials/signals.ts';
import { NO_CAPITAL } from '../../snapshot/format/signals.ts';
import { CONSCIENCE_MINIMUM_ITEMS, changeOf, evenness, FORMULAS, shareOf, sum } from './formulas.ts';
import { select, span, type WindowQuestion } from './selection.ts';
import type { SignalImage } from './signal-image.ts';

const TOP_ITEMS = 3;

/** The mind signal; reads each item of the window once. */
export function mind(image: SignalImage, question: WindowQuestion): MindRecord {
  const { days } = question;
  const { dates, rows, items, byCapital, cure } = select(image, question);
  const counts = CAPITALS.map((_, capital) => sum(byCapital[capital]!));
  const classified = sum(counts);
  const cureItems = sum(cure);
  return {
    window: { days, from: dates[0]!, to: dates[days - 1]! },
    items: {
      held: image.rows,
      inWindow: rows.length,
      classified,
      unclassified: sum(byCapital[NO_CAPITAL]!),
    },
    capitals: CAPITALS.map(({ id, name }, capital) => ({
      capital: id,
      name,
      count: counts[capital]!,
      share: shareOf(counts[capital]!, classified),
      direction: directionOf(byCapital[capital]!, dates),
      topItems: newestItems(image, rows, capital),
    })),
    sparkline: dates.map((day, at) => {
      const [M, I, N, D] = byCapital.map((column) => column[at]!) as [number, number, number, number];
      return { day, items: items[at]!, M, I, N, D };
    }),
    conscienceIndex: {
      value: evenness(counts, CONSCIENCE_MINIMUM_ITEMS),
      classifiedItems: classified,
      minimumItems: CONSCIENCE_MINIMUM_ITEMS,
      formula: FORMULAS.conscience,
    },
    curePulse: {
      value: shareOf(cureItems, rows.length),
      items: cureItems,
      of: rows.length,
      classes: [...CURE_CLASSES],
      series: dates.map((day, at) => ({ day, items: cure[at]!, of: items[at]! })),
      formula: FORMULAS.cure,
    },
    formulas: { share: FORMULAS.share, direction: FORMULAS.direction },
  };
}

function directionOf(daily: Uint32Array, dates: string[]): MindRecord['capitals'][number]['direction'] {
  const half = Math.floor(daily.length / 2);
  if (half === 0) return { reading: 'undetermined', recent: null, before: null, change: null };
  const recent = span(dates, daily, daily.length - half, half);
  const before = span(dates, daily, daily.length - 2 * half, half);
  return {
    reading: readingOf(recent.items, before.items),
    recent,
    before,
    change: changeOf(recent.items, before.items),
  };
}

function readingOf(recent: number, before: number): 'undetermined' | 'level' | 'rising' | 'falling' {
  if (recent === before) return recent === 0 ? 'undetermined' : 'level';
  return recent > before ? 'rising' : 'falling';
}

function newestItems(image: SignalImage, rows: Uint32Array, capital: number): SignalItem[] {
  const found: SignalItem[] = [];
  for (const row of rows) {
    if (image.capital[row] === capital) found.push(image.item(row));
    if (found.length === TOP_ITEMS) break;
  }
  return found;
}
