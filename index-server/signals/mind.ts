import { CAPITALS, CURE_CLASSES, type MindRecord, type SignalItem } from '../../contract/schemas/trials/signals.ts';
import { NO_CAPITAL } from '../../snapshot/format/signals.ts';
import { dayToIso } from '../../snapshot/format/words/dates.ts';
import { CONSCIENCE_MINIMUM_ITEMS, changeOf, evenness, FORMULAS, shareOf, sum } from './formulas.ts';
import { countDays, type DayCounts, type Selection, select, visitRows } from './selection.ts';
import type { SignalImage } from './signal-image.ts';

const TOP_ITEMS = 3;

export interface MindQuestion {
  days: number;
  /** Last day of the window, as days since 1970-01-01. */
  lastDay: number;
  disease: string | undefined;
}

/** The mind signal. It reads the day table, and the newest items of each capital; with a keyword, each matching row once. */
export function mind(image: SignalImage, { days, lastDay, disease }: MindQuestion): MindRecord {
  const selection = select(image, { from: lastDay - days + 1, to: lastDay }, disease);
  const counts = countDays(image, selection);
  const byCapital = CAPITALS.map((_, capital) => sum(counts.byCapital[capital]!));
  const classified = sum(byCapital);
  const inWindow = selection.length;
  const cure = sum(counts.cure);
  const top = newestItems(image, selection, byCapital);
  const dates = Array.from({ length: days }, (_, at) => dayToIso(selection.from + at));
  return {
    window: { days, from: dates[0]!, to: dates[days - 1]! },
    items: { held: image.rows, inWindow, classified, unclassified: sum(counts.byCapital[NO_CAPITAL]!) },
    capitals: CAPITALS.map(({ id, name }, capital) => ({
      capital: id,
      name,
      count: byCapital[capital]!,
      share: shareOf(byCapital[capital]!, classified),
      direction: directionOf(counts.byCapital[capital]!, dates),
      topItems: top[capital]!,
    })),
    sparkline: dates.map((day, at) => sparkOf(counts, day, at)),
    conscienceIndex: {
      value: evenness(byCapital, CONSCIENCE_MINIMUM_ITEMS),
      classifiedItems: classified,
      minimumItems: CONSCIENCE_MINIMUM_ITEMS,
      formula: FORMULAS.conscience,
    },
    curePulse: {
      value: shareOf(cure, inWindow),
      items: cure,
      of: inWindow,
      classes: [...CURE_CLASSES],
      series: dates.map((day, at) => ({ day, items: counts.cure[at]!, of: counts.items[at]! })),
      formula: FORMULAS.cure,
    },
    formulas: { share: FORMULAS.share, direction: FORMULAS.direction },
  };
}

function sparkOf({ items, byCapital }: DayCounts, day: string, at: number): MindRecord['sparkline'][number] {
  const [M, I, N, D] = byCapital.map((column) => column[at]!) as [number, number, number, number];
  return { day, items: items[at]!, M, I, N, D };
}

function directionOf(daily: Uint32Array, dates: string[]): MindRecord['capitals'][number]['direction'] {
  const half = Math.floor(daily.length / 2);
  if (half === 0) return { reading: 'undetermined', recent: null, before: null, change: null };
  const counted = (start: number) => ({
    from: dates[start]!,
    to: dates[start + half - 1]!,
    items: sum(daily.subarray(start, start + half)),
  });
  const recent = counted(daily.length - half);
  const before = counted(daily.length - 2 * half);
  return {
    reading: readingOf(recent.items, before.items),
    recent,
    before,
    change: changeOf(recent.items, before.items),
  };
}

function readingOf(recent: number, before: number) {
  if (recent === 0 && before === 0) return 'undetermined' as const;
  if (recent === before) return 'level' as const;
  return recent > before ? ('rising' as const) : ('falling' as const);
}

/** The newest items of each capital; stops once all are found. */
function newestItems(image: SignalImage, selection: Selection, byCapital: number[]): SignalItem[][] {
  const wanted = byCapital.map((count) => Math.min(count, TOP_ITEMS));
  const found: SignalItem[][] = byCapital.map(() => []);
  let missing = sum(wanted);
  if (missing === 0) return found;
  visitRows(selection, (row) => {
    const capital = image.capital[row] as number;
    if (capital === NO_CAPITAL || found[capital]!.length === wanted[capital]) return true;
    found[capital]!.push(image.item(row));
    missing -= 1;
    return missing > 0;
  });
  return found;
}
