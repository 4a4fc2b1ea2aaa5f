import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  buildTestImage,
  type CorpusSpec,
  makeWorkingDatabase,
  publishInputs,
  quietEffects,
  temporaryDirectory,
  tinyCorpus,
} from '../../test/builders/working-database.ts';
import { walk } from './durable.ts';
import { publish } from './publish.ts';
import { verify } from './verify.ts';

let root: Awaited<ReturnType<typeof temporaryDirectory>>;
let snapshots: string;
let version: string;
let dir: string;
let whole: string;

beforeAll(async () => {
  root = await temporaryDirectory();
  snapshots = join(root.path, 'snapshots');
  await using db = await makeWorkingDatabase(join(root.path, 'data'), tinyCorpus);
  ({ version } = await publish(publishInputs(root.path, tinyCorpus), db, buildTestImage, quietEffects()));
  dir = join(snapshots, version);
  whole = join(root.path, 'whole');
  await cp(dir, whole, { recursive: true });
});
afterAll(() => root[Symbol.asyncDispose]());

/** The problems that verification finds after `damage`. The damage is undone afterwards. */
async function problemsAfter(damage: () => Promise<unknown>): Promise<{ file: string; message: string }[]> {
  await damage();
  try {
    return (await verify(snapshots, version, quietEffects())).problems;
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

/** Changes the manifest together with its checksums, so that only the values can reveal it. */
async function forge(change: (text: string) => string): Promise<void> {
  const text = change(await readFile(join(dir, 'manifest.json'), 'utf8'));
  await writeFile(join(dir, 'manifest.json'), text);
  const own = `${sha256(text)}  manifest.json\n`;
  await writeFile(join(dir, 'manifest.json.sha256'), own);
  const sums = await readFile(join(dir, 'SHA256SUMS'), 'utf8');
  const others = sums.replace(/^.* manifest\.json\n/m, own).replace(/^.*(?= {2}manifest\.json\.sha256\n)/m, sha256(own));
  await writeFile(join(dir, 'SHA256SUMS'), others);
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

test('a whole snapshot has no problem', async () => {
  expect(await verify(snapshots, version, quietEffects())).toEqual({
    version,
    files: 20,
    rows: 11,
    problems: [],
    mend: null,
  });
});

/** The files of the snapshot in two groups. The manifest is alone, since without it no other file can be checked. */
async function damageGroups(): Promise<string[][]> {
  const { files } = await walk(dir);
  expect(files).toHaveLength(20);
  return [files.filter((file) => file !== 'manifest.json'), ['manifest.json']];
}

test('one flipped byte at the start, middle or end of every file is found and each file named', async () => {
  for (const share of [0, 0.5, 1]) {
    for (const files of await damageGroups()) {
      const problems = await problemsAfter(async () => {
        for (const file of files) {
          const { length } = await readFile(join(dir, file));
          await flip(file, Math.floor((length - 1) * share));
        }
      });
      // Verification reports a changed manifest by its checksum file, so both count as one.
      const named = new Set(problems.map((problem) => problem.file.replace('.json.sha256', '.json')));
      expect([...named], `at ${share}`).toEqual(
        expect.arrayContaining(files.map((file) => file.replace('.json.sha256', '.json'))),
      );
    }
  }
});

test('every file cut by one byte, emptied or deleted is found and named', async () => {
  const cut = async (path: string) => truncate(path, (await readFile(path)).length - 1);
  const empty = (path: string) => truncate(path, 0);
  for (const damage of [cut, empty, (path: string) => rm(path)]) {
    for (const files of await damageGroups()) {
      const problems = await problemsAfter(async () => {
        for (const file of files) await damage(join(dir, file));
      });
      const named = new Set(problems.map((problem) => problem.file.replace('.json.sha256', '.json')));
      expect([...named]).toEqual(expect.arrayContaining(files.map((file) => file.replace('.json.sha256', '.json'))));
    }
  }
});

test('an added file or directory is found', async () => {
  expect(await problemsAfter(() => writeFile(join(dir, 'raw', 'part-0009.parquet'), 'x'))).toEqual([
    { file: 'raw/part-0009.parquet', message: 'is not listed in the manifest' },
  ]);
  expect(await problemsAfter(() => mkdir(join(dir, 'empty')))).toEqual([
    { file: 'empty/', message: 'is a directory that the manifest does not know' },
  ]);
});

test('a damaged file is named with what was found and what was expected', async () => {
  const problems = await problemsAfter(() => writeFile(join(dir, 'serving', 'ids.arrow'), 'idz'));
  expect(problems).toEqual([
    {
      file: 'serving/ids.arrow',
      message: `SHA-256 is ${createHash('sha256').update('idz').digest('hex')}, expected ${createHash('sha256').update('ids').digest('hex')}`,
    },
  ]);
});

test('SHA256SUMS that states another sum is found', async () => {
  const problems = await problemsAfter(async () => {
    const text = await readFile(join(dir, 'SHA256SUMS'), 'utf8');
    await writeFile(join(dir, 'SHA256SUMS'), text.replace(/^.* trials\.parquet$/m, `${'0'.repeat(64)}  trials.parquet`));
  });
  const message = 'does not state the sums of the manifest and the files that it lists';
  expect(problems).toEqual([{ file: 'SHA256SUMS', message }]);
});

test('a directory under another name is found', async () => {
  const other = '20300101T000000Z-00000000';
  await rename(dir, join(snapshots, other));
  const { problems } = await verify(snapshots, other, quietEffects());
  await rename(join(snapshots, other), dir);
  expect(problems).toEqual([
    { file: 'manifest.json', message: `version is ${version}, expected ${other}` },
    { file: '.', message: `name by time and content is ${version}, expected ${other}` },
  ]);
});

test('a manifest that was rewritten with its sum is found by the values it states', async () => {
  const forged = async (pattern: RegExp, replacement: string) =>
    (await problemsAfter(() => forge((text) => text.replace(pattern, replacement)))).map((problem) => problem.message);
  expect(await forged(/"inBoth": 1/, '"inBoth": 2')).toEqual(['counts.inBoth is 2, expected 1']);
  expect(await forged(/"rows": 2/, '"rows": 3')).toEqual(['rows of trials is 2, expected 3']);
  expect(await forged(/"asOf": "2026-11-20"/, '"asOf": "2026-11-19"')).toEqual([
    expect.stringMatching(/^contentHash is [0-9a-f]{64}, expected [0-9a-f]{64}$/),
  ]);
  expect(await forged(/"root": "[0-9a-f]{64}"/, `"root": "${'0'.repeat(64)}"`)).toEqual([
    expect.stringMatching(new RegExp(`^root of trials is [0-9a-f]{64}, expected ${'0'.repeat(64)}$`)),
  ]);
  expect(
    await problemsAfter(() =>
      forge((text) => text.replace('"formatVersion": 2', '"formatVersion": 1').replaceAll('"root"', '"valueHash"')),
    ),
  ).toEqual([
    { file: 'manifest.json', message: expect.stringMatching(/^is of format 1: its files were checked, but /) },
  ]);
  expect(await forged(/"formatVersion": 2/, '"formatVersion": 3')).toEqual([
    expect.stringContaining('snapshot format 3, this program reads up to 2'),
  ]);
});

test('a payload that is not the one its checksum states is found, although every file hash is right', async () => {
  await using other = await temporaryDirectory();
  const bad: CorpusSpec = { trials: [{ canonicalId: 'wt_aaaaaaaaaaaa', members: [{ id: 'NCT00000001' }] }] };
  await using db = await makeWorkingDatabase(join(other.path, 'data'), bad);
  const part = join(other.path, 'data', 'work', 'raw-parts', 'part-a.parquet');
  await db.run(`COPY (SELECT * REPLACE ('altered' AS payload) FROM payloads) TO '${part}.new' (FORMAT parquet)`);
  await rename(`${part}.new`, part);
  const published = await publish(publishInputs(other.path, bad), db, buildTestImage, quietEffects());
  const { problems } = await verify(join(other.path, 'snapshots'), published.version, quietEffects());
  expect(problems).toEqual([
    {
      file: 'raw/part-0000.parquet',
      message: `payload of NCT00000001 has SHA-256 ${createHash('sha256').update('altered').digest('hex')}, expected ${createHash('sha256').update('{"id":"NCT00000001"}').digest('hex')}`,
    },
  ]);
});

test('a snapshot that is not there is refused', async () => {
  await expect(verify(snapshots, '20300101T000000Z-00000000', quietEffects())).rejects.toThrow('there is no snapshot');
  await expect(verify(snapshots, '../data', quietEffects())).rejects.toThrow('"../data" is not a snapshot version');
});
