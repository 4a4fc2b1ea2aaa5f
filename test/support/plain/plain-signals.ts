import { CAPITALS, type CapitalId, CURE_CLASSES } from '../../../contract/schemas/trials/signals.ts';
import { indexKeys } from '../../../snapshot/format/words/tokens.ts';
import type { SignalRow } from '../../builders/signals.ts';

/** The signals computed in the plainest way: filter and reduce over the rows. */

const iso = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);
const dayOf = (row: SignalRow): string => (row.published_at ?? row.first_seen_at).slice(0, 10);
const part = (count: number, of: number): number | null => (of === 0 ? null : Math.round((count / of) * 1e4) / 1e4);

/** Rows of the window that hold every word of the keyword, newest day first, then by id. */
export function plainWindow(
  rows: readonly SignalRow[],
  from: number,
  to: number,
  words: readonly string[],
): SignalRow[] {
  return rows
    .filter((row) => dayOf(row) >= iso(from) && dayOf(row) <= iso(to))
    .filter((row) => {
      const keys = new Set([...indexKeys(row.title), ...indexKeys(row.summary ?? '')]);
      return words.flatMap(indexKeys).every((key) => keys.has(key));
    })
    .sort((a, b) => (dayOf(a) === dayOf(b) ? (a.id < b.id ? -1 : 1) : dayOf(a) < dayOf(b) ? 1 : -1));
}

export function plainMind(rows: readonly SignalRow[], days: number, lastDay: number, words: readonly string[]) {
  const held = plainWindow(rows, lastDay - days + 1, lastDay, words);
  const classified = held.filter(({ capital }) => capital !== null);
  const dates = Array.from({ length: days }, (_, at) => iso(lastDay - days + 1 + at));
  const isCure = (row: SignalRow): boolean => (CURE_CLASSES as readonly string[]).includes(row.lexicon_class ?? '');
  const cure = held.filter(isCure);
  const on = (all: readonly SignalRow[], day: string): number => all.filter((row) => dayOf(row) === day).length;
  const half = Math.floor(days / 2);
  const of = (capital: CapitalId): SignalRow[] => classified.filter((row) => row.capital === capital);
  const between = (all: readonly SignalRow[], first: number, count: number): number =>
    dates.slice(first, first + count).reduce((sum, day) => sum + on(all, day), 0);
  const shares = CAPITALS.map(({ id }) => of(id).length / classified.length).filter((share) => share > 0);
  return {
    items: { held: rows.length, inWindow: held.length, classified: classified.length },
    capitals: CAPITALS.map(({ id }) => ({
      capital: id,
      count: of(id).length,
      share: part(of(id).length, classified.length),
      recent: half === 0 ? null : between(of(id), days - half, half),
      before: half === 0 ? null : between(of(id), days - 2 * half, half),
      topItems: of(id)
        .slice(0, 3)
        .map((row) => row.id),
    })),
    sparkline: dates.map((day) => ({
      day,
      items: on(held, day),
      ...Object.fromEntries(CAPITALS.map(({ id }) => [id, on(of(id), day)])),
    })),
    conscience:
      classified.length < 10
        ? null
        : Math.round((shares.reduce((sum, p) => sum - p * Math.log(p), 0) / Math.log(4)) * 1e4) / 1e4,
    curePulse: { value: part(cure.length, held.length), series: dates.map((day) => on(cure, day)) },
  };
}

/** HHI and Gini over the pairs of groups, as their definitions have them. */
export function plainConcentration(names: readonly string[]) {
  const groups = [...new Set(names)].sort().map((name) => names.filter((other) => other === name).length);
  const total = names.length;
  if (total === 0) return { groups: 0, hhi: null, gini: null };
  let differences = 0;
  for (const a of groups) for (const b of groups) differences += Math.abs(a - b);
  return {
    groups: groups.length,
    hhi: groups.reduce((sum, count) => sum + (count / total) ** 2, 0),
    gini: differences / (2 * groups.length * total),
  };
}
