import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import fc from 'fast-check';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Board } from '../../../board-server/store/board.ts';
import { copyBoard } from '../../../board-server/store/copy/copy-board.ts';
import { Connection, WRITER } from '../../../board-server/store/sqlite/connection.ts';
import { verifyFile } from '../../../board-server/store/sqlite/verify-file.ts';
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

async function run(program: string, ...words: string[]): Promise<{ code: number | null; out: string; errors: string }> {
  const child = spawn(process.execPath, [program, ...words], { cwd: ROOT, env: { PATH: process.env.PATH } });
  let out = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (errors += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, errors };
}

it('a copy goes from a file that no board serves to a database, and no other way', async () => {
  const from = await smallBoard();
  const there = 'postgres://board@db.example/board';
  await expect(copyBoard(from, at('to.sqlite'))).rejects.toThrow(/from its file to a database/);
  await expect(copyBoard(there, at('to.sqlite'))).rejects.toThrow(/from its file to a database/);
  const lock = new SQLite(`${from}.lock`, { timeout: 0 });
  lock.exec('BEGIN EXCLUSIVE');
  await expect(copyBoard(from, there)).rejects.toThrow(/is served: stop its board/);
  lock.close();
  await expect(copyBoard(at('none'), there)).rejects.toThrow(/none does not exist/);
  const older = new SQLite(from);
  older.pragma('user_version = 3');
  older.close();
  await expect(copyBoard(from, there)).rejects.toThrow(/has schema 3, .*: start its board once/);
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

describe.skipIf(NO_POSTGRES !== null)('a copy to PostgreSQL', () => {
  it('of a session over all surfaces keeps every row, the head and every answer', async () => {
    {
      await using board = await openBoard({ path: at('from.sqlite') });
      await takeCases(board, callOf(board));
      await fillResearch(board, 'agent-a');
    }
    const before = await answersOf(at('from.sqlite'));
    await using database = await openDatabase();
    const { chain, tables } = await copyBoard(at('from.sqlite'), database.url);
    expect(await answersOf(database.url)).toEqual(before);
    expect(chain.head).toEqual((await verifyFile(at('from.sqlite'))).head);
    // The digest of each table was compared with that of its copy.
    expect(tables.filter(({ rows }) => rows > 0).length).toBeGreaterThan(25);
  });

  it('prints the digest of each table and what to do with the key', async () => {
    const from = await smallBoard();
    await using database = await openDatabase();
    const { code, out, errors } = await run('board-server/cli.ts', 'copy', from, database.url);
    expect([code, errors]).toEqual([0, '']);
    expect(out).toMatch(/^dead_ends +1 +[0-9a-f]{16}$/m);
    expect(out).toMatch(/^events: 5$/m);
    expect(out).toContain(`key: before the first start, cp -p '${from}.key'`);
  });

  it('that is killed serves no board, and begins anew', async () => {
    const from = await smallBoard();
    await using database = await openDatabase();
    expect((await run('test/support/board/copy-process.ts', from, database.url, '2')).code).toBe(null);
    await expect(answersOf(database.url)).rejects.toThrow(/holds a copy that was not finished/);
    {
      await using board = await openBoard({ path: from });
      await putMessage(board, { subject_type: 'objective', subject_id: 'map-one-disease' });
    }
    await copyBoard(from, database.url, { chunkRows: 5 });
    expect(await answersOf(database.url)).toEqual(await answersOf(from));
  });

  it('of a board whose chain is broken is no board', async () => {
    const from = await smallBoard();
    const file = new SQLite(from);
    file.exec("UPDATE events SET agent_name = 'someone else'");
    file.close();
    await using database = await openDatabase();
    await expect(copyBoard(from, database.url)).rejects.toThrow(/is not sound, so it is no board: event 1/);
    await expect(answersOf(database.url)).rejects.toThrow(/holds a copy that was not finished/);
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

  it('is refused into a database with rows, and where a board is connected', async () => {
    const from = await smallBoard();
    await using database = await openDatabase();
    await copyBoard(from, database.url);
    await expect(copyBoard(from, database.url)).rejects.toThrow(/has rows in .*: it holds a board of its own/);
    const effects = { now: LATER.now, random: countedBytes() };
    await using board = await Board.open(database.url, effects, { keyFile: `${from}.key` });
    await board.read.byId('claims', 'none');
    await expect(copyBoard(from, database.url)).rejects.toThrow(/has a board connected: stop its boards/);
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
        // The digests of both sides are compared at its end.
        const { tables } = await copyBoard(path, database.url, { chunkRows: 7 });
        expect(tables.find(({ name }) => name === 'evidence')?.rows).toBe(values.length);
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
