import { hash } from 'node:crypto';
import { cp, mkdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { unlistedFiles } from '../../../snapshot/format/versions/statement.ts';
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

/** Writes a manifest and the files with its sums, as a forger would. */
async function rewrite(folder: string, text: string): Promise<void> {
  for (const { path, content } of unlistedFiles(JSON.parse(text), text))
    if (path !== 'statement.json') await writeFile(join(folder, path), content);
}

/** Changes the manifest together with its checksums, so that only the values can reveal it. */
async function forge(change: (text: string) => string): Promise<void> {
  await rewrite(dir, change(await readFile(join(dir, 'manifest.json'), 'utf8')));
}

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
    const { serving } = JSON.parse(await readFile(join(dir, 'manifest.json'), 'utf8'));
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
    // The manifest alone, since without it no other file can be checked; it is named by SHA256SUMS.
    const manifest = (file: string): string => file.replace('SHA256SUMS', 'manifest.json');
    for (const some of [files.filter((file) => file !== 'manifest.json'), ['manifest.json']]) {
      const problems = await problemsAfter(async () => {
        for (const file of some) await damage(file);
      });
      expect(problems.map(({ file }) => manifest(file))).toEqual(expect.arrayContaining(some.map(manifest)));
    }
  },
);

const ZEROS = '0'.repeat(64);
/** What is said of a member that was changed in the manifest alone. */
const NOT_BOUND: string[] = [
  'found identity HASH, expected HASH, which follows from what the manifest states',
  'is not what follows from the manifest',
];
const messagesAfter = async (damage: () => Promise<unknown>): Promise<string[]> =>
  (await problemsAfter(damage)).map(({ message }) => message.replaceAll(/[0-9a-f]{64}/g, 'HASH'));

deep.it('a tree that does not follow from its table is named, although every sum of it was made again', async () => {
  const path = 'proofs/trials.tree';
  const sumOf = async (): Promise<string> => hash('sha256', await readFile(join(dir, path)));
  const problems = await messagesAfter(async () => {
    const before = await sumOf();
    await flip(path, 40);
    const after = await sumOf();
    await forge((text) => text.replace(before, after));
  });
  expect(problems).toEqual([...NOT_BOUND, 'SHA-256 of the tree over the rows is HASH, expected HASH']);
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

it('SHA256SUMS that states another sum is found', async () => {
  const problems = await problemsAfter(async () => {
    const text = await readFile(join(dir, 'SHA256SUMS'), 'utf8');
    await writeFile(
      join(dir, 'SHA256SUMS'),
      text.replace(/^.* trials\.parquet$/m, `${'0'.repeat(64)}  trials.parquet`),
    );
  });
  expect(problems).toEqual([{ file: 'SHA256SUMS', message: 'is not what follows from the manifest' }]);
});

deep.it('a directory under another name is found', async () => {
  const other = '20300101T000000Z-00000000';
  await rename(dir, join(snapshots, other));
  const { problems } = await verify(snapshots, other, quietEffects());
  await rename(join(snapshots, other), dir);
  expect(problems).toEqual([
    { file: 'manifest.json', message: `version is ${version}, expected ${other}` },
    { file: '.', message: `name by time and identity is ${version}, expected ${other}` },
  ]);
});

// Some were once told as whole: documents, inputs and parent that were invented, with the hashes beside them made again.
const FORGED: [what: string, pattern: RegExp, replacement: string, messages: string[]][] = [
  ['count', /"inBoth": 1/, '"inBoth": 2', ['counts.inBoth is 2, expected 1']],
  ['number of rows', /"rows": 2/, '"rows": 3', [...NOT_BOUND, 'rows of trials is 2, expected 3']],
  ['day', /"2026-11-20",/, '"2026-11-19",', [...NOT_BOUND, 'contentHash is HASH, expected HASH']],
  ['root', /"root": "[0-9a-f]{64}"/, `"root": "${ZEROS}"`, [...NOT_BOUND, 'root of trials is HASH, expected HASH']],
  ['document', new RegExp(hash('sha256', 'ids')), ZEROS, [...NOT_BOUND, 'SHA-256 is HASH, expected HASH']],
  ['ledger', /"ledger": "\w+"/, `"ledger": "${ZEROS}"`, NOT_BOUND],
  [
    'input',
    /"registrations": 2/,
    '"registrations": 3',
    [...NOT_BOUND, 'registrations of clinicaltrials_gov is 3, expected 2'],
  ],
  ['parent', /("bound": \{\s+"parent": )null/, `$1"${ZEROS}"`, [...NOT_BOUND, 'bound parent is HASH, expected null']],
];

it.each(amountOf({ quick: FORGED.slice(0, 2), deep: FORGED }))(
  'another %s in a manifest that was rewritten with its sums is found',
  async (_what, pattern, replacement, messages) => {
    const found = await messagesAfter(() => forge((text) => text.replace(pattern, replacement)));
    expect(found.toSorted()).toEqual(messages.toSorted());
  },
);

deep.it('a manifest of another format, and a statement that is gone, are named', async () => {
  const other = await messagesAfter(() => forge((text) => text.replace('"formatVersion": 5', '"formatVersion": 3')));
  expect(other).toEqual([expect.stringContaining('snapshot format 3, and this program reads format 5 alone')]);
  const gone = await messagesAfter(() => rm(join(dir, 'statement.json')));
  expect(gone).toEqual(['is missing']);
});

it('a manifest and a statement that were both made again give another name', async () => {
  const forged = await problemsAfter(async () => {
    let statement = await readFile(join(dir, 'statement.json'), 'utf8');
    const ledger = '0'.repeat(64);
    statement = statement.replace(/"ledger":"\w+"/, `"ledger":"${ledger}"`);
    await writeFile(join(dir, 'statement.json'), statement);
    const identity = hash('sha256', statement);
    await forge((text) =>
      text
        .replace(/"ledger": "\w+"/, `"ledger": "${ledger}"`)
        .replace(/"identity": "\w+"/, `"identity": "${identity}"`),
    );
  });
  expect(forged).toEqual([
    {
      file: '.',
      message: expect.stringMatching(/^name by time and identity is 20261121T031500Z-[0-9a-f]{8}, expected /),
    },
    {
      file: 'log/identities',
      message: expect.stringMatching(/^does not hold [0-9a-f]{64}, the identity of 20261121T031500Z-[0-9a-f]{8}$/),
    },
  ]);
});

deep.it('a manifest that names another parent than the bound one is found, also once gc removed that one', async () => {
  await using other = await TestPublisher.of();
  const run = async (asOf: string) => (await other.publish({ asOf })).manifest;
  const [first, second, third] = [await run('2026-11-20'), await run('2026-11-21'), await run('2026-11-22')];
  expect([first.bound?.parent, second.bound?.parent]).toEqual([null, first.identity]);
  const folder = other.dir(third.version);
  const text = await readFile(join(folder, 'manifest.json'), 'utf8');
  await rewrite(folder, text.replace(`"parent": "${second.version}"`, `"parent": "${first.version}"`));
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
    await forge((text) => text.replace(before, hash('sha256', index)));
  });
  expect(found).toEqual([...NOT_BOUND, 'is not the index of the part files of raw']);
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
