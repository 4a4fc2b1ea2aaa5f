import type { Connection } from '../store/database.ts';
import { LIBRARY_VERSION } from '../store/database.ts';
import { sha256 } from './durable.ts';

/** Numbers by name, for each registry. */
export type Counts = Map<string, Record<string, number>>;

/** SQL that counts over rows: one row for each registry, with the column `registry` and numbers. */
export type CountsSql = (rows: string) => string;

/** The registrations of two snapshots as SQL of rows: all of the earlier one, and those that differ; and the roots of both tables. */
export interface CountedRows {
  before: string;
  changed: { before: string; after: string };
  roots: { before: string; after: string };
}

/**
 * What `sql` counts over the rows that are the same in both snapshots: the numbers of the earlier snapshot without its changed rows. They
 * are kept for each snapshot, because to count all registrations again every column of them has to be read. Keeps those of the later
 * one for the next publication, and those of the earlier one for the case that this publication is refused.
 */
export async function unchangedCounts(db: Connection, sql: CountsSql, rows: CountedRows): Promise<Counts> {
  const { changed, roots } = rows;
  const form = sha256(`${LIBRARY_VERSION} ${sql('rows')}`);
  const before = (await keptCounts(db, roots.before, form)) ?? (await count(db, sql(rows.before)));
  const same = sumOf(before, await count(db, sql(changed.before)), -1);
  const after = sumOf(same, await count(db, sql(changed.after)));
  await db.run('DELETE FROM gate_counts');
  await keepCounts(db, roots.before, form, before);
  if (roots.after !== roots.before) await keepCounts(db, roots.after, form, after);
  return same;
}

/** `a` and `times` b; a name or a registry that one of both lacks counts as 0. */
export function sumOf(a: Counts, b: Counts, times = 1): Counts {
  const sum: Counts = new Map([...a].map(([registry, numbers]) => [registry, { ...numbers }]));
  for (const [registry, numbers] of b) {
    const into = sum.get(registry) ?? {};
    for (const [name, number] of Object.entries(numbers)) into[name] = (into[name] ?? 0) + times * number;
    sum.set(registry, into);
  }
  return sum;
}

export async function count(db: Connection, sql: string): Promise<Counts> {
  const rows = await db.all(sql);
  return new Map(
    rows.map(({ registry, ...numbers }) => [
      String(registry),
      Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, Number(number)])),
    ]),
  );
}

async function keptCounts(db: Connection, root: string, form: string): Promise<Counts | null> {
  const kept = await db.one('SELECT counts FROM gate_counts WHERE root = $1 AND form = $2', [root, form]);
  return kept && new Map(Object.entries(JSON.parse(String(kept.counts)) as Record<string, Record<string, number>>));
}

async function keepCounts(db: Connection, root: string, form: string, counts: Counts): Promise<void> {
  await db.run('INSERT INTO gate_counts VALUES ($1, $2, $3)', [root, form, JSON.stringify(Object.fromEntries(counts))]);
}
