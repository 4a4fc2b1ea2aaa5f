import { createHash } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { readCurrent, readManifest } from '../../snapshot/format/versions/current.ts';
import { readLastCheck } from '../../snapshot/format/versions/state.ts';
import { payloadSource } from '../../snapshot/sql/tables.ts';
import { buildTestImage, type CorpusSpec, manifestRegistries } from '../../test/builders/working-database.ts';
import { deep } from '../../test/support/runner/amount.ts';
import { TestPublisher } from '../../test/support/snapshots/publisher.ts';
import { publishedFacts, renderList, renderManifest, statedPublished } from '../cli/reports.ts';
import { textOf } from '../cli/text.ts';
import { PublicationRefused } from './checks/gate.ts';
import { list, show } from './retention/version-list.ts';

const corpus: CorpusSpec = {
  trials: [
    { canonicalId: 'wt_aaaaaaaaaaaa', members: [{ id: 'NCT00000001' }, { id: 'ISRCTN00000001' }] },
    { canonicalId: 'wt_bbbbbbbbbbbb', members: [{ id: 'NCT00000002', raw_part: 'part-b.parquet' }] },
    { canonicalId: 'wt_cccccccccccc', members: [{ id: 'ISRCTN00000002', raw_part: 'part-b.parquet' }] },
  ],
  formerIds: [['wt_zzzzzzzzzzzz', 'alias', 'wt_aaaaaaaaaaaa']],
  links: [{ link_id: 'ln_1' }, { link_id: 'ln_2', verdict: 'rejected', reason: 'ambiguous', conflict: true }],
  identifiers: [
    ['nct', 'NCT09999999'],
    ['eudract', '2008-005514-40'],
  ].map(([type, value]) => ({
    registry: 'isrctn',
    registration_id: 'ISRCTN00000002',
    type,
    value,
    role: 'declared',
    field: 'f',
    raw_value: value,
    suspect: false,
    in_index: false,
  })),
  publications: (['NCT00000001', 'NCT00000001', 'ISRCTN00000001'] as const).map((id, ordinal) => ({
    registry: id.startsWith('NCT') ? 'clinicaltrials_gov' : 'isrctn',
    registration_id: id,
    ordinal,
    kind: 'other',
    retracted: false,
  })),
  deadPayloads: [['part-b.parquet', 'NCT00000009']],
};

let publisher: TestPublisher;
beforeAll(async () => {
  publisher = await TestPublisher.of(corpus);
  return () => publisher[Symbol.asyncDispose]();
});
const current = async (): Promise<string> => (await readCurrent(publisher.snapshots))!;
const currentManifest = async () => readManifest(publisher.dir(await current()));

describe('publish', () => {
  it('writes every table, names itself by time and identity, and becomes CURRENT', async () => {
    const { version, manifest } = await publisher.publish();
    const stated = await readFile(join(publisher.dir(version), 'manifest.json'), 'utf8');
    expect(manifest.identity).toBe(createHash('sha256').update(stated).digest('hex'));
    expect(version).toBe(`20261121T031500Z-${manifest.identity?.slice(0, 8)}`);
    expect(await readCurrent(publisher.snapshots)).toBe(version);
    expect(await readManifest(publisher.dir(version))).toEqual(manifest);
    const rows = Object.entries(manifest.tables).map(([name, table]) => `${name} ${table.rows}`);
    expect(rows.join(', ')).toBe(
      'trials 3, registrations 4, identifiers 2, links 2, relations 0, publications 3, raw 4, quarantine 0, signals 0, canonical_ids 4',
    );
    const links = { linksAccepted: 1, linksRejected: 1, conflicts: 1, unresolved: 1 };
    expect(manifest.counts).toEqual({ trials: 3, registrations: 4, inBoth: 1, ...links });
    expect(manifest).toMatchObject({ parent: null, changes: null, createdAt: '2026-11-21T03:15:00.000Z' });
    expect((await readdir(publisher.snapshots)).sort()).toEqual([version, 'CURRENT', 'log']);
    expect(await publisher.problems(version)).toEqual([]);
  });

  it('a second run in the same second takes the next one, with the same content hash and no change', async () => {
    const first = await current();
    const { version, manifest } = await publisher.publish();
    expect(version).toMatch(/^20261121T031501Z-/);
    expect(manifest.parent).toBe(first);
    expect(manifest.changes).toEqual({ added: 0, changed: 0, removed: 0, merged: 0, split: 0 });
  });

  deep.it(
    'the content hash is the same in another folder, with other run times, part files and row order',
    async () => {
      const elsewhere = { raw_part: 'x.parquet', retrieved_at: '2020-01-01T00:00:00.000Z' };
      const trials = corpus.trials
        .map((trial) => ({ ...trial, members: trial.members.map((member) => ({ ...member, ...elsewhere })) }))
        .reverse();
      await using other = await TestPublisher.of({ ...corpus, deadPayloads: [], trials });
      const now = () => new Date('2030-01-01T00:00:00Z');
      const { manifest } = await other.publish({ codeVersion: 'elsewhere' }, { now });
      expect(manifest.contentHash).toBe((await currentManifest()).contentHash);
    },
  );

  deep.it('one changed value changes the content hash', async () => {
    const changed = structuredClone(corpus);
    changed.trials[0]!.members[0]!.eligibility_text = 'Adults';
    await using other = await TestPublisher.of(changed);
    const { contentHash, tables } = (await other.publish()).manifest;
    const before = await currentManifest();
    expect(contentHash).not.toBe(before.contentHash);
    expect(tables.registrations.root).not.toBe(before.tables.registrations.root);
    expect(tables.trials.root).toBe(before.tables.trials.root);
  });

  it('parts are linked, and a payload in them that no registration names is none of the snapshot', async () => {
    const version = await current();
    const raw = join(publisher.dir(version), 'raw');
    const parts = join(publisher.dataDir, 'work', 'raw-parts');
    expect((await stat(join(raw, 'part-0000.parquet'))).ino).toBe((await stat(join(parts, 'part-a.parquet'))).ino);
    expect((await stat(join(raw, 'part-0001.parquet'))).ino).toBe((await stat(join(parts, 'part-b.parquet'))).ino);
    const held = await publisher.db.all(`SELECT id FROM read_parquet('${join(raw, 'part-*.parquet')}') ORDER BY id`);
    expect(held).toContainEqual({ id: 'NCT00000009' });
    const own = await publisher.db.all(`SELECT id FROM ${payloadSource(publisher.dir(version), ['id'])} ORDER BY id`);
    expect(own.map(({ id }) => id)).toEqual(['ISRCTN00000001', 'ISRCTN00000002', 'NCT00000001', 'NCT00000002']);
    expect((await readManifest(publisher.dir(version))).tables.raw.rows).toBe(4);
  });

  deep.it('an empty corpus is published with empty tables', async () => {
    await using other = await TestPublisher.of({ trials: [] });
    expect(await other.problems((await other.publish()).version)).toEqual([]);
  });
});

