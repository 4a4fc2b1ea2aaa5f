import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { Board } from '../../board-server/store/board.ts';
import type { BoardEffects } from '../../board-server/store/effects.ts';
import { OnlyIn } from './pass.ts';
import { openDatabase } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What holds the boards of a test: files, or databases of a PostgreSQL of its own in the project `cluster`. */
    store: 'sqlite' | 'postgres';
  }
}

/** Declares tests of what SQLite alone has: its file, its plans, its faults. sqlite-files.ts names whole files of them. */
export const onSqlite = new OnlyIn(() => inject('store') === 'sqlite');

/** Where a board of a test keeps its data. */
export interface Place extends AsyncDisposable {
  /** Path of the file, or address of the database. */
  readonly address: string;
}

/** A place of its own that holds an empty board; each of its migrations was a commit, so it was made once. */
export async function emptyPlace(): Promise<Place> {
  if (inject('store') === 'postgres') {
    const { url, ...database } = await openDatabase(leaveEmptyBoard);
    return { address: url, ...database };
  }
  const root = await mkdtemp(join(tmpdir(), 'trial-board-board-'));
  const address = join(root, 'board.sqlite');
  emptyFile ??= makeEmptyFile();
  await writeFile(address, await emptyFile);
  return { address, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}

/** Opens the board at an address of either store. */
export function boardAt(address: string, effects: BoardEffects): Promise<Board> {
  return Board.open(address, effects);
}

let emptyFile: Promise<Buffer> | null = null;

async function makeEmptyFile(): Promise<Buffer> {
  const root = await mkdtemp(join(tmpdir(), 'trial-board-empty-'));
  try {
    const path = join(root, 'board.sqlite');
    await leaveEmptyBoard(path);
    if (existsSync(`${path}-wal`)) throw new Error('a closed board left a WAL file beside its file');
    return await readFile(path);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function leaveEmptyBoard(address: string): Promise<void> {
  const board = await boardAt(address, { now: () => new Date(0), random: (bytes) => Buffer.alloc(bytes) });
  await board[Symbol.asyncDispose]();
}
