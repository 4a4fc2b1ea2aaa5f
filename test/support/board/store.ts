import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { Board } from '../../../board-server/store/board.ts';
import type { BoardEffects } from '../../../board-server/store/effects.ts';
import type { OpenOptions } from '../../../board-server/store/open-engine.ts';
import { verifyDatabase } from '../../../board-server/store/postgres/verify.ts';
import type { DialectName } from '../../../board-server/store/session.ts';
import { verifyFile } from '../../../board-server/store/sqlite/verify-file.ts';
import { isServer } from '../../../board-server/store/store-address.ts';
import type { ChainReport } from '../../../board-server/store/verify-chain.ts';
import { OnlyIn } from '../runner/amount.ts';
import { openDatabase } from '../runner/postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What holds the boards of a test: files, or databases of a PostgreSQL of its own in the project `postgres`. */
    store: DialectName;
  }
}

/** Declares tests of what SQLite alone has: its file, its plans, its faults. */
export const onSqlite = new OnlyIn(() => inject('store') === 'sqlite');

/** Declares what the project `postgres` alone shows. */
export const onPostgres = new OnlyIn(() => inject('store') === 'postgres');

/** Where a board of a test keeps its data. */
export interface Place extends AsyncDisposable {
  /** Path of the file, or address of the database. */
  readonly address: string;
}

/** A place of its own that holds an empty board; each of its migrations was a commit, so it was made once. */
export async function emptyPlace(store = inject('store')): Promise<Place> {
  if (store === 'postgres') {
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
export async function boardAt(address: string, effects: BoardEffects, options: OpenOptions = {}): Promise<Board> {
  return Board.open(address, effects, isServer(address) ? { keyFile: await keyFile(), ...options } : {});
}

/** Checks every event of the board at an address. */
export function verifyAt(address: string): Promise<ChainReport> {
  return isServer(address) ? verifyDatabase(address, null) : verifyFile(address);
}

let keyFolder: Promise<string> | null = null;

/** Every board of an installation has the same key, so the boards of this process have one. */
export async function keyFile(): Promise<string> {
  keyFolder ??= mkdtemp(join(tmpdir(), 'trial-board-key-')).then((folder) => {
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  });
  return join(await keyFolder, 'board.key');
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
