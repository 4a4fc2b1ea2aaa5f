import { createHash } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { readCurrent, readManifest } from '../../snapshot/format/versions/current.ts';
import { readLastCheck } from '../../snapshot/format/versions/last-check.ts';
import { payloadSource } from '../../snapshot/sql/tables.ts';
import {
  buildTestImage,
  type CorpusSpec,
  fillWorkingDatabase,
  makeWorkingDatabase,
  publishInputs,
  quietEffects,
  temporaryDirectory,
} from '../../test/builders/working-database.ts';
import { amountOf, deep } from '../../test/support/runner/amount.ts';
import { renderPublished, statedPublished } from '../cli/render.ts';
import type { Database } from '../store/database.ts';
import { PublicationRefused } from './checks/gate.ts';
import { publish } from './publish.ts';
import { reindex } from './reindex.ts';
import { list, renderList, renderManifest, show } from './retention/version-list.ts';
import { verify } from './verify/verify.ts';

const corpus: CorpusSpec = {
  trials: [
    { canonicalId: 'wt_aaaaaaaaaaaa', members: [{ id: 'NCT00000001' }, { id: 'ISRCTN00000001' }] },
    { canonicalId: 'wt_bbbbbbbbbbbb', members: [{ id: 'NCT00000002', raw_part: 'part-b.parquet' }] },
    { canonicalId: 'wt_cccccccccccc', members: [{ id: 'ISRCTN00000002', raw_part: 'part-b.parquet' }] },
  ],
  formerIds: [['wt_zzzzzzzzzzzz', 'alias', 'wt_aaaaaaaaaaaa']],
  links: [{ link_id: 'ln_1' }, { link_id: 'ln_2', verdict: 'rejected', reason: 'ambiguous', conflict: true }],
  identifiers: [
    {
      registry: 'isrctn',
      registration_id: 'ISRCTN00000002',
      type: 'nct',
      value: 'NCT09999999',
      role: 'declared',
      field: 'f',
      raw_value: 'NCT09999999',
      suspect: false,
      in_index: false,
    },
    {
      registry: 'isrctn',
      registration_id: 'ISRCTN00000002',
      type: 'eudract',
      value: '2008-005514-40',
      role: 'declared',
      field: 'f',
      raw_value: 'x',
      suspect: false,
      in_index: false,
    },
  ],
  publications: (['NCT00000001', 'NCT00000001', 'ISRCTN00000001'] as const).map((id, ordinal) => ({
    registry: id.startsWith('NCT') ? 'clinicaltrials_gov' : 'isrctn',
    registration_id: id,
    ordinal,
    kind: 'other',
    retracted: false,
  })),
  deadPayloads: [['part-b.parquet', 'NCT00000009']],
};

let root: Awaited<ReturnType<typeof temporaryDirectory>>;
let db: Database;
const snapshots = () => join(root.path, 'snapshots');

beforeAll(async () => {
  root = await temporaryDirectory();
  db = await makeWorkingDatabase(join(root.path, 'data'), corpus);
});
afterAll(async () => {
  await db.close();
  await root[Symbol.asyncDispose]();
});

