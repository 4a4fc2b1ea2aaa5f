import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { correctMode, OWNER_ONLY } from '../../server-kit/owner-only.ts';
import type { Board } from '../store/board.ts';
import { installationSalt } from '../store/installation-store.ts';

const SALT_BYTES = 32;

/**
 * The salt that a board hashes addresses with: on PostgreSQL the one in the database, so that all boards give an address
 * the same hash; on SQLite the one in a file beside it. A board that moves between them takes its salt along.
 */
export async function addressSaltOf(board: Board, path: string): Promise<string> {
  const { random } = board.effects;
  const make = () => (existsSync(path) ? addressSalt(path, random) : newSalt(random));
  return (await installationSalt(board, make)) ?? addressSalt(path, random);
}

function newSalt(random: (bytes: number) => Buffer): string {
  return random(SALT_BYTES).toString('base64url');
}

/**
 * The salt of address hashes, made once and kept for its owner only. Whoever gets the board's file without it cannot
 * turn the hashes back into addresses.
 */
export function addressSalt(path: string, random: (bytes: number) => Buffer): string {
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(path, newSalt(random), { mode: OWNER_ONLY, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  correctMode(path);
  const salt = readFileSync(path, 'utf8').trim();
  if (salt === '') throw new Error(`${path} is empty: remove it, so that it is made anew`);
  return salt;
}
