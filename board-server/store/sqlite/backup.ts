import { existsSync } from 'node:fs';
import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import SQLite from 'better-sqlite3';
import { keepForOwner } from '../../../server-kit/owner-only.ts';
import type { ChainReport } from '../verify-chain.ts';
import { isBusy, sqliteCode } from './connection.ts';
import { verifyFile } from './verify-file.ts';

/** A backup or restore that failed; the message says what to do. */
export class BackupFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BackupFault';
  }
}

/**
 * Copies a board to a new file, checks the copy and only then gives it its name. The board may serve meanwhile.
 * Throws BackupFault when the target exists, or the copy is not sound.
 */
export async function backupBoard(board: string, target: string): Promise<ChainReport> {
  if (existsSync(target)) throw new BackupFault(`${target} exists: name a new file`);
  const partial = `${target}.partial`;
  try {
    const report = await soundCopy(board, partial);
    // Unlike a rename, a link never replaces a file that was created in between.
    await link(partial, target);
    await syncDirectory(target);
    return report;
  } finally {
    await removeDatabase(partial);
  }
}

/**
 * Replaces a board that no process has open with a backup. The previous board is kept beside it under the name returned
 * as `kept`. The files change by one rename, so that a crash leaves one or the other.
 */
export async function restoreBoard(
  backup: string,
  board: string,
  now: Date,
): Promise<{ report: ChainReport; kept: string | null }> {
  const partial = `${board}.restoring`;
  await mkdir(dirname(board), { recursive: true });
  try {
    const report = await soundCopy(backup, partial);
    const kept = existsSync(board) ? `${board}.before-${now.toISOString().replaceAll(/[:.]/g, '-')}` : null;
    if (kept !== null) {
      settle(board);
      keepForOwner(board);
      await link(board, kept);
      // Otherwise SQLite would replay the log of the old file into the new one.
      for (const suffix of ['-wal', '-shm']) await rename(board + suffix, kept + suffix).catch(ifAbsent);
    }
    await rename(partial, board);
    await syncDirectory(board);
    return { report, kept };
  } finally {
    await removeDatabase(partial);
  }
}

/** One self-contained file on the disk, whose integrity and chain were checked. */
async function soundCopy(source: string, copy: string): Promise<ChainReport> {
  if (!existsSync(source)) throw new BackupFault(`${source} does not exist`);
  await removeDatabase(copy);
  try {
    keepForOwner(copy);
    const from = new SQLite(source, { readonly: true });
    try {
      await from.backup(copy);
    } finally {
      from.close();
    }
    const to = new SQLite(copy);
    to.pragma('journal_mode = DELETE');
    to.close();
  } catch (error) {
    throw new BackupFault(`${source} cannot be copied as a board (${message(error)})`, { cause: error });
  }
  const report = await verifyFile(copy);
  if (report.problems.length > 0) {
    throw new BackupFault(`${source} is not sound, so nothing was changed: ${report.problems.join('; ')}`);
  }
  const file = await open(copy, 'r+');
  await file.sync();
  await file.close();
  return report;
}

/** Writes the log into the file. Only the last connection can leave WAL, so this also tells if the board is in use. */
function settle(board: string): void {
  let file: SQLite.Database | null = null;
  try {
    file = new SQLite(board, { timeout: 500 });
    file.pragma('journal_mode = DELETE');
  } catch (error) {
    if (isBusy(error)) throw new BackupFault(`${board} is in use: stop the service, then restore`, { cause: error });
    // A damaged file is the reason to restore; it is kept unchanged.
    if (!/^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(error))) throw error;
  } finally {
    file?.close();
  }
}

async function removeDatabase(path: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(path + suffix, { force: true });
}

function ifAbsent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(dirname(path), 'r');
  await directory.sync();
  await directory.close();
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
