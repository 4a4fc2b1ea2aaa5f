import { hash } from 'node:crypto';
import { cp, mkdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { readManifest } from '../../../snapshot/format/versions/current.ts';
import type { Manifest } from '../../../snapshot/format/versions/manifest.ts';
import { writeOwnFiles } from '../../../test/builders/manifest.ts';
import { quietEffects } from '../../../test/builders/working-database.ts';
import { amountOf, deep } from '../../../test/support/runner/amount.ts';
import { onlyNewest, TestPublisher } from '../../../test/support/snapshots/publisher.ts';
import { renderVerification } from '../../cli/reports.ts';
import { walk } from '../durable.ts';
import { gc } from '../retention/gc.ts';
import { verify } from './verify.ts';

let publisher: TestPublisher;
let snapshots: string;
let version: string;
let dir: string;
let whole: string;
beforeAll(async () => {
  publisher = await TestPublisher.of();
  ({ snapshots } = publisher);
  ({ version } = await publisher.publish());
  dir = publisher.dir(version);
  whole = join(publisher.path, 'whole');
  await cp(dir, whole, { recursive: true });
  return () => publisher[Symbol.asyncDispose]();
});

/** The problems that verification finds after `damage`. The damage is undone afterwards. */
async function problemsAfter(damage: () => Promise<unknown>): Promise<{ file: string; message: string }[]> {
  await damage();
  try {
    return await publisher.problems(version);
  } finally {
    await rm(dir, { recursive: true, force: true });
    await cp(whole, dir, { recursive: true });
  }
}

async function flip(file: string, position: number): Promise<void> {
  const bytes = await readFile(join(dir, file));
  bytes[position]! ^= 1;
  await writeFile(join(dir, file), bytes);
}

/** Changes what a snapshot states, and makes the sums of it again, as a forger would. */
async function forge(change: (manifest: Manifest) => unknown, folder = dir): Promise<void> {
  const manifest = await readManifest(folder);
  change(manifest);
  writeOwnFiles(folder, manifest);
}

/** Gives a file another sum wherever it is listed. */
const listedAs = (before: string, after: string) => (manifest: Manifest) => {
  const { proofs, payloadIndex, serving } = manifest;
  for (const file of [...proofs, payloadIndex, ...serving.files]) if (file.sha256 === before) file.sha256 = after;
};

it('a whole snapshot has no problem', async () => {
  expect(await verify(snapshots, version, quietEffects())).toEqual({
    version,
    files: 22,
    rows: 11,
    problems: [],
    mend: null,
    log: { index: 0, size: 1, signedBy: [], notes: [] },
    image: { state: 'summed' },
  });
});

deep.it(
  'without its image a snapshot passes where its tables alone are asked for, and what was not checked is said',
  async () => {
    const { serving } = await readManifest(dir);
    const bytes = serving.files.reduce((sum: number, file: { bytes: number }) => sum + file.bytes, 0);
    await rm(join(dir, 'serving'), { recursive: true });
    const asked = () => verify(snapshots, version, quietEffects(), { image: 'left-out' });
    const found = await asked();
    expect([found.problems, found.rows, found.files]).toEqual([[], 11, 22 - serving.files.length]);
    expect(found.image).toEqual({ state: 'left-out', files: serving.files.length, bytes });
    expect(renderVerification(found)).toContain('was left out, as --tables-only asks');
    const whole = await verify(snapshots, version, quietEffects());
    expect(whole.problems.map(({ file }) => file)).toEqual(serving.files.map(({ path }: { path: string }) => path));
    // Damage of a table is found all the same.
    const problems = await problemsAfter(async () => flip('trials.parquet', 100));
    expect(problems.some(({ file }) => file === 'trials.parquet')).toBe(true);
  },
);

const flipAt = (share: number) => async (file: string) => {
  const { length } = await readFile(join(dir, file));
  await flip(file, Math.floor((length - 1) * share));
};
const DAMAGES: [string, (file: string) => Promise<unknown>][] = [
  ['with another byte at its start', flipAt(0)],
  ['with another byte in its middle', flipAt(0.5)],
  ['with another byte at its end', flipAt(1)],
  ['cut by one byte', async (file) => truncate(join(dir, file), (await readFile(join(dir, file))).length - 1)],
  ['emptied', (file) => truncate(join(dir, file), 0)],
  ['deleted', (file) => rm(join(dir, file))],
];

it.each(amountOf({ quick: DAMAGES.slice(1, 2), deep: DAMAGES }))(
  'every file %s is found and named',
  async (_what, damage) => {
    const { files } = await walk(dir);
    expect(files).toHaveLength(22);
    // Of its own files one at a time, since without it no other file can be checked. Times and addresses follow from nothing.
    const own = ['manifest.json', 'files.json'];
    const others = files.filter((file) => ![...own, 'run.json'].includes(file));
    for (const some of [others, ...own.map((file) => [file])]) {
      const problems = await problemsAfter(async () => {
        for (const file of some) await damage(file);
      });
      const named = problems.map(({ file }) => (file === '.' ? 'manifest.json' : file));
      expect(named).toEqual(expect.arrayContaining(some));
    }
  },
);

const ZEROS = '0'.repeat(64);
/** Another identity gives another name, and is not in the log. */
const OTHER_IDENTITY: string[] = [
  'name by time and identity is NAME, expected NAME',
  'does not hold HASH, the identity of NAME',
];
const messagesAfter = async (damage: () => Promise<unknown>): Promise<string[]> =>
  (await problemsAfter(damage)).map(({ message }) =>
    message.replaceAll(/[0-9a-f]{64}/g, 'HASH').replaceAll(/\d{8}T\d{6}Z-[0-9a-f]{8}/g, 'NAME'),
  );

deep.it('a tree that does not follow from its table is named, although every sum of it was made again', async () => {
  const path = 'proofs/trials.tree';
  const sumOf = async (): Promise<string> => hash('sha256', await readFile(join(dir, path)));
  const problems = await messagesAfter(async () => {
    const before = await sumOf();
    await flip(path, 40);
    await forge(listedAs(before, await sumOf()));
  });
  expect(problems).toEqual([
    OTHER_IDENTITY[0],
    'SHA-256 of the tree over the rows is HASH, expected HASH',
    OTHER_IDENTITY[1],
  ]);
});

it('an added file or directory is found', async () => {
  expect(await problemsAfter(() => writeFile(join(dir, 'raw', 'part-0009.parquet'), 'x'))).toEqual([
    { file: 'raw/part-0009.parquet', message: 'is not listed in the manifest' },
  ]);
  expect(await problemsAfter(() => mkdir(join(dir, 'empty')))).toEqual([
    { file: 'empty/', message: 'is a directory that the manifest does not know' },
  ]);
});

it('a damaged file is named with what was found and what was expected', async () => {
  const problems = await problemsAfter(() => writeFile(join(dir, 'serving', 'ids.arrow'), 'idz'));
  expect(problems).toEqual([
    {
      file: 'serving/ids.arrow',
      message: `SHA-256 is ${hash('sha256', 'idz')}, expected ${hash('sha256', 'ids')}`,
    },
  ]);
});

deep.it('a directory under another name is found', async () => {
  const other = '20300101T000000Z-00000000';
  await rename(dir, join(snapshots, other));
  const { problems } = await verify(snapshots, other, quietEffects());
  await rename(join(snapshots, other), dir);
  expect(problems).toEqual([{ file: '.', message: `name by time and identity is ${version}, expected ${other}` }]);
});

// Some were once told as whole: documents, inputs and parent that were invented, with the hashes beside them made again.
const FORGED: [what: string, change: (manifest: Manifest) => unknown, messages: string[]][] = [
  ['count', ({ counts }) => (counts.inBoth = 2), ['counts.inBoth is 2, expected 1']],
  ['number of rows', ({ tables }) => (tables.trials.rows = 3), ['rows of trials is 2, expected 3']],
  ['day', (manifest) => (manifest.asOf = '2026-11-19'), ['contentHash is HASH, expected HASH']],
  ['root', ({ tables }) => (tables.trials.root = ZEROS), ['root of trials is HASH, expected HASH']],
  ['document', listedAs(hash('sha256', 'ids'), ZEROS), ['SHA-256 is HASH, expected HASH']],
  ['ledger', ({ bound }) => (bound.ledger = ZEROS), []],
  [
    'number of registrations',
    ({ registries }) => (registries[0]!.registrations = 3),
    ['registrations of clinicaltrials_gov is 3, expected 2'],
  ],
  ['parent', ({ bound }) => (bound.parent = ZEROS), ['bound parent is HASH, expected null']],
];

it.each(amountOf({ quick: FORGED.slice(0, 2), deep: FORGED }))(
  'another %s in a manifest that was written again is found, and gives another identity',
  async (_what, change, messages) => {
    const found = await messagesAfter(() => forge(change));
    expect(found.toSorted()).toEqual([...OTHER_IDENTITY, ...messages].toSorted());
  },
);

deep.it('a manifest of another format, another list of files and a record that is gone are named', async () => {
  const named = async (name: string, change: (text: string) => string) =>
    messagesAfter(async () => {
      const path = join(dir, name);
      await writeFile(path, change(await readFile(path, 'utf8')));
    });
  expect(await named('manifest.json', (text) => text.replace('"formatVersion":6', '"formatVersion":3'))).toEqual([
    expect.stringContaining('snapshot format 3, and this program reads format 6 alone'),
  ]);
  expect(await named('files.json', (text) => text.replace('"bytes":', '"bytes":1'))).toContainEqual(
    expect.stringContaining('is not the list of which manifest.json has the sum; nothing else can be checked'),
  );
  const gone = await messagesAfter(() => rm(join(dir, 'run.json')));
  expect(gone).toContainEqual(expect.stringContaining('run.json does not exist'));
});

deep.it('a manifest that names another parent than the bound one is found, also once gc removed that one', async () => {
  await using other = await TestPublisher.of();
  const run = async (asOf: string) => (await other.publish({ asOf })).manifest;
  const [first, second, third] = [await run('2026-11-20'), await run('2026-11-21'), await run('2026-11-22')];
  expect([first.bound?.parent, second.bound?.parent]).toEqual([null, first.identity]);
  const folder = other.dir(third.version);
  await forge((manifest) => (manifest.parent = first.version), folder);
  const message = `bound parent ${first.version} is ${second.identity}, expected ${first.identity}`;
  expect(await other.problems(third.version)).toEqual([{ file: 'manifest.json', message }]);
  await gc(other.snapshots, onlyNewest(1), quietEffects());
  expect(await other.problems(third.version)).toEqual([{ file: 'manifest.json', message }]);
});

it('an index of payloads that does not follow from the part files is found, although every sum is right', async () => {
  const found = await messagesAfter(async () => {
    const path = join(dir, 'payloads.index');
    const index = await readFile(path);
    const before = hash('sha256', index);
    index[index.length - 1] = 7;
    await writeFile(path, index);
    await forge(listedAs(before, hash('sha256', index)));
  });
  expect(found.toSorted()).toEqual([...OTHER_IDENTITY, 'is not the index of the part files of raw'].toSorted());
});

deep.it('a payload that is not the one its checksum states is found, although every file hash is right', async () => {
  await using other = await TestPublisher.of({
    trials: [{ canonicalId: 'wt_aaaaaaaaaaaa', members: [{ id: 'NCT00000001' }] }],
  });
  const part = join(other.dataDir, 'work', 'raw-parts', 'part-a.parquet');
  const altered = `SELECT * REPLACE ('altered' AS payload) FROM payloads`;
  await other.db.run(`COPY (${altered}) TO '${part}.new' (FORMAT parquet, COMPRESSION zstd)`);
  await rename(`${part}.new`, part);
  const { version: published } = await other.publish();
  expect(await other.problems(published)).toEqual([
    {
      file: 'raw/part-0000.parquet',
      message: `payload of NCT00000001 has SHA-256 ${hash('sha256', 'altered')}, expected ${hash('sha256', '{"id":"NCT00000001"}')}`,
    },
  ]);
});

it('a snapshot that is not there is refused', async () => {
  await expect(verify(snapshots, '20300101T000000Z-00000000', quietEffects())).rejects.toThrow('there is no snapshot');
  await expect(verify(snapshots, '../data', quietEffects())).rejects.toThrow('"../data" is not a snapshot version');
});
