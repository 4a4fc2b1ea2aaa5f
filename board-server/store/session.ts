import type { Kysely } from 'kysely';
import type { BoardTables } from './tables.ts';

export type DialectName = 'sqlite' | 'postgres';

/** What one statement did: its rows, or how many rows it changed. */
export interface Sent {
  rows: unknown[];
  changes: number;
}

/** Where statements of the board run: a connection, or a pool of them. */
export interface Session {
  readonly dialect: DialectName;
  /** Builds queries and runs them here. */
  readonly db: Kysely<BoardTables>;
  /** Equal where the same rows are seen; the key under which counts of them are kept. */
  readonly source: object;
  /** Bytes of the values that were written so far, texts as UTF-8 and numbers as eight. */
  readonly bytesWritten: number;
  /** Whether a transaction is open that a statement which failed has not ended. */
  readonly inTransaction: boolean;
  /** Runs one statement. Texts are stored in their storable form and come back as they were given. */
  send(text: string, parameters?: readonly unknown[]): Sent | Promise<Sent>;
  /**
   * Runs one write whose result nobody needs, after all before it. It may return before the write is carried out; what it
   * then fails with is thrown by the next statement that is waited for.
   */
  sendLater(text: string, parameters?: readonly unknown[]): void;
}

/** Bytes that values count for. */
export function bytesOf(values: readonly unknown[]): number {
  let bytes = 0;
  for (const value of values) bytes += typeof value === 'string' ? Buffer.byteLength(value) : 8;
  return bytes;
}