describe('publish', () => {
  it('writes every table, names itself by time and identity, and becomes CURRENT', async () => {
    const { version, manifest } = await publish(publishInputs(root.path, corpus), db, buildTestImage, quietEffects());
    const statement = await readFile(join(snapshots(), version, 'statement.json'), 'utf8');
    expect(manifest.identity).toBe(createHash('sha256').update(statement).digest('hex'));
    expect(version).toBe(`20261121T031500Z-${manifest.identity?.slice(0, 8)}`);
    expect(await readCurrent(snapshots())).toBe(version);
    expect(await readManifest(join(snapshots(), version))).toEqual(manifest);
    expect(Object.fromEntries(Object.entries(manifest.tables).map(([name, table]) => [name, table.rows]))).toEqual({
      trials: 3,
      registrations: 4,
      identifiers: 2,
      links: 2,
      relations: 0,
      publications: 3,
      raw: 4,
      quarantine: 0,
      signals: 0,
      canonical_ids: 4,
    });
    expect(manifest.counts).toEqual({
      trials: 3,
      registrations: 4,
      inBoth: 1,
      linksAccepted: 1,
      linksRejected: 1,
      conflicts: 1,
      unresolved: 1,
    });
    expect(manifest).toMatchObject({ parent: null, changes: null, createdAt: '2026-11-21T03:15:00.000Z' });
    expect((await readdir(snapshots())).sort()).toEqual([version, 'CURRENT', 'log']);
    const verified = {
      version,
      files: 26,
      rows: 22,
      problems: [],
      mend: null,
      log: { index: 0, size: 1, signedBy: [], notes: [] },
      image: { state: 'summed' },
    };
    expect(await verify(snapshots(), version, quietEffects())).toEqual(verified);
    // Publications are read by registration, so there is one file for each id prefix.
    expect(manifest.tables.publications.files.map(({ path }) => path)).toEqual([
      'publications-ISRCTN.parquet',
      'publications-NCT000.parquet',
    ]);
  });

  it('a second run in the same second takes the next one, with the same content hash and no change', async () => {
    const first = (await readCurrent(snapshots()))!;
    const { version, manifest } = await publish(publishInputs(root.path, corpus), db, buildTestImage, quietEffects());
    expect(version).toMatch(/^20261121T031501Z-/);
    expect(manifest.parent).toBe(first);
    expect(manifest.changes).toEqual({ added: 0, changed: 0, removed: 0, merged: 0, split: 0 });
  });

  it('the content hash is the same in another folder, with other run times, part files and row order', async () => {
    await using other = await temporaryDirectory();
    const moved: CorpusSpec = {
      ...corpus,
      deadPayloads: [],
      trials: corpus.trials
        .map((trial) => ({
          ...trial,
          members: trial.members.map((member) => ({
            ...member,
            raw_part: 'x.parquet',
            retrieved_at: '2020-01-01T00:00:00.000Z',
          })),
        }))
        .reverse(),
    };
    await using otherDb = await makeWorkingDatabase(join(other.path, 'data'), moved);
    const inputs = publishInputs(other.path, moved, { codeVersion: 'elsewhere' });
    const { manifest } = await publish(
      inputs,
      otherDb,
      buildTestImage,
      quietEffects({ now: () => new Date('2030-01-01T00:00:00Z') }),
    );
    expect(manifest.contentHash).toBe(
      (await readManifest(join(snapshots(), (await readCurrent(snapshots()))!))).contentHash,
    );
  });

  it('one changed value changes the content hash', async () => {
    await using other = await temporaryDirectory();
    const changed = structuredClone(corpus);
    changed.trials[0]!.members[0]!.eligibility_text = 'Adults';
    await using otherDb = await makeWorkingDatabase(join(other.path, 'data'), changed);
    const { manifest } = await publish(publishInputs(other.path, changed), otherDb, buildTestImage, quietEffects());
    const before = await readManifest(join(snapshots(), (await readCurrent(snapshots()))!));
    expect(manifest.contentHash).not.toBe(before.contentHash);
    expect(manifest.tables.registrations.root).not.toBe(before.tables.registrations.root);
    expect(manifest.tables.trials.root).toBe(before.tables.trials.root);
  });

  it('parts are linked, and a payload in them that no registration names is none of the snapshot', async () => {
    const version = (await readCurrent(snapshots()))!;
    const raw = join(snapshots(), version, 'raw');
    const parts = join(root.path, 'data', 'work', 'raw-parts');
    expect((await stat(join(raw, 'part-0000.parquet'))).ino).toBe((await stat(join(parts, 'part-a.parquet'))).ino);
    expect((await stat(join(raw, 'part-0001.parquet'))).ino).toBe((await stat(join(parts, 'part-b.parquet'))).ino);
    const held = await db.all(`SELECT id FROM read_parquet('${join(raw, 'part-*.parquet')}') ORDER BY id`);
    expect(held).toContainEqual({ id: 'NCT00000009' });
    const own = await db.all(`SELECT id FROM ${payloadSource(join(snapshots(), version), ['id'])} ORDER BY id`);
    expect(own.map(({ id }) => id)).toEqual(['ISRCTN00000001', 'ISRCTN00000002', 'NCT00000001', 'NCT00000002']);
    expect((await readManifest(join(snapshots(), version))).tables.raw.rows).toBe(4);
  });

  it('signals have their columns although there is none yet', async () => {
    const file = join(snapshots(), (await readCurrent(snapshots()))!, 'signals.parquet');
    expect(
      await db.all(`SELECT column_name AS c, column_type AS t FROM (DESCRIBE SELECT * FROM read_parquet('${file}'))`),
    ).toEqual([
      { c: 'id', t: 'VARCHAR' },
      { c: 'source', t: 'VARCHAR' },
      { c: 'publisher', t: 'VARCHAR' },
      { c: 'language', t: 'VARCHAR' },
      { c: 'url', t: 'VARCHAR' },
      { c: 'title', t: 'VARCHAR' },
      { c: 'summary', t: 'VARCHAR' },
      { c: 'published_at', t: 'TIMESTAMP' },
      { c: 'first_seen_at', t: 'TIMESTAMP' },
      { c: 'date_basis', t: 'VARCHAR' },
      { c: 'category', t: 'VARCHAR' },
      { c: 'domain', t: 'VARCHAR' },
      { c: 'capital', t: 'VARCHAR' },
      { c: 'capital_terms', t: 'VARCHAR[]' },
      { c: 'lexicon_class', t: 'VARCHAR' },
      { c: 'class_terms', t: 'VARCHAR[]' },
    ]);
  });

  it('the manifest sum is what sha256sum -c reads', async () => {
    const dir = join(snapshots(), (await readCurrent(snapshots()))!);
    expect(await readFile(join(dir, 'manifest.json.sha256'), 'utf8')).toMatch(/^[0-9a-f]{64} {2}manifest\.json\n$/);
  });

  deep.it('an empty corpus is published with empty tables', async () => {
    await using other = await temporaryDirectory();
    const empty: CorpusSpec = { trials: [] };
    await using otherDb = await makeWorkingDatabase(join(other.path, 'data'), empty);
    const { version } = await publish(publishInputs(other.path, empty), otherDb, buildTestImage, quietEffects());
    expect((await verify(join(other.path, 'snapshots'), version, quietEffects())).problems).toEqual([]);
  });
});

