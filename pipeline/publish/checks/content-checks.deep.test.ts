import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { REGISTRY_IDS, type RegistryId } from '../../../contract/ids.ts';
import { sqlLiteral } from '../../../snapshot/sql/connection.ts';
import {
  type CorpusSpec,
  fillRegistrations,
  makeWorkingDatabase,
  type RegistrationSpec,
} from '../../../test/builders/working-database.ts';
import { folderOfFile } from '../../../test/support/folders.ts';
import { deep } from '../../../test/support/runner/amount.ts';
import type { Database } from '../../store/database.ts';
import { ACCEPT_NAMES, loadCheckRules } from './check-rules.ts';
import { checkContent } from './content-checks.ts';
import { assertAccepted, type Finding } from './gate.ts';

/** Two snapshots after each other: what the second one states of the first one's records. */

const root = folderOfFile();
let db: Database;
const rules = await loadCheckRules();
beforeAll(async () => {
  db = await makeWorkingDatabase(join(root.path, 'data'), { trials: [] });
  return () => db.close();
});

type Values = Partial<RegistrationSpec>;

const date = (day: string) => ({ date: day, precision: 'day', type: null });
const WHOLE: Values = {
  status: 'running',
  status_raw: 'RECRUITING',
  phase: '2',
  phase_raw: 'PHASE2',
  sponsor_name: 'Example University',
  conditions: ['Heart Failure'],
  last_updated_date: date('2026-11-01'),
};

const id = (index: number): string => `NCT${String(index).padStart(8, '0')}`;
/** `count` records; `change` gives what is other than in WHOLE, or null for a record that stays as it is. */
function records(count: number, change: (index: number) => Values | null = () => null): CorpusSpec {
  return {
    trials: Array.from({ length: count }, (_, index) => {
      const changed = change(index);
      const payload = changed === null ? `{"id":${index}}` : `{"id":${index},"changed":${JSON.stringify(changed)}}`;
      return {
        canonicalId: `wt_${String(index).padStart(12, 'a')}`,
        members: [{ ...WHOLE, ...changed, payload, id: id(index) }],
      };
    }),
  };
}

/** The tables of a snapshot that the checks of content read. */
async function tablesOf(corpus: CorpusSpec, name: string): Promise<string> {
  const dir = join(root.path, name);
  await mkdir(dir, { recursive: true });
  await fillRegistrations(db, join(root.path, 'data'), corpus);
  for (const table of ['registrations', 'quarantine'] as const)
    await db.run(`COPY ${table} TO ${sqlLiteral(join(dir, `${table}.parquet`))} (FORMAT parquet)`);
  return dir;
}

/** What the checks find in the second corpus after the first. */
async function findings(
  first: CorpusSpec,
  second: CorpusSpec,
  asOf = '2026-11-20',
  registries: readonly RegistryId[] = ['clinicaltrials_gov'],
): Promise<Finding[]> {
  const before = { dir: await tablesOf(first, 'before'), asOf: '2026-11-20' };
  const after = { dir: await tablesOf(second, 'after'), asOf };
  return checkContent(db, { before, after, registries }, rules);
}

/** Name and examples of what stops the second corpus. */
async function refused(first: CorpusSpec, second: CorpusSpec): Promise<unknown[]> {
  return (await findings(first, second)).filter((one) => one.exceeded).map(({ name, examples }) => [name, examples]);
}

const OF = 'clinicaltrials_gov';
const FIRST_THREE = [id(0), id(1), id(2)];

describe('a field that is renamed', () => {
  test('in every record stops the run, with the column, three examples and the name to accept', async () => {
    const second = records(40, () => ({ conditions: [], sponsor_name: null, status: 'unknown', status_raw: null }));
    const found = await findings(records(40), second);
    expect(() => assertAccepted(found, [])).toThrow(
      'nulls:clinicaltrials_gov:conditions: column conditions: of 40 values expected in the records held before 40 are missing ' +
        '(100 %, at most 20 %), for example NCT00000000, NCT00000001, NCT00000002\n' +
        'To accept all: --accept unknown:clinicaltrials_gov:status nulls:clinicaltrials_gov:sponsor_name ' +
        'nulls:clinicaltrials_gov:conditions --reason "who accepts it and why"',
    );
    expect(await refused(records(40), second)).toEqual([
      [`unknown:${OF}:status`, FIRST_THREE],
      [`nulls:${OF}:sponsor_name`, FIRST_THREE],
      [`nulls:${OF}:conditions`, FIRST_THREE],
    ]);
  });

  test('in the few records of an increment stops it too, from six records on', async () => {
    const increment = (size: number) => records(300, (index) => (index < size ? { conditions: [] } : null));
    expect(await refused(records(300), increment(6))).toEqual([[`nulls:${OF}:conditions`, FIRST_THREE]]);
    const few = (await findings(records(300), increment(5))).find(({ name }) => name === `nulls:${OF}:conditions`);
    expect(few).toMatchObject({ figure: 1, affected: 5, limit: 0.2, exceeded: false });
  });

  test('in new records alone stops it, where a field is rarely blank', async () => {
    const second = records(120, (index) => (index < 100 ? null : { sponsor_name: null }));
    expect(await refused(records(100), second)).toEqual([[`nulls:${OF}:sponsor_name`, [id(100), id(101), id(102)]]]);
  });

  test('is not seen in a changed record whose status needs no value; in a status that does, it stops it', async () => {
    const stopped = (index: number): Values | null =>
      index < 10 ? { why_stopped: 'Slow', status: 'suspended' } : null;
    const later = (status: string) => (index: number) => (index < 10 ? { why_stopped: null, status } : null);
    expect(await refused(records(300, stopped), records(300, later('running')))).toEqual([]);
    expect(await refused(records(300, stopped), records(300, later('terminated')))).toEqual([
      [`nulls:${OF}:why_stopped`, FIRST_THREE],
    ]);
  });

  test('is not seen in new records without results or that nobody stopped, nor in a field that one in five states', async () => {
    const stated = (index: number): Values | null =>
      index < 100
        ? { results_posted_date: date('2026-01-01'), why_stopped: 'Slow', ...(index % 5 === 0 ? { acronym: 'A' } : {}) }
        : null;
    const second = records(120, stated);
    expect(await refused({ trials: second.trials.slice(0, 100) }, second)).toEqual([]);
  });
});

