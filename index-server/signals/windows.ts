import { CAPITALS, CURE_CLASSES, type MindRecord, type TrendsRecord } from '../../contract/schemas/trials/signals.ts';
import { dayToIso } from '../../snapshot/format/words/dates.ts';
import { type TextUnit, textUnits } from '../../snapshot/format/words/tokens.ts';
import { EMPTY, intersect, type RowSet, rowsOf, union } from '../search/row-set.ts';
import * as formulas from './formulas.ts';
import type { SignalImage } from './signal-image.ts';

/** The signals of a trailing window of days: mind by capitals, trends by volume and concentration. */

const TOP_ITEMS = 3;
const TREND_DAYS = 30;
const WEEK_DAYS = 7;
const { FORMULAS, shareOf, sum } = formulas;

export interface WindowQuestion {
  days: number;
  /** Last day of the window, as days since 1970-01-01. */
  lastDay: number;
  /** Keyword whose words an item must hold; undefined takes all items. */
  disease: string | undefined;
}

export function mind(image: SignalImage, question: WindowQuestion): MindRecord {
  const { days } = question;
  const { dates, rows, daily } = select(image, question);
  const byCapital = CAPITALS.map((_, capital) => rows.filter((row) => image.capital[row] === capital));
  const counts = byCapital.map(({ length }) => length);
  const classified = sum(counts);
  const cured = rows.filter((row) => image.cureClasses[image.class[row]!]);
  const [items, cure, capitals] = [daily(rows), daily(cured), byCapital.map(daily)];
  return {
    window: { days, from: dates[0]!, to: dates[days - 1]! },
    items: { held: image.rows, inWindow: rows.length, classified, unclassified: rows.length - classified },
    capitals: CAPITALS.map(({ id, name }, capital) => ({
      capital: id,
      name,
      count: counts[capital]!,
      share: shareOf(counts[capital]!, classified),
      direction: directionOf(capitals[capital]!, dates),
      topItems: Array.from(byCapital[capital]!.slice(0, TOP_ITEMS), (row) => image.item(row)),
    })),
    sparkline: dates.map((day, at) => {
      const [M, I, N, D] = capitals.map((column) => column[at]!) as [number, number, number, number];
      return { day, items: items[at]!, M, I, N, D };
    }),
    conscienceIndex: {
      value: formulas.evenness(counts, formulas.CONSCIENCE_MINIMUM_ITEMS),
      classifiedItems: classified,
      minimumItems: formulas.CONSCIENCE_MINIMUM_ITEMS,
      formula: FORMULAS.conscience,
    },
    curePulse: {
      value: shareOf(cured.length, rows.length),
      items: cured.length,
      of: rows.length,
      classes: [...CURE_CLASSES],
      series: dates.map((day, at) => ({ day, items: cure[at]!, of: items[at]! })),
      formula: FORMULAS.cure,
    },
    formulas: { share: FORMULAS.share, direction: FORMULAS.direction },
  };
}

function directionOf(daily: number[], dates: string[]): MindRecord['capitals'][number]['direction'] {
  const half = Math.floor(daily.length / 2);
  if (half === 0) return { reading: 'undetermined', recent: null, before: null, change: null };
  const recent = span(dates, daily, daily.length - half, half);
  const before = span(dates, daily, daily.length - 2 * half, half);
  const moved = recent.items > before.items ? 'rising' : 'falling';
  const still = recent.items === 0 ? 'undetermined' : 'level';
  return {
    reading: recent.items === before.items ? still : moved,
    recent,
    before,
    change: formulas.changeOf(recent.items, before.items),
  };
}

export function trends(
  image: SignalImage,
  { series, ...question }: Omit<WindowQuestion, 'days'> & { series: boolean },
): NonNullable<TrendsRecord['signal']> {
  const { dates, rows, daily } = select(image, { ...question, days: TREND_DAYS });
  const items = daily(rows);
  const recent = span(dates, items, TREND_DAYS - WEEK_DAYS, WEEK_DAYS);
  const before = span(dates, items, TREND_DAYS - 2 * WEEK_DAYS, WEEK_DAYS);
  const change = formulas.changeOf(recent.items, before.items);
  return {
    window: { days: TREND_DAYS, from: dates[0]!, to: dates[TREND_DAYS - 1]! },
    volume: { held: image.rows, inWindow: rows.length, perDay: formulas.rounded(rows.length / TREND_DAYS) },
    momentum: { recent, before, change, formula: FORMULAS.momentum },
    ...(series ? { series: dates.map((day, at) => ({ day, items: items[at]! })) } : {}),
    concentration: {
      byCategory: formulas.concentration(Array.from(rows, (row) => image.categories[image.category[row]!]!)),
      byDomain: formulas.concentration(Array.from(rows, (row) => image.domainName(image.domain[row]!))),
      formula: FORMULAS.concentration,
    },
  };
}

/** The items of some days of a window, together. */
function span(dates: readonly string[], daily: readonly number[], start: number, days: number) {
  return { from: dates[start]!, to: dates[start + days - 1]!, items: sum(daily.slice(start, start + days)) };
}

/** The items of a window, newest first, its days, and a count of items by these days. */
function select({ day, ...image }: SignalImage, { days, lastDay, disease }: WindowQuestion) {
  const from = lastDay - days + 1;
  const all =
    disease === undefined ? Uint32Array.from({ length: image.rows }, (_, row) => row) : matching(image, disease);
  const rows = all.filter((row) => day[row]! >= from && day[row]! <= lastDay);
  const daily = (some: Uint32Array): number[] => {
    const counts = new Array<number>(days).fill(0);
    for (const row of some) counts[day[row]! - from]! += 1;
    return counts;
  };
  return { dates: Array.from({ length: days }, (_, at) => dayToIso(from + at)), rows, daily };
}

type Terms = Pick<SignalImage, 'posting' | 'rows'>;

function matching(image: Terms, keyword: string): Uint32Array {
  const sets = textUnits(keyword).map((unit) => unitRows(image, unit));
  return sets.length === 0 ? new Uint32Array() : rowsOf(intersect(sets));
}

/** A compound matches joined, or by all of its parts, as in the trial search. */
function unitRows(image: Terms, unit: TextUnit): RowSet {
  if (unit.kind === 'word') return image.posting(unit.key) ?? EMPTY;
  const parts = unit.parts.map((part) => image.posting(part) ?? EMPTY);
  return union([image.posting(unit.joined) ?? EMPTY, intersect(parts)], image.rows);
}