describe('publish refuses', () => {
  const refused = async (broken: CorpusSpec, changes = {}): Promise<string> => {
    await using other = await temporaryDirectory();
    await using otherDb = await makeWorkingDatabase(join(other.path, 'data'), broken);
    const inputs = publishInputs(other.path, broken, changes);
    const error = await publish(inputs, otherDb, buildTestImage, quietEffects()).then(
      () => new Error('was published'),
      (reason: Error) => reason,
    );
    expect(await readdir(join(other.path, 'snapshots')).catch(() => [])).toEqual([]);
    return error.message;
  };

  test('a registration in two trials', async () => {
    const broken = { trials: [...corpus.trials, { canonicalId: 'wt_dddddddddddd', members: [{ id: 'NCT00000003' }] }] };
    await using other = await temporaryDirectory();
    await using otherDb = await makeWorkingDatabase(join(other.path, 'data'), broken);
    await otherDb.run("UPDATE trial_members SET registration_id = 'NCT00000002' WHERE registration_id = 'NCT00000003'");
    await expect(publish(publishInputs(other.path, broken), otherDb, buildTestImage, quietEffects())).rejects.toThrow(
      'registration NCT00000002 is in 2 trials instead of one: the tables come from different runs; run normalise and dedup again',
    );
  });

  test('two registrations of one registry in a trial', async () => {
    const trials = [{ canonicalId: 'wt_aaaaaaaaaaaa', members: [{ id: 'NCT00000001' }, { id: 'NCT00000002' }] }];
    expect(await refused({ trials })).toContain('trial wt_aaaaaaaaaaaa holds 2 registrations of clinicaltrials_gov');
  });

  test('a payload that is not in its part', async () => {
    const trials = [
      { canonicalId: 'wt_aaaaaaaaaaaa', members: [{ id: 'NCT00000001', payload_sha256: 'f'.repeat(64) }] },
    ];
    expect(await refused({ trials })).toBe(
      'the payload of NCT00000001 is not in data/work/raw-parts/part-a.parquet with its checksum; run `pipeline normalise`, which writes it again from the raw set',
    );
  });

  test('numbers of a registry that are not those of the tables', async () => {
    const registries = publishInputs('', corpus).registries.map((registry) => ({ ...registry, registrations: 7 }));
    expect(await refused(corpus, { registries })).toBe(
      'clinicaltrials_gov (answered) should have 7 rows in registrations, but the table holds 2',
    );
  });

  test('a serving image that cannot be built, and leaves nothing behind', async () => {
    const before = await readdir(snapshots());
    const fails = () => Promise.reject(new Error('no image'));
    await expect(publish(publishInputs(root.path, corpus), db, fails, quietEffects())).rejects.toThrow('no image');
    expect(await readdir(snapshots())).toEqual(before);
  });
});

