import { readFile, stat } from 'node:fs/promises';
import { KeyFault, parseSignerKey, type SignerKey } from '../../proof/note.ts';
import { type PublicKey, readKey } from '../../proof/verify.mjs';

/** A file of keys cannot be used; the message names it, and repeats nothing of a private key. */
export class KeyFileFault extends Error {
  constructor(path: string, why: string) {
    super(`${path}: ${why}`);
    this.name = 'KeyFileFault';
  }
}

/** Bits of a file's mode for everybody but its owner. */
const OTHERS = 0o077;

/**
 * The private keys that sign, one a line, newest first; none where there is no file. Throws KeyFileFault where others than the
 * owner may read it or write to it.
 */
export async function readSignerKeys(path: string): Promise<SignerKey[]> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new KeyFileFault(path, `cannot be read (${error.code})`);
  });
  if (found === null) return [];
  // Windows has no such modes.
  if (process.platform !== 'win32' && (found.mode & OTHERS) !== 0) {
    const mode = (found.mode & 0o777).toString(8).padStart(4, '0');
    throw new KeyFileFault(path, `others than its owner may use it (mode ${mode}), expected 0600: chmod 600 ${path}`);
  }
  const keys = await keysIn(path, parseSignerKey);
  const names = new Set(keys.map(({ verifier }) => verifier.name));
  if (names.size > 1) throw new KeyFileFault(path, `holds keys of ${[...names].join(' and ')}, expected one name`);
  return keys;
}

/** Public keys, one a line, among them that of a signer; throws KeyFileFault where there is none. */
export function readTrustedKeys(path: string): Promise<PublicKey[]> {
  return keysIn(path, (line) => readKey(line).catch(() => Promise.reject(NO_PUBLIC_KEY)));
}

/** Repeats nothing of the line, which may be a private key. */
const NO_PUBLIC_KEY = new KeyFault('expected a public key of Ed25519, <name>+<8 hex digits>+<base64>');

/** One key a line; lines that are empty or begin with # are comments. */
async function keysIn<Key>(path: string, parse: (line: string) => Key | Promise<Key>): Promise<Key[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new KeyFileFault(path, error.code === 'ENOENT' ? 'is missing' : `cannot be read (${error.code})`);
  });
  const keys: Key[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    try {
      keys.push(await parse(trimmed));
    } catch (error) {
      if (error instanceof KeyFault) throw new KeyFileFault(path, `line ${index + 1}: ${error.message}`);
      throw error;
    }
  }
  if (keys.length === 0) throw new KeyFileFault(path, 'holds no key, expected one a line');
  return keys;
}
