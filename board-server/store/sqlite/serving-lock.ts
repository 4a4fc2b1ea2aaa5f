import SQLite from 'better-sqlite3';
import { keepForOwner } from '../../../server-kit/owner-only.ts';
import { BoardFileFault } from './migrate.ts';

/** The file beside a board that the one serving process holds. */
export function lockFileOf(board: string): string {
  return `${board}.lock`;
}

/**
 * Holds a board for one serving process, until disposal or the end of the process, however it ends: an exclusive
 * transaction on an empty database beside it. The board itself stays free for readers and backups.
 * Throws BoardFileFault while another process holds it.
 */
export class ServingLock implements Disposable {
  readonly #file: SQLite.Database;

  constructor(board: string) {
    const path = lockFileOf(board);
    keepForOwner(path);
    this.#file = new SQLite(path, { timeout: 0 });
    try {
      this.#file.pragma('journal_mode = MEMORY');
      this.#file.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      this.#file.close();
      if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
      throw new BoardFileFault(
        `another process serves ${board}: stop it first, or give this one a board of its own (BOARD_DB)`,
        { cause: error },
      );
    }
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }
}
