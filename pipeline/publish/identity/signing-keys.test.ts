import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { readSignerKeys, readTrustedKeys } from '../../../snapshot/format/versions/key-files.ts';
import { signerKey } from '../../../snapshot/proof/note.ts';
import { quietEffects } from '../../../test/builders/working-database.ts';
import { folderOfTest } from '../../../test/support/folders.ts';
import { completeLog } from './log.ts';
import { makeFirstKey, retireKey, rotateKey } from './signing-keys.ts';

const root = folderOfTest();
let place: { path: string; snapshotsDir: string };
beforeEach(() => {
  place = { path: join(root.path, 'data', 'signing.key'), snapshotsDir: join(root.path, 'snapshots') };
});

const NAME = 'example.org/trials';
const idsIn = async () => (await readSignerKeys(place.path)).map(({ verifier }) => verifier.id);

test('a first key is made for its owner alone, and is never overwritten', async () => {
  const [key] = await makeFirstKey(place, NAME);
  expect((await stat(place.path)).mode & 0o777).toBe(0o600);
  expect(await readFile(place.path, 'utf8')).toBe(`${key!.text}\n`);
  expect(key!.text).toMatch(/^PRIVATE\+KEY\+example\.org\/trials\+[0-9a-f]{8}\+AQ?[A-Za-z0-9+/]{42,43}=*$/);
  await expect(makeFirstKey(place, NAME)).rejects.toThrow('is there already and stays as it is');
  expect(await readFile(place.path, 'utf8')).toBe(`${key!.text}\n`);
  await expect(makeFirstKey({ ...place, path: join(root.path, 'other') }, 'two words')).rejects.toThrow('--name');
});

test('a rotation puts the new key first, and the old one signs on until it is retired', async () => {
  const [old] = await makeFirstKey(place, NAME);
  const { id } = old!.verifier;
  await expect(retireKey(place, id)).rejects.toThrow('it is the only key');
  const [newest, ...others] = await rotateKey(place, undefined);
  expect(others.map(({ verifier }) => verifier.id)).toEqual([id]);
  expect(await idsIn()).toEqual([newest!.verifier.id, id]);
  expect((await stat(place.path)).mode & 0o777).toBe(0o600);
  await expect(rotateKey(place, 'example.org/other')).rejects.toThrow('a rotation keeps the name');
  await expect(retireKey(place, '00000000')).rejects.toThrow(`holds no such key, only ${newest!.verifier.id}, ${id}`);
  await retireKey(place, id);
  expect(await idsIn()).toEqual([newest!.verifier.id]);
});

test('a log keeps its name: after a loss the new key takes it', async () => {
  await mkdir(place.snapshotsDir, { recursive: true });
  const lost = signerKey(NAME, Buffer.alloc(32, 1));
  await completeLog(place.snapshotsDir, '1'.repeat(64), [lost], quietEffects());
  await expect(makeFirstKey(place, 'example.org/other')).rejects.toThrow(`a log keeps its name: --name ${NAME}`);
  expect((await makeFirstKey(place, NAME))[0]!.verifier.name).toBe(NAME);
});

test.runIf(process.platform !== 'win32')(
  'a key file that others can use is refused with the command that mends it',
  async () => {
    await makeFirstKey(place, NAME);
    for (const mode of [0o640, 0o604, 0o620]) {
      await chmod(place.path, mode);
      await expect(readSignerKeys(place.path)).rejects.toThrow(`expected 0600: chmod 600 ${place.path}`);
    }
    await chmod(place.path, 0o400);
    expect(await idsIn()).toHaveLength(1);
  },
);

test('a file without usable keys is refused by line, and no message repeats a private key', async () => {
  expect(await readSignerKeys(place.path)).toEqual([]);
  const [key] = await makeFirstKey(place, NAME);
  const secret = key!.text.split('+').slice(4).join('+');
  const faultOf = async (text: string): Promise<string> => {
    await writeFile(place.path, text);
    return readSignerKeys(place.path).then(
      () => 'accepted',
      (error: Error) => error.message,
    );
  };
  const faults = [
    await faultOf(''),
    await faultOf(`# a comment\n${key!.text.slice(0, -2)}\n`),
    await faultOf(`${key!.text}\n${signerKey('another', Buffer.alloc(32, 1)).text}\n`),
    await faultOf(`${key!.verifier.vkey}\n`),
  ];
  expect(faults.map((fault) => fault.replace(`${place.path}: `, ''))).toEqual([
    'holds no key, expected one a line',
    'line 2: the private key of example.org/trials is not the base64 of a byte 0x01 and 32 bytes (Ed25519)',
    'holds keys of example.org/trials and another, expected one name',
    'line 1: a private key is not PRIVATE+KEY+<name>+<8 hex digits>+<base64>',
  ]);
  for (const fault of faults) expect(fault).not.toContain(secret.slice(0, 20));
});

test('trusted keys are public keys, one a line, with comments', async () => {
  const path = join(root.path, 'trusted');
  await expect(readTrustedKeys(path)).rejects.toThrow(`${path}: is missing`);
  const { vkey } = signerKey(NAME, Buffer.alloc(32, 1)).verifier;
  await writeFile(path, `# of the operator\n\n${vkey}\n`);
  expect((await readTrustedKeys(path)).map((key) => key.vkey)).toEqual([vkey]);
  await writeFile(path, '# nobody\n');
  await expect(readTrustedKeys(path)).rejects.toThrow('holds no key');
});
