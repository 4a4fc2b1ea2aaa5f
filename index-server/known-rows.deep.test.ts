import { expect, inject, test } from 'vitest';
import { canonicalJson } from '../contract/canonical-json.ts';
import { readLog } from '../snapshot/format/versions/publication-log.ts';
import { leafMembers, rowJson } from '../snapshot/sql/row-json.ts';
import { hashedColumns, parquetSource } from '../snapshot/sql/tables.ts';
import { ofFile } from '../test/support/of-file.ts';
import { openSample } from '../test/support/snapshots/opened-sample.ts';
import { knownRows } from './known-rows.ts';
import { readTrial } from './search/hints/held-trial.ts';
import { ProofStore } from './store/proof-store.ts';

const sample = ofFile(() => openSample());

/** Each row of a table as its leaf has it, by key. */
async function leavesOf(table: 'trials' | 'registrations', key: string): Promise<Map<string, Record<string, unknown>>> {
  const rows = await sample.db.all(
    `SELECT "${key}" AS key, ${rowJson(table, hashedColumns(table))} AS leaf FROM ${parquetSource(sample.image.directory, table)}`,
  );
  return new Map(rows.map(({ key, leaf }) => [String(key), JSON.parse(String(leaf))]));
}

/** Columns that are not known, and members that are known otherwise than the row has them. */
function lacking(table: 'trials' | 'registrations', values: object, leaf: Record<string, unknown>) {
  const columns = hashedColumns(table);
  const members = leafMembers(table, columns, values as Record<string, unknown>);
  const known = new Set(members.map(({ column }) => column));
  const differing = members.filter(({ name, value }) => canonicalJson(value) !== canonicalJson(leaf[name]));
  return { unknown: columns.filter((column) => !known.has(column)), differing: differing.map(({ name }) => name) };
}

test('what a served record shows of each row of the sample is what the leaf of the row has', async () => {
  const trials = await leavesOf('trials', 'canonical_id');
  const registrations = await leavesOf('registrations', 'id');
  const found = { one: 0, two: 0 };
  for (const row of sample.rows) {
    const record = readTrial(sample.image, row);
    const isOne = record.registrations.length === 1;
    found[isOne ? 'one' : 'two'] += 1;
    const known = knownRows(record);
    expect(lacking('trials', known.trial, trials.get(record.canonicalId)!)).toEqual({
      unknown: ['founding_registry', 'founding_id', ...(isOne ? [] : ['origins'])],
      differing: [],
    });
    for (const [place, { id }] of record.registrations.entries())
      expect(lacking('registrations', known.registrations.get(id)!, registrations.get(id)!)).toEqual({
        unknown: place === 0 ? [] : ['eligibility_text'],
        differing: [],
      });
  }
  expect(found.one).toBeGreaterThan(700);
  expect(found.two).toBeGreaterThan(30);
});

test('a proof is the same with what is known, without it, and where it is wrong', async () => {
  await using proofs = new ProofStore();
  const log = await readLog(inject('sampleSnapshots'));
  const { rows } = sample;
  const two = rows.filter((row) => readTrial(sample.image, row).registrations.length === 2).slice(0, 2);
  for (const row of [0, 1, ...two]) {
    const record = readTrial(sample.image, row);
    const bundle = (known: Parameters<ProofStore['bundle']>[3]) =>
      proofs.bundle(
        { directory: sample.image.directory, manifest: sample.manifest },
        record.canonicalId,
        { log, since: null },
        known,
      );
    const read = await bundle(() => null);
    expect(await bundle(() => knownRows(record))).toEqual(read);
    expect(await bundle(() => knownRows({ ...record, title: 'Another title' }))).toEqual(read);
    expect(read.tables.registrations.rows).toHaveLength(record.registrations.length);
  }
});

test('more proofs than may wait are refused, and those that wait are made', async () => {
  await using proofs = new ProofStore();
  const log = await readLog(inject('sampleSnapshots'));
  const record = readTrial(sample.image, 0);
  const asked = Array.from({ length: 66 }, () =>
    proofs.bundle(
      { directory: sample.image.directory, manifest: sample.manifest },
      record.canonicalId,
      { log, since: null },
      () => knownRows(record),
    ),
  );
  const states = (await Promise.allSettled(asked)).map((one) =>
    one.status === 'rejected' ? (one.reason as Error).message : one.status,
  );
  expect(states.filter((state) => state === 'fulfilled')).toHaveLength(64);
  expect(states.slice(-2)).toEqual(['64 proofs wait already', '64 proofs wait already']);
});
