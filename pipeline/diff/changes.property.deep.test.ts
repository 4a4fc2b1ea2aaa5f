import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHANGE_KEY, type DiffEntry } from '../../snapshot/sql/compare.ts';
import { wholeRowJson, withEscapes } from '../../snapshot/sql/row-json.ts';
import { columnList, comparedColumns, comparedFields, parquetSource } from '../../snapshot/sql/tables.ts';
import { anyCorpus, withStatements } from '../../test/builders/worlds.ts';
import { TestPublisher } from '../../test/support/snapshots/publisher.ts';
import { changesIn } from '../publish/write-changes.ts';
import { withScratchDatabase } from '../store/scratch-database.ts';
import { diff, type SnapshotDiff } from './diff.ts';

const ACCEPT = ['shrink', 'lost', 'nulls', 'unknown', 'vocabulary', 'changed', 'newest', 'older']
  .flatMap((check) => ['clinicaltrials_gov', 'isrctn'].map((registry) => `${check}:${registry}`))
  .concat('merge-jump', 'as-of');

const KEYS = { trials: 'canonical_id', registrations: "registry || ' ' || id", links: 'link_id' } as const;
type Table = keyof typeof KEYS;
/** Values of a row by the names of its fields, as JSON. */
type Row = Record<string, string>;
type World = Record<Table, Map<string, Row>>;

function fieldsOf(table: Table, row: string): Row {
  const values = JSON.parse(row) as Record<string, Record<string, unknown>>;
  const fields = comparedFields(table).map(({ field, column, member }) => {
    const value = member === null ? values[column] : values[column]?.[member];
    return [field, JSON.stringify(value ?? null)];
  });
  return Object.fromEntries(fields) as Row;
}

/** All rows of a version that are compared. */
function worldOf(dir: string): Promise<World> {
  return withScratchDatabase(async (db) => {
    const tables = (Object.keys(KEYS) as Table[]).map(async (table) => {
      const row = withEscapes(wholeRowJson(table, comparedColumns(table), 't'));
      const found = await db.all(`SELECT ${KEYS[table]} AS k, ${row} AS row FROM ${parquetSource(dir, table)} t`);
      return [table, new Map(found.map((one) => [String(one.k), fieldsOf(table, String(one.row))]))] as const;
    });
    return Object.fromEntries(await Promise.all(tables)) as World;
  });
}

/** Follows the stored changes of a version from its parent. */
async function follow(world: World, dir: string): Promise<void> {
  const changes = await withScratchDatabase((db) =>
    db.all(`SELECT * FROM ${changesIn(dir)} ORDER BY ${columnList(CHANGE_KEY)}`),
  );
  for (const { kind, canonical_id, registry, registration_id, item, field, old, new: fresh } of changes) {
    const [subject] = String(kind).split('-');
    const table = `${subject}s` as Table;
    if (!(table in KEYS)) continue;
    const rows = world[table];
    const ids = { trials: canonical_id, registrations: `${registry} ${registration_id}`, links: item };
    const key = String(ids[table]);
    if (field !== null) {
      expect(rows.get(key)?.[String(field)]).toBe(old);
      rows.get(key)![String(field)] = String(fresh);
      continue;
    }
    expect(rows.get(key) ?? null).toEqual(old === null ? null : fieldsOf(table, String(old)));
    if (fresh === null) rows.delete(key);
    else rows.set(key, fieldsOf(table, String(fresh)));
  }
}

