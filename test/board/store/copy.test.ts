import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import fc from 'fast-check';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Board } from '../../../board-server/store/board.ts';
import { copyBoard } from '../../../board-server/store/copy/copy-board.ts';
import { Connection, READER, WRITER } from '../../../board-server/store/sqlite/connection.ts';
import { BOARD_OPERATIONS } from '../../../contract/operations.ts';
import { fillResearch } from '../../support/board/agent-rows.ts';
import { countedBytes, openBoard, TestClock } from '../../support/board/board.ts';
import { putMessage } from '../../support/board/board-rows.ts';
import { type Call, callOf, takeCases } from '../../support/board/board-session.ts';
import { NO_POSTGRES, openDatabase } from '../../support/runner/postgres.ts';
import { ROOT } from '../../support/tree.ts';

if (NO_POSTGRES !== null) process.stderr.write(`\nCopies to PostgreSQL are not tested: ${NO_POSTGRES}\n`);

const LATER = new TestClock('2026-12-24T12:00:00.000Z');
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trial-board-copy-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);

/** A stopped board with a row in every state on each surface of research. */
async function smallBoard(): Promise<string> {
  const path = at('from.sqlite');
  await using board = await openBoard({ path });
  await fillResearch(board, 'agent-a');
  for (const body of ['a\u0000b', 'half \ud800', '\u0001json:"x"', '🧬 naïve'])
    await putMessage(board, { subject_type: 'objective', subject_id: 'map-one-disease', body });
  return path;
}

/** Every row of a file but for the tables of its full text, by table. */
async function rowsOf(path: string): Promise<Record<string, unknown[]>> {
  const connection = new Connection(path, READER);
  try {
    const names = connection.file
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '*_search*' AND name NOT GLOB 'claims_scope*'",
      )
      .pluck()
      .all() as string[];
    return Object.fromEntries(
      names.map((name) => {
        const key = (connection.file.pragma(`table_info(${name})`) as { name: string; pk: number }[])
          .filter(({ pk }) => pk > 0)
          .map((column) => column.name);
        return [name, connection.send(`SELECT * FROM ${name} ORDER BY ${key.join(', ')}`).rows];
      }),
    );
  } finally {
    await connection.close();
  }
}

const schemaOf = (path: string): unknown[] => {
  const file = new SQLite(path, { readonly: true });
  const objects = file.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all();
  file.close();
  return objects;
};

async function run(program: string, ...words: string[]): Promise<{ code: number | null; out: string; errors: string }> {
  const child = spawn(process.execPath, [program, ...words], { cwd: ROOT, env: { PATH: process.env.PATH } });
  let out = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (errors += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, errors };
}

const copyProcess = (from: string, to: string, chunks: number) =>
  run('test/support/board/copy-process.ts', from, to, `${chunks}`);

