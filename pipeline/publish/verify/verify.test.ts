import { createHash, hash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  buildTestImage,
  type CorpusSpec,
  makeWorkingDatabase,
  publishInputs,
  quietEffects,
  temporaryDirectory,
  tinyCorpus,
} from '../../../test/builders/working-database.ts';
import { deep } from '../../../test/support/runner/amount.ts';
import { renderVerification } from '../../cli/render.ts';
import { manifestSum, sumsOf } from '../commit.ts';
import { walk } from '../durable.ts';
import { publish } from '../publish.ts';
import { gc } from '../retention/gc.ts';
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

/** Writes a manifest and the files with its sums, as a forger would. */
async function rewrite(folder: string, text: string): Promise<void> {
  await writeFile(join(folder, 'manifest.json'), text);
  await writeFile(join(folder, 'manifest.json.sha256'), manifestSum(text));
  await writeFile(join(folder, 'SHA256SUMS'), sumsOf(JSON.parse(text), text));
}

/** Changes the manifest together with its checksums, so that only the values can reveal it. */
async function forge(change: (text: string) => string): Promise<void> {
  await rewrite(dir, change(await readFile(join(dir, 'manifest.json'), 'utf8')));
}

it('a whole snapshot has no problem', async () => {
  expect(await verify(snapshots, version, quietEffects())).toEqual({
    version,
    files: 24,
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
    expect([found.problems, found.rows, found.files]).toEqual([[], 11, 24 - serving.files.length]);
    expect(found.image).toEqual({ state: 'left-out', files: serving.files.length, bytes });
    expect(renderVerification(found)).toContain('was left out, as --tables-only asks');
    const whole = await verify(snapshots, version, quietEffects());
    expect(whole.problems.map(({ file }) => file)).toEqual(serving.files.map(({ path }: { path: string }) => path));
    // Damage of a table is found all the same.
    const problems = await problemsAfter(async () => flip('trials.parquet', 100));
    expect(problems.some(({ file }) => file === 'trials.parquet')).toBe(true);
  },
);

/** The files of the snapshot in two groups. The manifest is alone, since without it no other file can be checked. */
async function damageGroups(): Promise<string[][]> {
  const { files } = await walk(dir);
  expect(files).toHaveLength(24);
  return [files.filter((file) => file !== 'manifest.json'), ['manifest.json']];
}

it('one flipped byte at the start, middle or end of every file is found and each file named', async () => {
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

it('every file cut by one byte, emptied or deleted is found and named', async () => {
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

const notBound = (member: string) => [
  expect.stringMatching(
    /^found identity [0-9a-f]{64}, expected [0-9a-f]{64}, which follows from what the manifest states$/,
  ),
  expect.stringMatching(
    new RegExp(
      `^found SHA-256 [0-9a-f]{64} \\(it differs from the manifest in ${member}\\), expected SHA-256 [0-9a-f]{64}$`,
    ),
  ),
];

it('a tree that does not follow from its table is named, although every sum of it was made again', async () => {
  const path = 'proofs/trials.tree';
  const sumOf = async (): Promise<string> => hash('sha256', await readFile(join(dir, path)));
  const before = await sumOf();
  let after = '';
  const problems = await problemsAfter(async () => {
    await flip(path, 40);
    after = await sumOf();
    await forge((text) => text.replace(before, after));
  });
  expect(problems.map(({ message }) => message)).toEqual([
    ...notBound('files'),
    `SHA-256 of the tree over the rows is ${after}, expected ${before}`,
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
      message: `SHA-256 is ${createHash('sha256').update('idz').digest('hex')}, expected ${createHash('sha256').update('ids').digest('hex')}`,
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
  const message = 'does not state the sums of the manifest and the files that it lists';
  expect(problems).toEqual([{ file: 'SHA256SUMS', message }]);
});

it('a directory under another name is found', async () => {
  const other = '20300101T000000Z-00000000';
  await rename(dir, join(snapshots, other));
  const { problems } = await verify(snapshots, other, quietEffects());
  await rename(join(snapshots, other), dir);
  expect(problems).toEqual([
    { file: 'manifest.json', message: `version is ${version}, expected ${other}` },
    { file: '.', message: `name by time and identity is ${version}, expected ${other}` },
  ]);
});

/** What is said of a member that was changed in the manifest alone. */
it('a manifest that was rewritten with its sum is found by its identity and by the values it states', async () => {
  const forged = async (pattern: RegExp, replacement: string) =>
    (await problemsAfter(() => forge((text) => text.replace(pattern, replacement)))).map((problem) => problem.message);
  const zeros = '0'.repeat(64);
  expect(await forged(/"inBoth": 1/, '"inBoth": 2')).toEqual(['counts.inBoth is 2, expected 1']);
  expect(await forged(/"rows": 2/, '"rows": 3')).toEqual([...notBound('tables'), 'rows of trials is 2, expected 3']);
  expect(await forged(/"asOf": "2026-11-20"/, '"asOf": "2026-11-19"')).toEqual([
    ...notBound('asOf'),
    expect.stringMatching(/^contentHash is [0-9a-f]{64}, expected [0-9a-f]{64}$/),
  ]);
  expect(await forged(/"root": "[0-9a-f]{64}"/, `"root": "${zeros}"`)).toEqual([
    ...notBound('tables'),
    expect.stringMatching(new RegExp(`^root of trials is [0-9a-f]{64}, expected ${zeros}$`)),
  ]);
  expect(await forged(/"formatVersion": 4/, '"formatVersion": 3')).toEqual([
    expect.stringContaining('snapshot format 3, and this program reads format 4 alone'),
  ]);
});

// Each was once told as whole: documents, inputs and parent that were invented, with the hashes beside them made again.
deep.it(
  'a forged document, input, parent or ledger is found by the identity, although manifest and sums were made again',
  async () => {
    const messages = async (damage: () => Promise<unknown>) =>
      (await problemsAfter(damage)).map(({ file, message }) => `${file}: ${message.replaceAll(/[0-9a-f]{64}/g, '…')}`);
    const identity = 'manifest.json: found identity …, expected …, which follows from what the manifest states';
    const statement = (member: string) =>
      `statement.json: found SHA-256 … (it differs from the manifest in ${member}), expected SHA-256 …`;
    const sumOf = (text: string) => createHash('sha256').update(text).digest('hex');
    expect(
      await messages(async () => {
        await writeFile(join(dir, 'serving', 'ids.arrow'), 'idz');
        await forge((text) => text.replace(sumOf('ids'), sumOf('idz')));
      }),
    ).toEqual([identity, statement('files')]);
    const zeros = '0'.repeat(64);
    expect(await messages(() => forge((text) => text.replace(/"ledger": "\w+"/, `"ledger": "${zeros}"`)))).toEqual([
      identity,
      statement('ledger'),
    ]);
    expect(await messages(() => forge((text) => text.replace('"registrations": 2', '"registrations": 3')))).toEqual([
      identity,
      statement('registries'),
      'manifest.json: registrations of clinicaltrials_gov is 3, expected 2',
    ]);
    expect(
      await messages(() => forge((text) => text.replace(/("bound": \{\s+"parent": )null/, `$1"${zeros}"`))),
    ).toEqual([identity, statement('parent'), 'manifest.json: bound parent is …, expected null']);
    expect(await messages(() => rm(join(dir, 'statement.json')))).toEqual([
      'statement.json: found nothing, expected SHA-256 …',
    ]);
  },
);

it('a manifest and a statement that were both made again give another name', async () => {
  const forged = await problemsAfter(async () => {
    let statement = await readFile(join(dir, 'statement.json'), 'utf8');
    const ledger = '0'.repeat(64);
    statement = statement.replace(/"ledger":"\w+"/, `"ledger":"${ledger}"`);
    await writeFile(join(dir, 'statement.json'), statement);
    const identity = createHash('sha256').update(statement).digest('hex');
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

deep.it(
  'the parent that a manifest names must be the one whose identity is bound; gc keeps what tells it',
  async () => {
    await using other = await temporaryDirectory();
    await using db = await makeWorkingDatabase(join(other.path, 'data'), tinyCorpus);
    const held = join(other.path, 'snapshots');
    const run = async (asOf: string) =>
      (await publish(publishInputs(other.path, tinyCorpus, { asOf }), db, buildTestImage, quietEffects())).manifest;
    const [first, second, third] = [await run('2026-11-20'), await run('2026-11-21'), await run('2026-11-22')];
    expect([first.bound?.parent, second.bound?.parent, third.bound?.parent]).toEqual([
      null,
      first.identity,
      second.identity,
    ]);
    const problems = async () => (await verify(held, third.version, quietEffects())).problems;
    const rename2 = async (name: string) => {
      const folder = join(held, third.version);
      const text = await readFile(join(folder, 'manifest.json'), 'utf8');
      await rewrite(folder, text.replace(/"parent": "2026\w+-\w+"/, `"parent": "${name}"`));
    };
    const expected = [
      {
        file: 'manifest.json',
        message: `bound parent ${first.version} is ${second.identity}, expected ${first.identity}`,
      },
    ];
    expect(await problems()).toEqual([]);
    await rename2(first.version);
    expect(await problems()).toEqual(expected);
    await gc(held, { keep: 1, daily: 0, weekly: 0, monthly: 0 }, quietEffects());
    expect(await readdir(held)).not.toContain(first.version);
    expect(await problems()).toEqual(expected);
    expect((await readdir(join(held, 'removed', first.version))).sort()).toEqual([
      'manifest.json',
      'manifest.json.sha256',
      'removal.json',
      'statement.json',
    ]);
    await rename2(second.version);
    expect(await problems()).toEqual([]);
  },
);

it('an index of payloads that does not follow from the part files is found, although every sum is right', async () => {
  const sum = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
  const found = await problemsAfter(async () => {
    const path = join(dir, 'payloads.index');
    const index = await readFile(path);
    const before = sum(index);
    index[index.length - 1] = 7;
    await writeFile(path, index);
    await forge((text) => text.replace(before, sum(index)));
  });
  expect(found.map(({ message }) => message)).toEqual([
    ...notBound('files'),
    'is not the index of the part files of raw',
  ]);
});

deep.it('a payload that is not the one its checksum states is found, although every file hash is right', async () => {
  await using other = await temporaryDirectory();
  const bad: CorpusSpec = { trials: [{ canonicalId: 'wt_aaaaaaaaaaaa', members: [{ id: 'NCT00000001' }] }] };
  await using db = await makeWorkingDatabase(join(other.path, 'data'), bad);
  const part = join(other.path, 'data', 'work', 'raw-parts', 'part-a.parquet');
  await db.run(
    `COPY (SELECT * REPLACE ('altered' AS payload) FROM payloads) TO '${part}.new' (FORMAT parquet, COMPRESSION zstd)`,
  );
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

it('a snapshot that is not there is refused', async () => {
  await expect(verify(snapshots, '20300101T000000Z-00000000', quietEffects())).rejects.toThrow('there is no snapshot');
  await expect(verify(snapshots, '../data', quietEffects())).rejects.toThrow('"../data" is not a snapshot version');
});
