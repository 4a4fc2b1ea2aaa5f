import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addressSaltOf } from '../../board-server/kit/address-salt.ts';
import { Board } from '../../board-server/store/board.ts';
import { type OneOfSeveral, openSeveralBoards, type SeveralBoards } from '../support/board/several-boards.ts';
import { NO_POSTGRES } from '../support/runner/postgres.ts';

let several: SeveralBoards | null = null;
let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'trial-board-salt-'));
});
afterEach(async () => {
  await several?.[Symbol.asyncDispose]();
  several = null;
  await rm(root, { recursive: true });
});

describe.skipIf(NO_POSTGRES !== null)('the salt of address hashes', () => {
  it('is the same at every board of a database that starts at the same time', async () => {
    several = await openSeveralBoards(3);
    const salts = await Promise.all(
      several.boards.map(({ board }, place) => addressSaltOf(board, join(root, `${place}`, 'address.salt'))),
    );
    expect(new Set(salts).size).toBe(1);
    expect(salts[0]).toMatch(/^[\w-]{43}$/);
    const client = new Client({ connectionString: several.url });
    await client.connect();
    const { rows } = await client.query('SELECT * FROM installation');
    await client.end();
    // Who reads the database alone cannot turn hashes back into addresses.
    expect(JSON.stringify(rows)).not.toContain(salts[0]);
    expect(rows).toHaveLength(1);
  });

  it('is the one of the file from which a board moved', async () => {
    several = await openSeveralBoards(2);
    await writeFile(join(root, 'address.salt'), 'of-the-file');
    const [moved, other] = several.boards as [OneOfSeveral, OneOfSeveral];
    expect(await addressSaltOf(moved.board, join(root, 'address.salt'))).toBe('of-the-file');
    expect(await addressSaltOf(other.board, join(root, 'elsewhere', 'address.salt'))).toBe('of-the-file');
  });

  it('stays in its file on SQLite', async () => {
    const board = await Board.open(join(root, 'board.sqlite'), { now: () => new Date(), random: randomBytes });
    const salt = await addressSaltOf(board, join(root, 'address.salt'));
    expect(await addressSaltOf(board, join(root, 'address.salt'))).toBe(salt);
    expect(await board.read.selectFrom('installation').selectAll().execute()).toEqual([]);
    await board[Symbol.asyncDispose]();
  });
});