deep.describe('the publication gate', () => {
  const many = (count: number): CorpusSpec => ({
    trials: Array.from({ length: count }, (_, index) => ({
      canonicalId: `wt_${String(index).padStart(12, 'a')}`,
      members: [{ id: `NCT${String(index).padStart(8, '0')}` }],
    })),
  });

  test('a registry that shrinks by more than 2 % is not published unless accepted, and the manifest keeps the name', async () => {
    await using other = await temporaryDirectory();
    await using otherDb = await makeWorkingDatabase(join(other.path, 'data'), many(100));
    const run = (corpus: CorpusSpec, accept: string[]) =>
      publish(
        publishInputs(other.path, corpus, { accept, reason: 'Ada: three withdrawn' }),
        otherDb,
        buildTestImage,
        quietEffects(),
      );
    const first = await run(many(100), []);
    await fillWorkingDatabase(otherDb, join(other.path, 'data'), many(97));
    const refused = await run(many(97), ['lost:isrctn']).catch((error: PublicationRefused) => error);
    expect(refused).toBeInstanceOf(PublicationRefused);
    expect(refused).toMatchObject({
      breaches: [
        {
          name: 'shrink:clinicaltrials_gov',
          detail: 'registrations fall from 100 to 97 (3 %, at most 2 %)',
          examples: ['NCT00000097', 'NCT00000098', 'NCT00000099'],
        },
      ],
      checks: expect.arrayContaining([
        { name: 'shrink:clinicaltrials_gov', figure: 0.03, affected: 3, limit: 0.02, verdict: 'refused' },
        { name: 'lost:clinicaltrials_gov', figure: 0, affected: null, limit: 0, verdict: 'passed' },
      ]),
    });
    expect(await readCurrent(join(other.path, 'snapshots'))).toBe(first.version);
    const { manifest } = await run(many(97), ['shrink:clinicaltrials_gov', 'merge-jump']);
    expect(manifest.accepted).toEqual(['shrink:clinicaltrials_gov']);
    expect(manifest.acceptance).toEqual({ reason: 'Ada: three withdrawn', at: '2026-11-21T03:15:00.500Z' });
    expect(renderManifest(manifest)).toContain(
      'accepted  shrink:clinicaltrials_gov\n          on 2026-11-21T03:15:00.500Z: Ada: three withdrawn\n',
    );
    expect(manifest.checks?.results).toContainEqual({
      ...{ name: 'shrink:clinicaltrials_gov', figure: 0.03, affected: 3, limit: 0.02, verdict: 'accepted' },
    });
    expect(manifest.changes).toEqual({ added: 0, changed: 0, removed: 3, merged: 0, split: 0 });
  });
});