/** The differences of two worlds by their rows alone: keys, with the fields of changed rows and the other trials of moved ones. */
function plainDiff(a: World, b: World) {
  const rowsOf = (table: Table) => {
    const changed = [...a[table]].flatMap(([key, row]): [string, string[]][] => {
      const other = b[table].get(key);
      const fields = other === undefined ? [] : Object.keys(row).filter((field) => row[field] !== other[field]);
      return fields.length === 0 ? [] : [[key, fields]];
    });
    return {
      gone: [...a[table].keys()].filter((key) => !b[table].has(key)),
      fresh: [...b[table].keys()].filter((key) => !a[table].has(key)),
      changed: Object.fromEntries(changed),
    };
  };
  const trials = rowsOf('trials');
  const list = (row: Row | undefined, field: string): string[] => JSON.parse(row?.[field] ?? '[]');
  const members = (row: Row): string[] => [row.ctgov_id, row.isrctn_id].filter((id): id is string => id !== 'null');
  const holdersOf = (id: string) =>
    [...b.trials].filter(([, row]) => list(row, 'aliases').includes(id)).map(([k]) => k);
  const into = new Map(trials.gone.map((id) => [id, holdersOf(id).sort().join(', ')]));
  const outOf = new Map(
    trials.fresh.map((id) => {
      const own = members(b.trials.get(id)!);
      const from = [...a.trials].filter(([k, row]) => {
        const isLeft = b.trials.has(k) || holdersOf(k).length > 1;
        return isLeft && members(row).some((member) => own.includes(member));
      });
      return [id, from.map(([k]) => k).sort()];
    }),
  );
  return {
    trials: {
      added: trials.fresh.filter((id) => outOf.get(id)!.length === 0).sort(),
      removed: trials.gone.filter((id) => into.get(id) === '').sort(),
      changed: trials.changed,
      merged: Object.fromEntries([...into].filter(([, one]) => one !== '')),
      split: Object.fromEntries([...outOf].filter(([, one]) => one.length > 0)),
    },
    registrations: rowsOf('registrations'),
    links: rowsOf('links'),
  };
}

/** A diff in the form of `plainDiff`. */
function inShort({ trials, registrations, links }: SnapshotDiff): ReturnType<typeof plainDiff> {
  const key = (entry: DiffEntry): string =>
    'canonicalId' in entry ? entry.canonicalId : 'linkId' in entry ? entry.linkId : `${entry.registry} ${entry.id}`;
  const fields = (entries: DiffEntry[]) =>
    Object.fromEntries(
      entries.map((entry) => {
        const names = 'fields' in entry ? entry.fields.map(({ field }) => field) : [];
        return [key(entry), names.filter((name) => !name.startsWith('identifiers.'))];
      }),
    );
  const moved = <Value>(entries: DiffEntry[], of: (entry: never) => Value) =>
    Object.fromEntries(entries.map((entry) => [key(entry), of(entry as never)]));
  return {
    trials: {
      added: trials.added.map(key),
      removed: trials.removed.map(key),
      changed: fields(trials.changed),
      merged: moved(trials.merged, ({ into }: { into: string }) => into),
      split: moved(trials.split, ({ outOf }: { outOf: string[] }) => outOf),
    },
    registrations: {
      gone: registrations.removed.map(key),
      fresh: registrations.added.map(key),
      changed: fields(registrations.changed),
    },
    links: { gone: links.lost.map(key), fresh: links.gained.map(key), changed: fields(links.changed) },
  };
}

test('of consecutive versions, any two differ as a plain comparison of rows says, and the stored changes lead from each to the next', async () => {
  const worlds = fc.array(withStatements(anyCorpus), { minLength: 3, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(worlds, async (corpora) => {
      await using publisher = await TestPublisher.of(corpora[0]);
      const { snapshots } = publisher;
      const versions: string[] = [];
      for (const corpus of corpora) versions.push((await publisher.publishNext(corpus, { accept: ACCEPT })).version);
      const held = new Map<string, World>();
      for (const version of versions) held.set(version, await worldOf(publisher.dir(version)));
      for (const [at, a] of versions.entries())
        for (const b of versions.slice(at))
          for (const [from, to] of [[a, b] as const, [b, a] as const])
            expect(inShort(await diff(snapshots, from, to, null)), `${from} to ${to}`).toEqual(
              plainDiff(held.get(from)!, held.get(to)!),
            );
      const world = await worldOf(publisher.dir(versions[0]!));
      for (const version of new Set(versions.slice(1))) {
        await follow(world, publisher.dir(version));
        expect(world, version).toEqual(held.get(version));
      }
      expect(await publisher.problems(versions.at(-1)!)).toEqual([]);
    }),
    { numRuns: 4, seed: 20261125, endOnFailure: true },
  );
});
