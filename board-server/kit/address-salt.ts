import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { correctMode, OWNER_ONLY } from '../../server-kit/owner-only.ts';

const SALT_BYTES = 32;

/**
 * The salt of address hashes, made once and kept for its owner only. Whoever gets the board's file without it cannot
 * turn the hashes back into addresses.
 */
export function addressSalt(path: string, random: (bytes: number) => Buffer): string {
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(path, random(SALT_BYTES).toString('base64url'), { mode: OWNER_ONLY, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  correctMode(path);
  const salt = readFileSync(path, 'utf8').trim();
  if (salt === '') throw new Error(`${path} is empty: remove it, so that it is made anew`);
  return salt;
}