describe('nothing new to say', () => {
  const later = '2026-11-22T03:15:00.000Z';

  it('equal content publishes nothing and notes the check with what the registries said then', async () => {
    await using other = await temporaryDirectory();
    const there = join(other.path, 'snapshots');
    await using otherDb = await makeWorkingDatabase(join(other.path, 'data'), corpus);
    const run = (changes: object = {}) =>
      publish(
        publishInputs(other.path, corpus, { onlyIfNew: true, ...changes }),
        otherDb,
        buildTestImage,
        quietEffects({ now: () => new Date(later) }),
      );
    const first = await run();
    expect(first.unchangedAt).toBeNull();
    const registries = first.manifest.registries.map((registry) => ({ ...registry, lastSuccessAt: later }));
    const second = await run({ registries });
    expect(second).toMatchObject({ version: first.version, unchangedAt: later });
    expect(second.manifest).toEqual({ ...first.manifest, registries });
    expect(statedPublished(second)).toMatchObject({ version: first.version, manifest: first.manifest, registries });
    expect((await readdir(there)).sort()).toEqual([first.version, 'CURRENT', 'LAST_CHECK.json', 'log']);
    expect(await readManifest(join(there, first.version))).toEqual(first.manifest);
    expect(await readLastCheck(there, first.version)).toMatchObject({ checkedAt: later, registries });
    expect(await readLastCheck(there, '20300101T000000Z-00000000')).toBeNull();
    const { snapshots } = await list(there);
    expect(snapshots).toMatchObject([{ version: first.version, checkedAt: later }]);
    expect(renderList(await list(there))).toContain(
      ` MB  still the newest content on ${later}  identity ${first.manifest.identity}\n`,
    );
    expect(renderManifest(await show(there, first.version))).toContain(
      `checked   on ${later}, unchanged since it was created\n`,
    );
  });

  deep.it('one changed value, or another image, is something new', async () => {
    await using other = await temporaryDirectory();
    await using otherDb = await makeWorkingDatabase(join(other.path, 'data'), corpus);
    const run = (build = buildTestImage) =>
      publish(publishInputs(other.path, corpus, { onlyIfNew: true }), otherDb, build, quietEffects());
    const first = await run();
    const image = await run(async (paths, effects) => ({ ...(await buildTestImage(paths, effects)), imageVersion: 2 }));
    expect(image.version).not.toBe(first.version);
    expect(renderPublished(image)).toContain(
      `\n          nothing new, but the image that was made now has other bytes than that of ${first.version} (serving/ids.arrow, serving/rows.arrow), so it was published anew\n`,
    );
    await otherDb.run("UPDATE registrations SET eligibility_text = 'Adults'");
    expect((await run()).unchangedAt).toBeNull();
  });
});

