import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ProofBundle } from '../../../contract/schemas/trials/proof.ts';
import { TreeFault } from '../../../snapshot/format/row-path.ts';
import { readManifest } from '../../../snapshot/format/versions/current.ts';
import type { Manifest } from '../../../snapshot/format/versions/manifest.ts';
import { readLog } from '../../../snapshot/format/versions/publication-log.ts';
import { signerKey } from '../../../snapshot/proof/note.ts';
import {
  type Asked,
  earlierCheckpoint,
  NoProof,
  proofBundle,
  provenTrial,
} from '../../../snapshot/sql/proof-bundle.ts';
import type { CorpusSpec } from '../../../test/builders/working-database.ts';
import { verified } from '../../../test/support/checks/verified.ts';
import { TestPublisher } from '../../../test/support/snapshots/publisher.ts';
import { withScratchDatabase } from '../../store/scratch-database.ts';

const key = signerKey('example.org/trials', Buffer.alloc(32, 1));

/** A number that needs more than 64 kB: links of one trial to many others. */
const MANY = 400;
const link = (place: number, verdict: 'accepted' | 'rejected') => ({
  link_id: `ln_${String(place).padStart(12, '0')}`,
  from_registry: 'isrctn',
  from_id: 'ISRCTN00000001',
  to_registry: 'clinicaltrials_gov',
  to_id: place === 0 ? 'NCT00000001' : 'NCT00000002',
  raw_value: `number ${place}`,
  verdict,
  reason: verdict === 'accepted' ? null : 'one-to-one',
});

const corpus: CorpusSpec = {
  trials: [
    {
      canonicalId: 'wt_000000000001',
      members: [
        { id: 'NCT00000001', title: 'β-blockers "in" adults', eligibility_text: 'Adults\n18 and over' },
        { id: 'ISRCTN00000001', enrollment_count: 12 },
      ],
    },
    { canonicalId: 'wt_000000000002', members: [{ id: 'NCT00000002', detailed_description: 'Long '.repeat(30_000) }] },
    { canonicalId: 'wt_000000000003', members: [{ id: 'NCT00000003', conditions: ['x'.repeat(70_000)] }] },
  ],
  formerIds: [
    ['wt_00000000000a', 'alias', 'wt_000000000001'],
    ['wt_00000000000b', 'retired', null],
  ],
  links: Array.from({ length: MANY }, (_, place) => link(place, place % 100 === 0 ? 'accepted' : 'rejected')),
};

let publisher: TestPublisher;
let manifest: Manifest;
let parent: Manifest;
beforeAll(async () => {
  publisher = await TestPublisher.of(corpus);
  ({ manifest: parent } = await publisher.publish({ signers: [key] }));
  await publisher.db.run("UPDATE registrations SET enrollment_count = 13 WHERE id = 'ISRCTN00000001'");
  ({ manifest } = await publisher.publish({ signers: [key] }));
  return () => publisher[Symbol.asyncDispose]();
});

const inDirectory = (of: Manifest) => ({ directory: publisher.dir(of.version), manifest: of });

async function prove(
  id: string,
  since: number | null = null,
  more: Pick<Asked, 'changes'> = {},
  of = manifest,
): Promise<ProofBundle> {
  const { snapshots } = publisher;
  const log = await readLog(snapshots);
  const snapshot = inDirectory(of);
  const earlier = since === null ? null : await earlierCheckpoint(snapshots, log, since);
  return withScratchDatabase(async (db) =>
    proofBundle(db, snapshot, await provenTrial(db, snapshot, id), { log, since: earlier, ...more }),
  );
}

const refusal = async (...asked: Parameters<typeof prove>): Promise<[string, string]> => {
  const error = await prove(...asked).then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(NoProof);
  return [(error as NoProof).code, (error as NoProof).message];
};

test('a publication writes a tree of each table whose rows are proven, and lists it', async () => {
  expect(manifest.proofs?.map(({ path, bytes }) => [path, bytes])).toEqual([
    ['proofs/changes.tree', 2 * 32],
    ['proofs/links.tree', (400 + 1) * 32],
    ['proofs/registrations.tree', 4 * 32],
    ['proofs/trials.tree', 3 * 32],
  ]);
  expect(await publisher.problems(manifest.version, { trusted: [key.verifier] })).toEqual([]);
});

