import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { signerKey } from '../../../snapshot/proof/note.ts';
import { emptyManifest, versionAt, writeOwnFiles } from '../../../test/builders/manifest.ts';
import { quietEffects } from '../../../test/builders/working-database.ts';
import { folderOfTest } from '../../../test/support/folders.ts';
import { checkLog } from '../checks/check-log.ts';
import { completeLog, soundLog } from './log.ts';

const [ONE, TWO, THREE] = ['1'.repeat(64), '2'.repeat(64), '3'.repeat(64)];
/** Roots over the first one, two and three of them, computed apart by the definition of RFC 6962. */
const ROOTS = [
  'RjXh+mKlmaeICo0UpW9yCh1A9uVEirWl45vtyL2H+o4=',
  'zBWxMiY/1P0nSMDny54cStCv5w/Pk4LuZExNqK8ChqU=',
  'm+5EAZYulLkhM2p5EKWpcYg2/8vFRd3go/NNhYvrV1I=',
];
const key = signerKey('example.org/trials', Buffer.alloc(32, 1));
const newer = signerKey('example.org/trials', Buffer.alloc(32, 2));

const root = folderOfTest();

const add = (identity: string | null, signers = [key], checkpoint: (name: string) => void = () => undefined) =>
  completeLog(root.path, identity, signers, quietEffects({ checkpoint }));
const at = (name: string): string => join(root.path, 'log', name);
const read = (name: string): Promise<string> => readFile(at(name), 'utf8');
const problems = async (trusted: Parameters<typeof checkLog>[1] = null): Promise<string[]> =>
  (await checkLog(root.path, trusted)).problems.map(({ file, message }) => `${file} ${message}`);
const UNTRUSTED = 'log/checkpoint is not signed by a trusted key:';

test('without a key the log has checkpoints without signatures', async () => {
  expect(await add(ONE, [])).toEqual({ size: 1, signedBy: [] });
  expect(await add(TWO, [])).toEqual({ size: 2, signedBy: [] });
  expect(await read('identities')).toBe(`${ONE}\n${TWO}\n`);
  expect(await read('checkpoint')).toBe(`unsigned.invalid/trial-board\n2\n${ROOTS[1]}\n`);
  expect(await read('checkpoints/1')).toBe(`unsigned.invalid/trial-board\n1\n${ROOTS[0]}\n`);
  expect((await readdir(at('.'))).sort()).toEqual(['checkpoint', 'checkpoints', 'identities']);
  expect(await problems()).toEqual([]);
  expect(await problems([key.verifier])).toEqual([`${UNTRUSTED} it has no signature`]);
});

test('with a key each checkpoint is a note of the origin by its name, and the key is listed', async () => {
  await add(ONE);
  await add(TWO);
  expect(await add(THREE)).toEqual({ size: 3, signedBy: [`example.org/trials+${key.verifier.id}`] });
  expect((await read('checkpoint')).startsWith(`example.org/trials\n3\n${ROOTS[2]}\n\n— example.org/trials `)).toBe(
    true,
  );
  expect((await readdir(at('checkpoints'))).sort()).toEqual(['1', '2', '3']);
  expect(await read('keys')).toBe(`${key.verifier.vkey}\n`);
  expect(await problems([key.verifier])).toEqual([]);
});

test('an identity is added once, and a call without anything to do writes nothing', async () => {
  await add(ONE);
  const written: string[] = [];
  await add(ONE, [key], (name) => written.push(name));
  await add(null, [key], (name) => written.push(name));
  expect(written).toEqual([]);
  expect(await read('identities')).toBe(`${ONE}\n`);
});

test('a log that was unsigned is signed as soon as there is a key', async () => {
  await add(ONE, []);
  expect(await add(null)).toEqual({ size: 1, signedBy: [`example.org/trials+${key.verifier.id}`] });
  expect(await problems([key.verifier])).toEqual([]);
});

test('in a rotation both keys sign; the retired one stays listed, and what it signed stays signed', async () => {
  await add(ONE);
  await add(TWO, [newer, key]);
  expect(await problems([key.verifier])).toEqual([]);
  expect(await problems([newer.verifier])).toEqual([]);
  await add(THREE, [newer]);
  expect(await read('keys')).toBe(`${newer.verifier.vkey}\n${key.verifier.vkey}\n`);
  expect(await problems([newer.verifier])).toEqual([]);
  expect(await problems([key.verifier])).toEqual([`${UNTRUSTED} no known key has signed the note`]);
});

test('a new key signs the same checkpoint beside the signatures that it has, also those of witnesses', async () => {
  await add(ONE);
  const witness =
    '— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n';
  const before = `${await read('checkpoint')}${witness}`;
  await writeFile(at('checkpoint'), before);
  await add(null, [newer]);
  expect((await read('checkpoint')).startsWith(before)).toBe(true);
  expect(await problems([key.verifier])).toEqual([]);
  expect(await problems([newer.verifier])).toEqual([]);
});

test('a log that loses its key keeps its name, and says that it is unsigned', async () => {
  await add(ONE);
  expect(await add(TWO, [])).toEqual({ size: 2, signedBy: [] });
  expect(await read('checkpoint')).toBe(`example.org/trials\n2\n${ROOTS[1]}\n`);
  await add(THREE, [newer]);
  expect((await read('checkpoint')).startsWith('example.org/trials\n3\n')).toBe(true);
  expect(await problems([newer.verifier])).toEqual([]);
});