describe('words', () => {
  test("that no vocabulary holds stop it; the registry's own word for unknown does not", async () => {
    const spelled = (word: string) =>
      records(40, (index) => (index < 10 ? { phase: 'not-stated', phase_raw: word } : null));
    expect(await refused(records(40), spelled('PHASE_TWO'))).toEqual([
      [`unknown:${OF}:phase`, FIRST_THREE],
      [`vocabulary:${OF}:phase`, FIRST_THREE],
    ]);
    expect(await refused(records(40), spelled('Not Specified'))).toEqual([[`unknown:${OF}:phase`, FIRST_THREE]]);
  });
});

describe('records', () => {
  test('that differ in more than a tenth of all stop it; after a hundred days they may', async () => {
    const second = records(400, (index) => (index < 51 ? { title: 'Another' } : null));
    expect(await refused(records(400), second)).toEqual([[`changed:${OF}`, FIRST_THREE]]);
    const later = await findings(records(400), second, '2027-02-28');
    expect(later.find(({ check }) => check === 'changed')).toMatchObject({
      ...{ figure: 0.1275, affected: 51, limit: 1, exceeded: false },
    });
  });

  test('without the newest days stop it', async () => {
    const first = records(200, (index) => (index < 2 ? { last_updated_date: date('2026-11-05') } : null));
    const second = { trials: first.trials.slice(2) };
    expect(await refused(first, second)).toEqual([[`newest:${OF}`, []]]);
  });

  test('that would go back in time stop it, by their day and by their version', async () => {
    const first = records(50, (index) => (index === 4 ? { source_version: '10' } : null));
    const older = records(50, (index) => {
      if (index === 3) return { last_updated_date: date('2026-10-31') };
      return index === 4 ? { source_version: '9' } : null;
    });
    expect(await refused(first, older)).toEqual([[`older:${OF}`, [id(3), id(4)]]]);
  });

  test('that were kept back pass while they are few', async () => {
    const keptBack = (count: number): CorpusSpec => ({
      ...records(50),
      quarantine: Array.from({ length: count }, (_, index) => {
        return { registry: OF, id: id(index), reason: 'older-than-published', detail: 'd', excerpt: 'e', file: 'f' };
      }),
    });
    expect(await refused(records(50), keptBack(5))).toEqual([]);
    expect(await refused(records(50), keptBack(6))).toEqual([[`older:${OF}`, FIRST_THREE]]);
  });
});

// All registries are compared in one table.
deep.it('each registry is judged by its own records alone', async () => {
  const blank = (lost: number) => (index: number) => (index < lost ? { conditions: [] } : null);
  const isrctn = (lost: number): CorpusSpec['trials'] =>
    Array.from({ length: 9 }, (_, index) => ({
      canonicalId: `wt_${String(index).padStart(12, 'b')}`,
      members: [{ ...WHOLE, ...blank(lost)(index), id: `ISRCTN0000000${index}` }],
    }));
  const corpus = (ctgov: number, lost: number): CorpusSpec => ({
    trials: [...records(200, blank(ctgov)).trials, ...isrctn(lost)],
  });
  const found = await findings(corpus(0, 0), corpus(60, 5), '2026-11-20', REGISTRY_IDS);
  expect(found.filter(({ exceeded }) => exceeded).map(({ name, examples }) => [name, examples])).toEqual([
    [`nulls:${OF}:conditions`, FIRST_THREE],
    [`changed:${OF}`, FIRST_THREE],
  ]);
  const about = (name: string) => found.find((finding) => finding.name === name);
  expect(about(`nulls:${OF}:conditions`)).toMatchObject({ affected: 60, figure: 1 });
  expect(about('nulls:isrctn:conditions')).toMatchObject({ affected: 5, figure: 5 / 9 });
  expect(about('changed:isrctn')).toMatchObject({ affected: 0, figure: 0 });
  const without = await findings(records(10), records(10), '2026-11-20', REGISTRY_IDS);
  expect(without.find(({ name }) => name === 'nulls:isrctn:conditions')).toMatchObject({ affected: 0, figure: 0 });
});

test('a figure stands for every column under a name that --accept takes, also where nothing differs', async () => {
  const found = await findings(records(10), records(10));
  const names = found.map(({ name }) => name);
  expect(names.filter((name) => !ACCEPT_NAMES.includes(name))).toEqual([]);
  for (const name of [`nulls:${OF}:conditions`, `vocabulary:${OF}:status`, `changed:${OF}`, `older:${OF}`])
    expect(names).toContain(name);
  expect(found.filter(({ figure, exceeded }) => figure !== 0 || exceeded)).toEqual([]);
});