test('every trial is proven, by its own id and by the numbers of its registrations', async () => {
  const snapshot = inDirectory(manifest);
  await withScratchDatabase(async (db) => {
    for (const id of ['wt_000000000001', 'NCT00000001', 'nct 00000001', 'ISRCTN00000001'])
      expect([id, await provenTrial(db, snapshot, id)]).toEqual([id, 'wt_000000000001']);
  });
  const bundle = await prove('nct 00000001', 1);
  const { trials, registrations } = bundle.tables;
  expect(JSON.parse(trials.rows[0]!.row)).toMatchObject({
    canonical_id: 'wt_000000000001',
    title: 'β-blockers "in" adults',
  });
  expect(registrations.rows.map(({ row }) => JSON.parse(row).id)).toEqual(['NCT00000001', 'ISRCTN00000001']);
  expect(bundle.log).toMatchObject({ index: 1, size: 2, keys: [key.verifier.vkey] });
  expect(bundle.consistency).toMatchObject({ from: 1, to: 2 });
  const result = await verified(bundle, { keys: [key.verifier.vkey], identity: manifest.identity! });
  expect(result).toMatchObject({
    ok: true,
    proven: { identity: manifest.identity, consistency: { from: 1 } },
  });
  // A long text stands in the row as its sum.
  expect(await verified(await prove('wt_000000000002'))).toMatchObject({ ok: true });
});

test('a bundle has at most 64 kB: accepted links come first, and those left out are counted', async () => {
  const bundle = await prove('NCT00000001');
  const { rows, omitted } = bundle.tables.links;
  expect(Buffer.byteLength(JSON.stringify(bundle))).toBeLessThanOrEqual(65_536);
  expect(Buffer.byteLength(JSON.stringify(bundle))).toBeGreaterThan(64_000);
  expect(rows.length + omitted!).toBe(MANY);
  expect(rows.filter(({ row }) => JSON.parse(row).verdict === 'accepted')).toHaveLength(4);
  expect(await verified(bundle)).toMatchObject({ ok: true, proven: { omitted } });
});

test('there is no proof of changes where none are stored, or where they do not fit', async () => {
  expect(await refusal('NCT00000001', null, { changes: true }, parent)).toEqual([
    'changes',
    `The version ${parent.version} has no parent, and so no changes since. Ask for the proof without changes.`,
  ]);
  const [code, message] = await refusal('NCT00000003', null, { changes: true });
  expect([code, message]).toEqual(['size', expect.stringContaining('; ask for it without the changes.')]);
});

test.each([
  ['NCT00000003', null, 'size', /^The proof has \d+ bytes without its links, and a bundle at most 65536;/],
  [
    'wt_00000000000a',
    null,
    'trial',
    /^wt_00000000000a was merged into wt_000000000001; ask for the proof of that trial, /,
  ],
  ['wt_00000000000b', null, 'trial', /^wt_00000000000b is the id of a trial that is not in this snapshot any more; /],
  ["'; --", null, 'trial', /^'; -- is the id of no trial and the number of no registration of this snapshot\.$/],
  ['NCT00000001', 3, 'since', /^No checkpoint over 3 identities is kept; the newest counts 2\. /],
])('%s since %s has no proof: %s', async (id, since, code, message) => {
  expect(await refusal(id, since)).toEqual([code, expect.stringMatching(message)]);
});

test('a tree that does not follow from the rows is named, and proves nothing', async () => {
  const path = join(publisher.dir(manifest.version), 'proofs', 'registrations.tree');
  const whole = await readFile(path);
  try {
    const bent = Buffer.from(whole);
    bent[40]! ^= 1;
    await rm(path);
    await writeFile(path, bent);
    await expect(prove('NCT00000001')).rejects.toThrow(TreeFault);
    await writeFile(path, whole.subarray(32));
    await expect(prove('NCT00000001')).rejects.toThrow('has 96 bytes, expected 128 for 4 rows');
  } finally {
    await writeFile(path, whole);
  }
  expect((await readManifest(publisher.dir(manifest.version))).proofs).toHaveLength(4);
});
