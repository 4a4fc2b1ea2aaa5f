import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

/** Mode of a file that only its owner may read and write. */
export const OWNER_ONLY = 0o600;

const PERMISSIONS = 0o777;

/** Corrects a file that others may read or write, where it exists. One of another owner keeps the mode that it has. */
export function correctMode(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode === undefined || (mode & PERMISSIONS) === OWNER_ONLY) return;
  try {
    chmodSync(path, OWNER_ONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

/**
 * Makes a database with its write-ahead files readable by its owner alone, those that exist already too: SQLite gives
 * the files that it makes the mode of the database.
 */
export function keepForOwner(database: string): void {
  closeSync(openSync(database, 'a', OWNER_ONLY));
  for (const suffix of ['', '-wal', '-shm', '-journal']) correctMode(database + suffix);
}
