import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { defineTrials } from '../../pipeline/publish/write-tables.ts';
import type { Database } from '../../pipeline/store/database.ts';
import { TABLE_SPECS, writtenColumns } from '../../snapshot-sql/tables.ts';
import { type CorpusSpec, fillWorkingDatabase, type RegistrationSpec } from './working-database.ts';

/**
 * One of four pairs of a world, each with a registration in either registry. It says which sides are held, whether
 * they are one trial, which side founds the trial, the title, and record content that no trial shows. The ids follow
 * the founding registration, as in dedup.
 */
interface Pair {
  c: boolean;
  i: boolean;
  joined: boolean;
  founder: boolean;
  title: string | null;
  unshown: string;
}
const pair: fc.Arbitrary<Pair> = fc.record({
  c: fc.boolean(),
  i: fc.boolean(),
  joined: fc.boolean(),
  founder: fc.boolean(),
  title: fc.constantFrom('x', 'y', null),
  unshown: fc.constantFrom('one', 'two'),
});
const world = fc.array(pair, { minLength: 4, maxLength: 4 });
export const anyCorpus: fc.Arbitrary<CorpusSpec> = world.map(corpusOf);

const nct = (n: number): string => `NCT0000000${n}`;
const isrctn = (n: number): string => `ISRCTN0000000${n}`;

function corpusOf(pairs: readonly Pair[]): CorpusSpec {
  const corpus: Required<Pick<CorpusSpec, 'trials' | 'formerIds'>> = { trials: [], formerIds: [] };
  pairs.forEach(({ c, i, joined, founder, title, unshown }, n) => {
    const sides: (RegistrationSpec & { id: string })[] = [];
    const said = { title, eligibility_text: unshown, payload: JSON.stringify([title, unshown]) };
    if (c) sides.push({ id: nct(n), ...said });
    if (i) sides.push({ id: isrctn(n), ...said });
    if (founder) sides.reverse();
    const idOf = (side: RegistrationSpec) => `wt_${side.id}`;
    if (sides.length === 2 && joined) {
      corpus.trials.push({ canonicalId: idOf(sides[0]!), members: sides });
      corpus.formerIds.push([idOf(sides[1]!), 'alias', idOf(sides[0]!)]);
    } else corpus.trials.push(...sides.map((side) => ({ canonicalId: idOf(side), members: [side] })));
  });
  return corpus;
}

/**
 * Fills the working database with a corpus and writes its two wide tables to `<dir>/<side>`. Returns that directory.
 */
export async function writeWideTables(db: Database, dir: string, corpus: CorpusSpec, side: string): Promise<string> {
  await fillWorkingDatabase(db, dir, corpus);
  await defineTrials(db);
  await mkdir(join(dir, side), { recursive: true });
  for (const table of ['trials', 'registrations'] as const) {
    const { source } = TABLE_SPECS[table];
    const target = join(dir, side, `${table}.parquet`);
    await db.run(`COPY (SELECT ${writtenColumns(table)} FROM ${source}) TO '${target}' (FORMAT parquet)`);
  }
  return join(dir, side);
}