describe('publish refuses', () => {
  const refused = async (broken: CorpusSpec, { changes = {}, sql = '' } = {}): Promise<string> => {
    await using other = await TestPublisher.of(broken);
    if (sql !== '') await other.db.run(sql);
    const error = await other.publish(changes).then(
      () => new Error('was published'),
      (reason: Error) => reason,
    );
    expect(await readdir(other.snapshots).catch(() => [])).toEqual([]);
    return error.message;
  };

  test('a registration in two trials', async () => {
    const trials = [...corpus.trials, { canonicalId: 'wt_dddddddddddd', members: [{ id: 'NCT00000003' }] }];
    const sql = "UPDATE trial_members SET registration_id = 'NCT00000002' WHERE registration_id = 'NCT00000003'";
    expect(await refused({ trials }, { sql })).toContain(
      'registration NCT00000002 is in 2 trials instead of one: the tables come from different runs; run normalise and dedup again',
    );
  });

  deep.it('two registrations of one registry in a trial', async () => {
    const trials = [{ canonicalId: 'wt_aaaaaaaaaaaa', members: [{ id: 'NCT00000001' }, { id: 'NCT00000002' }] }];
    expect(await refused({ trials })).toContain('trial wt_aaaaaaaaaaaa holds 2 registrations of clinicaltrials_gov');
  });

  deep.it('a payload that is not in its part', async () => {
    const members = [{ id: 'NCT00000001', payload_sha256: 'f'.repeat(64) }];
    expect(await refused({ trials: [{ canonicalId: 'wt_aaaaaaaaaaaa', members }] })).toBe(
      'the payload of NCT00000001 is not in data/work/raw-parts/part-a.parquet with its checksum; run `pipeline normalise`, which writes it again from the raw set',
    );
  });

  deep.it('numbers of a registry that are not those of the tables', async () => {
    const registries = manifestRegistries(corpus).map((registry) => ({ ...registry, registrations: 7 }));
    expect(await refused(corpus, { changes: { registries } })).toBe(
      'clinicaltrials_gov (answered) should have 7 rows in registrations, but the table holds 2',
    );
  });

  test('a serving image that cannot be built, and leaves nothing behind', async () => {
    const before = await readdir(publisher.snapshots);
    const fails = () => Promise.reject(new Error('no image'));
    await expect(publisher.publish({}, {}, fails)).rejects.toThrow('no image');
    expect(await readdir(publisher.snapshots)).toEqual(before);
  });
});