describe('without a parent that can be used', () => {
  const absent = '20300101T000000Z-00000000';
  const FAULTS: [string, (dir: string) => Promise<void>][] = [
    [`CURRENT names ${absent}, which does not exist`, (dir) => writeFile(join(dir, 'CURRENT'), `${absent}\n`)],
    ['CURRENT is missing', (dir) => rm(join(dir, 'CURRENT'))],
    ['CURRENT names no version', (dir) => writeFile(join(dir, 'CURRENT'), 'x\n')],
  ];
  test.each(amountOf({ quick: FAULTS.slice(0, 1), deep: FAULTS.slice(1) }))(
    'nothing is published where %s, unless no-parent is accepted',
    async (fault, breakIt) => {
      await using other = await temporaryDirectory();
      const there = join(other.path, 'snapshots');
      await using otherDb = await makeWorkingDatabase(join(other.path, 'data'), corpus);
      const run = (accept: string[]) =>
        publish(publishInputs(other.path, corpus, { accept }), otherDb, buildTestImage, quietEffects());
      const first = await run([]);
      await breakIt(there);
      const before = (await readdir(there)).sort();
      const refusal = await run([]).catch((error: unknown) => error as PublicationRefused);
      expect(refusal).toBeInstanceOf(PublicationRefused);
      expect((refusal as PublicationRefused).breaches).toEqual([
        { name: 'no-parent', detail: expect.stringContaining(`because ${fault}`), examples: [] },
      ]);
      expect((refusal as PublicationRefused).message).toContain(`the newest sound version is ${first.version}`);
      expect((await readdir(there)).sort()).toEqual(before);

      const { version, manifest } = await run(['no-parent']);
      expect(manifest).toMatchObject({ parent: null, changes: null, accepted: ['no-parent'] });
      expect(await readCurrent(there)).toBe(version);
    },
  );

  deep.it('a first publish that was killed before CURRENT named it is done again without asking', async () => {
    await using other = await temporaryDirectory();
    const there = join(other.path, 'snapshots');
    await using otherDb = await makeWorkingDatabase(join(other.path, 'data'), corpus);
    const run = (checkpoint: (name: string) => void) =>
      publish(publishInputs(other.path, corpus), otherDb, buildTestImage, quietEffects({ checkpoint }));
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
      await using other = await temporaryDirectory();
      const there = join(other.path, 'snapshots');
      await using otherDb = await makeWorkingDatabase(join(other.path, 'data'), corpus);
      const run = () => publish(publishInputs(other.path, corpus), otherDb, buildTestImage, quietEffects());
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

describe('reindex', () => {
  test('makes a new snapshot with the same tables and content hash, another image, and moves CURRENT', async () => {
    const before = (await readCurrent(snapshots()))!;
    const old = await readManifest(join(snapshots(), before));
    const { version, manifest } = await reindex(
      snapshots(),
      before,
      async ({ outDir }) => {
        await buildTestImage({ snapshotDir: '', outDir }, quietEffects());
        return { imageVersion: 2 };
      },
      quietEffects(),
    );
    expect(version).not.toBe(before);
    expect(await readCurrent(snapshots())).toBe(version);
    expect(manifest).toMatchObject({
      contentHash: old.contentHash,
      tables: old.tables,
      parent: old.parent,
      serving: { imageVersion: 2 },
    });
    expect((await verify(snapshots(), version, quietEffects())).problems).toEqual([]);
    expect((await verify(snapshots(), before, quietEffects())).problems).toEqual([]);
  });

  test('leaves CURRENT alone when it names another snapshot', async () => {
    const current = (await readCurrent(snapshots()))!;
    const older = (await readdir(snapshots())).filter((name) => name !== 'CURRENT').sort()[0]!;
    const { version } = await reindex(snapshots(), older, buildTestImage, quietEffects());
    expect(version > current).toBe(true);
    expect(await readCurrent(snapshots())).toBe(current);
  });
});

deep.it('what killed runs left behind is removed, whatever process has their number now', async () => {
  await using other = await temporaryDirectory();
  await mkdir(join(other.path, 'snapshots', '.tmp-999999999'), { recursive: true });
  await mkdir(join(other.path, 'snapshots', `.tmp-${process.pid}`));
  await mkdir(join(other.path, 'snapshots', `.tmp-${process.ppid}`));
  await using otherDb = await makeWorkingDatabase(join(other.path, 'data'), corpus);
  const { version } = await publish(publishInputs(other.path, corpus), otherDb, buildTestImage, quietEffects());
  expect((await readdir(join(other.path, 'snapshots'))).sort()).toEqual([version, 'CURRENT', 'log']);
});