describe('a copy from file to file', () => {
  it('has the same rows, schema and head, and says what to do with the key', async () => {
    const from = await smallBoard();
    const { code, out, errors } = await run('board-server/cli.ts', 'copy', from, `sqlite:${at('to.sqlite')}`);
    expect([code, errors]).toEqual([0, '']);
    expect(out).toMatch(/^dead_ends +1 +1 +[0-9a-f]{16}$/m);
    expect(out).toMatch(/^events: 5$/m);
    expect(out).toContain(`key: before the first start, cp -p '${from}.key' '${at('to.sqlite')}.key'`);
    expect(await rowsOf(at('to.sqlite'))).toEqual(await rowsOf(from));
    expect(schemaOf(at('to.sqlite'))).toEqual(schemaOf(from));
    expect((await readdir(folder)).filter((name) => name.startsWith('to.'))).toEqual(['to.sqlite']);
  });

  it('is searched and written to like the board that it came from', async () => {
    const from = await smallBoard();
    await copyBoard(from, at('to.sqlite'));
    await using copy = await openBoard({ path: at('to.sqlite') });
    expect((await copy.get('/api/v1/threads?q=naive')).body._meta.pagination.total).toBe(1);
    expect((await copy.get('/api/v1/threads?q=absent')).body._meta.pagination.total).toBe(0);
    await putMessage(copy, { subject_type: 'objective', subject_id: 'map-one-disease' });
  });

  it('is refused from a board that is served, and onto whatever exists', async () => {
    const from = await smallBoard();
    const lock = new SQLite(`${from}.lock`, { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    await expect(copyBoard(from, at('to.sqlite'))).rejects.toThrow(/is served: stop its board/);
    lock.close();
    await copyFile(from, at('to.sqlite'));
    await expect(copyBoard(from, at('to.sqlite'))).rejects.toThrow(/to\.sqlite exists: name a new file/);
    await expect(copyBoard(from, from)).rejects.toThrow(/onto itself/);
    await expect(copyBoard(at('none'), at('other'))).rejects.toThrow(/none does not exist/);
    const older = new SQLite(from);
    older.pragma('user_version = 3');
    older.close();
    await expect(copyBoard(from, at('other'))).rejects.toThrow(/has schema 3, .*: start its board once/);
  });

  it('that is killed goes on where it was, and is no board before its end', async () => {
    const from = await smallBoard();
    expect((await copyProcess(from, at('to.sqlite'), 2)).code).toBe(null);
    expect([existsSync(at('to.sqlite')), existsSync(at('to.sqlite.copying'))]).toEqual([false, true]);
    const { tables } = await copyBoard(from, at('to.sqlite'), { chunkRows: 5 });
    expect(tables.reduce((sum, { before }) => sum + before, 0)).toBe(10);
    expect(await rowsOf(at('to.sqlite'))).toEqual(await rowsOf(from));
  });

  it('begins anew where the board was written to between two tries', async () => {
    const from = await smallBoard();
    await copyProcess(from, at('to.sqlite'), 2);
    {
      await using board = await openBoard({ path: from });
      await putMessage(board, { subject_type: 'objective', subject_id: 'map-one-disease' });
    }
    const { tables } = await copyBoard(from, at('to.sqlite'));
    expect(tables.every(({ before }) => before === 0)).toBe(true);
    expect(await rowsOf(at('to.sqlite'))).toEqual(await rowsOf(from));
  });

  it('says which table differs, where an event tells nothing of a change between two tries', async () => {
    const from = await smallBoard();
    await copyProcess(from, at('to.sqlite'), 1);
    const file = new SQLite(from);
    file.exec("UPDATE amendments SET rationale = 'another'");
    file.close();
    await expect(copyBoard(from, at('to.sqlite'))).rejects.toThrow(/^amendments has 5 rows .* run it once more/);
    await copyBoard(from, at('to.sqlite'));
    expect(await rowsOf(at('to.sqlite'))).toEqual(await rowsOf(from));
  });

  it('of a board whose chain is broken is no board', async () => {
    const from = await smallBoard();
    const file = new SQLite(from);
    file.exec("UPDATE events SET agent_name = 'someone else'");
    file.close();
    await expect(copyBoard(from, at('to.sqlite'))).rejects.toThrow(/is not sound, so it is no board: event 1/);
    expect(existsSync(at('to.sqlite'))).toBe(false);
  });
});

/** Answers of every list of a board, and of what the first of each list links to. */
async function answersOf(store: string): Promise<Record<string, unknown>> {
  const board = await Board.open(store, { now: LATER.now, random: countedBytes() }, { keyFile: at('from.sqlite.key') });
  try {
    const call = callOf({ services: { board, addressSalt: 'test', independence: 'name' }, clock: LATER });
    return await askedOf(call);
  } finally {
    await board[Symbol.asyncDispose]();
  }
}

const FIRST_IDS = 25;

async function askedOf(call: Call): Promise<Record<string, unknown>> {
  const reads = BOARD_OPERATIONS.filter(({ method, id }) => method === 'GET' && !/stream|follow/.test(id));
  const answers: Record<string, unknown> = {};
  for (const operation of reads.filter(({ path }) => !path.includes('{'))) {
    answers[operation.id] = plain(await call(operation, {}));
  }
  const ids = [...new Set(JSON.stringify(answers).match(/[a-z]{2,4}_[0-9A-Za-z]{8,}/g))].slice(0, FIRST_IDS);
  for (const operation of reads.filter(({ path }) => /^[^{]*\{id\}[^{]*$/.test(path))) {
    for (const id of ids) answers[`${operation.id} ${id}`] = plain(await call(operation, { id }));
  }
  return answers;
}

/** Without the id of the request. */
function plain(answered: Awaited<ReturnType<Call>>): unknown {
  return JSON.parse(JSON.stringify(answered, (name, value) => (name === 'correlationId' ? undefined : value)));
}

async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe.skipIf(NO_POSTGRES !== null)('a move to PostgreSQL and back', () => {
  it('of a session over all surfaces keeps every row, the head and every answer', async () => {
    {
      await using board = await openBoard({ path: at('from.sqlite') });
      await takeCases(board, callOf(board));
      await fillResearch(board, 'agent-a');
    }
    const before = await answersOf(at('from.sqlite'));
    const rows = await rowsOf(at('from.sqlite'));
    expect(Object.entries(rows).filter(([, of]) => of.length > 0).length).toBeGreaterThan(25);
    await using database = await openDatabase();
    const there = await copyBoard(at('from.sqlite'), database.url);
    expect(await answersOf(database.url)).toEqual(before);
    const back = await copyBoard(database.url, at('back.sqlite'));
    expect(back.chain).toEqual(there.chain);
    expect(there.chain.head?.hash).toBe((rows.events!.at(-1) as { hash: string }).hash);
    expect(back.tables.map(({ name, hash }) => [name, hash]).toSorted()).toEqual(
      there.tables.map(({ name, hash }) => [name, hash]).toSorted(),
    );
    expect(await rowsOf(at('back.sqlite'))).toEqual(rows);
    expect(schemaOf(at('back.sqlite'))).toEqual(schemaOf(at('from.sqlite')));
    expect(await answersOf(at('back.sqlite'))).toEqual(before);
  });

  it('that is killed goes on where it was, and serves no board before its end', async () => {
    const from = await smallBoard();
    await using database = await openDatabase();
    expect((await copyProcess(from, database.url, 2)).code).toBe(null);
    await expect(answersOf(database.url)).rejects.toThrow(/holds a copy that was not finished/);
    await expect(copyBoard(database.url, at('to.sqlite'))).rejects.toThrow(/was not finished/);
    const { tables } = await copyBoard(from, database.url, { chunkRows: 5 });
    expect(tables.reduce((sum, { before }) => sum + before, 0)).toBe(10);
    expect((await copyProcess(database.url, at('to.sqlite'), 3)).code).toBe(null);
    await copyBoard(database.url, at('to.sqlite'));
    expect(await rowsOf(at('to.sqlite'))).toEqual(await rowsOf(from));
  });

  it('begins anew where the board was written to between two tries', async () => {
    const from = await smallBoard();
    await using database = await openDatabase();
    await copyProcess(from, database.url, 2);
    {
      await using board = await openBoard({ path: from });
      await putMessage(board, { subject_type: 'objective', subject_id: 'map-one-disease' });
    }
    const { tables } = await copyBoard(from, database.url);
    expect(tables.every(({ before }) => before === 0)).toBe(true);
  });

  it('leaves a database whose counts go on and whose head every board finds', async () => {
    const from = await smallBoard();
    await using database = await openDatabase();
    const { chain } = await copyBoard(from, database.url);
    const tallies = "SELECT count::int FROM tallies WHERE list = 'findings' AND subject = '' AND state = 'received'";
    expect(await ask(database.url, tallies)).toEqual([{ count: 1 }]);
    await ask(
      database.url,
      'INSERT INTO findings SELECT (json_populate_record(f, \'{"id":"fnd_2","seq":1,"content_hash":"2"}\')).* FROM findings AS f',
    );
    expect(await ask(database.url, tallies)).toEqual([{ count: 2 }]);
    expect(await ask(database.url, 'SELECT hash, needs < 1000 AS free, last_time >= ts AS later FROM head')).toEqual([
      { hash: chain.head!.hash, free: true, later: true },
    ]);
  });

  it('is refused where a board is connected, and into a database with rows', async () => {
    const from = await smallBoard();
    await using database = await openDatabase();
    await copyBoard(from, database.url);
    await expect(copyBoard(from, database.url)).rejects.toThrow(/has rows in .*: it holds a board of its own/);
    await using board = await Board.open(
      database.url,
      { now: LATER.now, random: countedBytes() },
      { keyFile: `${from}.key` },
    );
    await board.read.byId('claims', 'none');
    await expect(copyBoard(database.url, at('to.sqlite'))).rejects.toThrow(/has a board connected: stop its boards/);
  });

  it('keeps any text and number that a row can hold', async () => {
    const text = fc.oneof(
      fc.string(),
      fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
      fc.constantFrom(
        '',
        '\u0000',
        '\u0001',
        '\u0000json:"a"',
        '\u0001json:"a"',
        '\ud800',
        '🧬',
        'x'.repeat(20_000),
        '\\u0000',
      ),
    );
    const whole = fc.maxSafeInteger();
    const real = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0));
    const cohorts = fc.uniqueArray(fc.tuple(text, text, text, text), { selector: String, maxLength: 20 });
    const hypothesis = fc.tuple(text, fc.option(text), whole, real);
    await fc.assert(
      fc.asyncProperty(cohorts, fc.array(hypothesis, { maxLength: 20 }), async (keys, values) => {
        await rm(folder, { recursive: true, force: true });
        const { path } = await openedEmpty();
        const writer = new Connection(path, WRITER);
        for (const key of keys) writer.send('INSERT INTO evidence_cohorts VALUES (?, ?, ?, ?)', key);
        for (const [place, [body, none, number, value]] of values.entries()) {
          writer.send(
            `INSERT INTO evidence (id, seq, claim_text, disease, track, disease_stage, direction, evidence_class, source,
               value, units, agent_name, content_hash, address_hash, created_at)
             VALUES (?, ?, ?, 'd', 'A', 's', 'supports', 'E1', 's', ?, ?, ?, ?, '', ?)`,
            [`e${place}`, place, body, value, none, body, `${place}`, number],
          );
        }
        await writer.close();
        await using database = await openDatabase();
        await copyBoard(path, database.url, { chunkRows: 7 });
        await copyBoard(database.url, at('back.sqlite'), { chunkRows: 7 });
        expect(await rowsOf(at('back.sqlite'))).toEqual(await rowsOf(path));
      }),
      { numRuns: 3 },
    );
  });
});

async function openedEmpty(): Promise<{ path: string }> {
  const path = at('from.sqlite');
  const board = await openBoard({ path });
  await board[Symbol.asyncDispose]();
  return { path };
}