describe('nothing new to say', () => {
  const later = '2026-11-22T03:15:00.000Z';

  it('equal content publishes nothing and notes the check with what the registries said then', async () => {
    await using other = await TestPublisher.of(corpus);
    const there = other.snapshots;
    const run = (changes: object = {}) =>
      other.publish({ onlyIfNew: true, ...changes }, { now: () => new Date(later) });
    const first = await run();
    expect(first.unchangedAt).toBeNull();
    const registries = first.manifest.registries.map((registry) => ({ ...registry, lastSuccessAt: later }));
    const second = await run({ registries });
    expect(second).toMatchObject({ version: first.version, unchangedAt: later });
    expect(second.manifest).toEqual({ ...first.manifest, registries });
    expect(statedPublished(second)).toMatchObject({ version: first.version, manifest: first.manifest, registries });
    expect((await readdir(there)).sort()).toEqual([first.version, 'CURRENT', 'STATE.json', 'log']);
    expect(await readManifest(join(there, first.version))).toEqual(first.manifest);
    expect(await readLastCheck(there, first.version)).toMatchObject({ checkedAt: later, registries });
    expect(await readLastCheck(there, '20300101T000000Z-00000000')).toBeNull();
    const { snapshots } = await list(there);
    expect(snapshots).toMatchObject([{ version: first.version, checkedAt: later }]);
    expect(renderList(await list(there))).toMatch(
      new RegExp(`  ${first.manifest.identity}  still the newest content on ${later}\n`),
    );
    expect(renderManifest(await show(there, first.version))).toContain(
      `checked   on ${later}, unchanged since it was created\n`,
    );
  });

  deep.it('one changed value, or another image, is something new', async () => {
    await using other = await TestPublisher.of(corpus);
    const run = (build = buildTestImage) => other.publish({ onlyIfNew: true }, {}, build);
    const first = await run();
    const image = await run(async (paths, effects) => ({ ...(await buildTestImage(paths, effects)), imageVersion: 2 }));
    expect(image.version).not.toBe(first.version);
    expect(textOf(publishedFacts(image))).toContain(
      `\n          nothing new, but the image that was made now has other bytes than that of ${first.version} (serving/ids.arrow, serving/rows.arrow), so it was published anew\n`,
    );
    await other.db.run("UPDATE registrations SET eligibility_text = 'Adults'");
    expect((await run()).unchangedAt).toBeNull();
  });
});

deep.describe('without a parent that can be used', () => {
  // gc.test.ts has the other faults of CURRENT.
  deep.it('nothing is published where CURRENT is missing, unless no-parent is accepted', async () => {
    await using other = await TestPublisher.of(corpus);
    const there = other.snapshots;
    const run = (accept: string[]) => other.publish({ accept });
    const first = await run([]);
    await rm(join(there, 'CURRENT'));
    const before = (await readdir(there)).sort();
    const refusal = (await run([]).catch((error: unknown) => error)) as PublicationRefused;
    expect(refusal).toBeInstanceOf(PublicationRefused);
    const detail = expect.stringContaining('because CURRENT is missing');
    expect(refusal.breaches).toEqual([{ name: 'no-parent', detail, examples: [] }]);
    expect(refusal.message).toContain(`the newest sound version is ${first.version}`);
    expect((await readdir(there)).sort()).toEqual(before);

    const { version, manifest } = await run(['no-parent']);
    expect(manifest).toMatchObject({ parent: null, changes: null, accepted: ['no-parent'] });
    expect(await readCurrent(there)).toBe(version);
  });

  deep.it('a first publish that was killed before CURRENT named it is done again without asking', async () => {
    await using other = await TestPublisher.of(corpus);
    const there = other.snapshots;
    const run = (checkpoint: (name: string) => void) => other.publish({}, { checkpoint });
    const dies = (name: string) => {
      if (name === 'snapshot:durable') throw new Error('killed');
    };
    await expect(run(dies)).rejects.toThrow('killed');
    expect(await readdir(there)).toHaveLength(2);
    expect(await readCurrent(there)).toBeNull();
    const { version, manifest } = await run(() => undefined);
    expect(manifest).toMatchObject({ parent: null, accepted: [] });
    expect(await readCurrent(there)).toBe(version);
  });

  deep.it(
    'the newest version whose files have another size, or whose manifest was changed, is not called sound',
    async () => {
      await using other = await TestPublisher.of(corpus);
      const there = other.snapshots;
      const run = () => other.publish();
      const names = [(await run()).version, (await run()).version, (await run()).version];
      await writeFile(join(there, names[2]!, 'trials.parquet'), 'cut');
      await appendFile(join(there, names[1]!, 'manifest.json'), ' ');
      await rm(join(there, 'CURRENT'));
      await expect(readCurrent(there)).rejects.toMatchObject({ newestSound: names[0] });
      await rm(join(there, names[0]!, 'trials.parquet'));
      await expect(readCurrent(there)).rejects.toThrow('no version there is sound');
    },
  );
});

deep.it('what killed runs left behind is removed, whatever process has their number now', async () => {
  await using other = await TestPublisher.of(corpus);
  for (const pid of [999999999, process.pid, process.ppid])
    await mkdir(join(other.snapshots, `.tmp-${pid}`), { recursive: true });
  const { version } = await other.publish();
  expect((await readdir(other.snapshots)).sort()).toEqual([version, 'CURRENT', 'log']);
});