test('a kill at any point leaves a log without damage, and the next call completes it', async () => {
  const checkpoints: string[] = [];
  await add(ONE);
  await add(TWO, [newer, key], (name) => checkpoints.push(name));
  const readAll = () => Promise.all(['identities', 'checkpoint', 'checkpoints/1', 'checkpoints/2', 'keys'].map(read));
  const whole = await readAll();
  const renamed = checkpoints.flatMap((name) => /^log:(\w+):renamed$/.exec(name)?.[1] ?? []);
  expect(renamed).toEqual(['keys', 'identities', 'checkpoints', 'checkpoint']);
  for (const killedAt of checkpoints) {
    await rm(at('.'), { recursive: true });
    await add(ONE);
    await expect(
      add(TWO, [newer, key], (name) => {
        if (name === killedAt) throw new Error('killed');
      }),
    ).rejects.toThrow('killed');
    const { problems: found, entries, checkpoint, notes } = await checkLog(root.path, [key.verifier]);
    expect(found, killedAt).toEqual([]);
    const unsigned = entries.length - (checkpoint?.size ?? 0);
    expect(notes.length, killedAt).toBe(unsigned);
    await add(TWO, [newer, key]);
    expect(await readAll(), killedAt).toEqual(whole);
  }
});

describe('a log that was changed', () => {
  beforeEach(async () => {
    for (const identity of [ONE, TWO, THREE]) await add(identity);
  });

  const swapped = `${TWO}\n${ONE}\n${THREE}\n`;
  test.each([
    ['cut', `${ONE}\n${TWO}\n`, 'log/checkpoint', 'counts 3 identities, but the log holds 2'],
    ['reordered', swapped, 'log/checkpoint', 'one of them was changed, moved or left out'],
    ['replaced', `${ONE}\n${'4'.repeat(64)}\n${THREE}\n`, 'log/checkpoints/2', 'is not continued by the log'],
    ['torn', `${ONE}\n${TWO}\n${THREE}`, 'log', 'its last line has no end'],
    ['no log', 'hello\n', 'log', 'a line is not an identity of 64 hex digits'],
  ])('%s: is named, and nothing is added to it', async (_what, identities, file, message) => {
    await writeFile(at('identities'), identities);
    const found = await problems();
    expect(found.filter((problem) => problem.startsWith(`${file} `) && problem.includes(message))).toHaveLength(1);
    await expect(add('5'.repeat(64))).rejects.toThrow(/not as it was written|restore log\/ from a copy/);
    await expect(soundLog(root.path)).rejects.toThrow();
    expect(await read('identities')).toBe(identities);
  });

  test('a signature that does not hold, and one by a key that is not listed, are named', async () => {
    const note = await read('checkpoint');
    await writeFile(at('checkpoints/3'), note.replace('\n3\n', '\n2\n'));
    await writeFile(at('keys'), `${newer.verifier.vkey}\n`);
    expect(await problems()).toEqual(
      expect.arrayContaining([
        'log/checkpoint is not signed by a key of the log: no known key has signed the note',
        'log/checkpoints/3 counts 2 identities, expected 3, as its name says',
      ]),
    );
    await writeFile(at('keys'), `${key.verifier.vkey}\n`);
    // Another signature of 64 bytes: those of the second checkpoint.
    const other = (await read('checkpoints/2')).split('\n').at(-2)!;
    await writeFile(at('checkpoint'), note.replace(note.split('\n').at(-2)!, other));
    const unsound = `${UNTRUSTED} the signature by "example.org/trials+${key.verifier.id}" does not hold`;
    expect(await problems([key.verifier])).toContain(unsound);
  });
});

describe('snapshots and the log', () => {
  const named = (time: string, ledger: string): string => versionAt(time, emptyManifest('', ledger));
  const [OLDER, NEWER] = [named('20261120T030000Z', ONE), named('20261121T030000Z', TWO)];
  const hold = async (version: string, ledger: string, folder = '.'): Promise<string> => {
    const manifest = emptyManifest(version, ledger);
    await mkdir(join(root.path, folder, version), { recursive: true });
    writeOwnFiles(join(root.path, folder, version), manifest);
    return manifest.identity;
  };

  test('the served snapshot is added where the log lacks it', async () => {
    const identity = await hold(OLDER, ONE);
    await writeFile(join(root.path, 'CURRENT'), `${OLDER}\n`);
    expect(await problems()).toEqual([`log/identities does not hold ${identity}, the identity of ${OLDER}`]);
    await add(TWO);
    expect(await read('identities')).toBe(`${identity}\n${TWO}\n`);
    expect(await problems()).toEqual([]);
  });

  test('each entry says which snapshot it is, and whether that is here', async () => {
    await add(await hold(OLDER, ONE, 'removed'));
    await add(await hold(NEWER, TWO));
    await add(THREE);
    const { entries } = await checkLog(root.path, null);
    const said = entries.map(({ index, version, state }) => `${index} ${version} ${state}`);
    expect(said).toEqual([`0 ${OLDER} removed`, `1 ${NEWER} held`, '2 null absent']);
  });

  test('one that a killed publication left unserved is a note; an older one that is missing is a problem', async () => {
    await add(await hold(OLDER, ONE));
    await writeFile(join(root.path, 'CURRENT'), `${OLDER}\n`);
    await hold(NEWER, TWO);
    const { problems: found, notes } = await checkLog(root.path, null);
    expect(found).toEqual([]);
    expect(notes).toEqual([
      `${NEWER} is not in the log: its publication was killed before it was served, and \`pipeline current ${NEWER}\` would add it`,
    ]);
    const slipped = named('20261119T030000Z', THREE);
    const identity = await hold(slipped, THREE);
    expect(await problems()).toEqual([`log/identities does not hold ${identity}, the identity of ${slipped}`]);
  });
});
