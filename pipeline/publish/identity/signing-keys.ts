import { randomBytes } from 'node:crypto';
import { mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { KeyFileFault, readSignerKeys } from '../../../snapshot/format/versions/key-files.ts';
import { readLog, UNSIGNED_ORIGIN } from '../../../snapshot/format/versions/publication-log.ts';
import { isKeyName, type SignerKey, signerKey } from '../../../snapshot/proof/note.ts';
import { sync } from '../durable.ts';

/** A change of the signing keys that is refused, with what to do instead. */
export class KeyChangeRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'KeyChangeRefused';
  }
}

export interface KeyPlace {
  path: string;
  snapshotsDir: string;
}

/** Makes the first key of a new file. Throws KeyChangeRefused where there is a file, or where the log has another name. */
export async function makeFirstKey(place: KeyPlace, name: string): Promise<SignerKey[]> {
  if (!isKeyName(name))
    throw new KeyChangeRefused('--name: expected a text without spaces and without +, such as example.org/trials');
  const origin = (await readLog(place.snapshotsDir)).checkpoint?.origin ?? UNSIGNED_ORIGIN;
  if (origin !== UNSIGNED_ORIGIN && origin !== name)
    throw new KeyChangeRefused(
      `--name: the log in ${place.snapshotsDir} is that of ${origin}, and a log keeps its name: --name ${origin}`,
    );
  const keys = [signerKey(name, randomBytes(32))];
  await mkdir(dirname(place.path), { recursive: true });
  await writeKeys(place.path, keys).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new KeyChangeRefused(
      `${place.path} is there already and stays as it is: --rotate adds a key to it, --retire ends one`,
    );
  });
  return keys;
}

/** Adds a key of the same name, which signs from the next publication on together with those before it. */
export async function rotateKey({ path }: KeyPlace, name: string | undefined): Promise<SignerKey[]> {
  const before = await keysThere(path);
  const held = before[0]!.verifier.name;
  if (name !== undefined && name !== held)
    throw new KeyChangeRefused(`--name: the keys in ${path} are of ${held}, and a rotation keeps the name`);
  const keys = [signerKey(held, randomBytes(32)), ...before];
  await replaceKeys(path, keys);
  return keys;
}

/** Removes a private key, which signs nothing from then on. The log goes on listing its public key. */
export async function retireKey({ path }: KeyPlace, id: string): Promise<SignerKey[]> {
  const before = await keysThere(path);
  const keys = before.filter(({ verifier }) => verifier.id !== id);
  const held = before.map(({ verifier }) => verifier.id).join(', ');
  if (keys.length === before.length)
    throw new KeyChangeRefused(`--retire ${id}: ${path} holds no such key, only ${held}`);
  if (keys.length === 0)
    throw new KeyChangeRefused(
      `--retire ${id}: it is the only key in ${path}; make its successor first, with --rotate`,
    );
  await replaceKeys(path, keys);
  return keys;
}

async function keysThere(path: string): Promise<SignerKey[]> {
  const keys = await readSignerKeys(path);
  if (keys.length === 0) throw new KeyFileFault(path, 'is missing: make it with `pipeline keygen --name NAME`');
  return keys;
}

async function replaceKeys(path: string, keys: readonly SignerKey[]): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  await writeKeys(temporary, keys);
  await rename(temporary, path);
  await sync(dirname(path));
}

/** Writes a file that only its owner may read. Rejects with EEXIST where there is one. */
async function writeKeys(path: string, keys: readonly SignerKey[]): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(keys.map(({ text }) => `${text}\n`).join(''));
    await file.sync();
  } finally {
    await file.close();
  }
  await sync(dirname(path));
}
