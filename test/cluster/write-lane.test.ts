import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Board } from '../../board-server/store/board.ts';
import { NotStored, OutcomeUnknown } from '../../board-server/store/engine.ts';
import { eventsBetween } from '../../board-server/store/event-store.ts';
import type { OpenOptions } from '../../board-server/store/open-engine.ts';
import { verifyDatabase } from '../../board-server/store/postgres/verify.ts';
import { type DatabaseBoard, openDatabaseBoard } from '../support/board/database-board.ts';
import { post } from '../support/board/feed-board.ts';
import { keyFile } from '../support/board/store.ts';
import { CutProxy, type Fate } from '../support/faults/cut-proxy.ts';
import { NO_POSTGRES, openDatabase, type TestDatabase } from '../support/runner/postgres.ts';

const KEY = { 'idempotency-key': '8a0f5b0e-7d0e-4d0c-9a53-0b1d5b6a7c11' };

let database: TestDatabase;
beforeEach(async () => {
  if (NO_POSTGRES === null) database = await openDatabase();
});
afterEach(() => database?.[Symbol.asyncDispose]());

/** Runs one statement beside the boards. */
async function run<Row>(sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Ends every other connection, as a restart of the server does, and waits up to 10 s until each is gone. */
const endAll = () =>
  run(
    'SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
  );

const stored = async () =>
  (await run<{ scope: string }>('SELECT scope FROM claims ORDER BY seq')).map((row) => row.scope);

/** A board behind a proxy, which meets the next commit with this fate. */
async function boardWhoseCommit(fate: Fate, waits = {}) {
  const stack = new AsyncDisposableStack();
  // The schema is made without the proxy, whose fate is for one commit of a write.
  stack.use(await openDatabaseBoard(database.url));
  const proxy = stack.use(await CutProxy.before(database.url));
  const served = stack.use(await openDatabaseBoard(proxy.url, waits));
  expect((await served.claim('before')).status).toBe(201);
  proxy.fate = (message) => {
    if (!message.endsWith('COMMIT\0')) return 'pass';
    proxy.fate = () => 'pass';
    return fate;
  };
  return { ...served, proxy, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

describe.skipIf(NO_POSTGRES !== null)('a commit that is not answered', () => {
  it.each([
    ['reached the server', 'cut after', 200, ['scope of before', 'scope of it']],
    ['did not reach the server', 'cut before', 201, ['scope of before', 'scope of it']],
  ] as const)(
    'and %s is told as one that may be stored, and the same key settles it',
    async (_, fate, settled, scopes) => {
      await using served = await boardWhoseCommit(fate);
      const first = await served.claim('it', KEY);
      expect([first.status, first.body.error.code, first.body.error.message]).toEqual([
        503,
        'CLAIM_FAILED',
        'It may have been stored: the database did not answer the commit.',
      ]);
      expect(first.body.error.hint).toContain('same Idempotency-Key again');
      expect(await stored()).toEqual(fate === 'cut after' ? ['scope of before', 'scope of it'] : ['scope of before']);
      const again = await served.claim('it', KEY);
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, settled === 200 ? 'true' : null]);
      expect(await stored()).toEqual(scopes);
      expect((await verifyDatabase(database.url, null)).problems).toEqual([]);
    },
  );

  it('in time is dropped, never cancelled: the server goes on with it', async () => {
    await using served = await boardWhoseCommit('mute', { commit: 1_000 });
    const writing = served.board.write((tx) => tx.insert('proofs', { id: 1, at: 7 }));
    await expect(writing).rejects.toBeInstanceOf(OutcomeUnknown);
    expect(await run('SELECT at FROM proofs')).toEqual([{ at: '7' }]);
    expect((await served.claim('next')).status).toBe(201);
  });
});

describe.skipIf(NO_POSTGRES !== null)('a connection that is lost', () => {
  it('before the commit has stored nothing, and says so; the next write takes another', async () => {
    await using served = await openDatabaseBoard(database.url);
    const writing = served.board.write(async (tx) => {
      await tx.appendEvent(tx.nextTime(), {
        ...{ about: 'claim', action: 'created', objectId: 'x', agentName: 'a', subject: { type: 'claim', id: 'x' } },
        ...{ text: 't', data: {}, webhookEvent: null },
      });
      await run("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE relation = 'head'::regclass");
      await tx.selectFrom('proofs').selectAll().execute();
    });
    await expect(writing).rejects.toBeInstanceOf(NotStored);
    expect(await run('SELECT ts FROM events')).toEqual([]);
    expect(served.board.health.said).toBeNull();
    expect((await served.claim('next')).status).toBe(201);
  });

  it('of a read is made up for by another', async () => {
    await using served = await openDatabaseBoard(database.url);
    await post(served.board, 'claim', 'c1');
    await served.board.read.selectFrom('events').select('ts').execute();
    await endAll();
    expect(await served.board.read.selectFrom('events').select('object_id').execute()).toEqual([{ object_id: 'c1' }]);
    const seen = served.board.snapshot((db) => db.selectFrom('events').select('object_id').execute());
    expect(await seen).toEqual([{ object_id: 'c1' }]);
  });
});

/** A board behind a proxy that swallows every answer from the first message on that holds a word. */
async function boardWithSilence(word: string, waits: OpenOptions['waits']) {
  const stack = new AsyncDisposableStack();
  stack.use(await openDatabaseBoard(database.url));
  const proxy = stack.use(await CutProxy.before(database.url));
  proxy.fate = (message) => (message.includes(word) ? 'mute' : 'pass');
  const served = stack.use(await openDatabaseBoard(proxy.url, waits));
  return { ...served, proxy, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

describe.skipIf(NO_POSTGRES !== null)('a server that falls silent', () => {
  it('holds up a read for a bounded time, after which its connection is dropped and the next one answers', async () => {
    await using served = await boardWithSilence('object_id', { answer: 200 });
    const read = () => served.board.read.selectFrom('events').select('object_id').execute();
    await expect(read()).rejects.toThrow('the database did not answer within 200 ms');
    await expect(served.board.snapshot((db) => db.selectFrom('events').select('object_id').execute())).rejects.toThrow(
      'the database did not answer within 200 ms',
    );
    served.proxy.fate = () => 'pass';
    expect(await read()).toEqual([]);
  });

  it('before the settings of a start are taken holds it up for a bounded time', async () => {
    await using proxy = await CutProxy.before(database.url);
    proxy.fate = () => 'mute';
    await expect(openDatabaseBoard(proxy.url, { connect: 200 })).rejects.toThrow('cannot be reached');
    proxy.fate = (message) => (message.includes('lock_timeout') ? 'mute' : 'pass');
    await expect(openDatabaseBoard(proxy.url, { connect: 200 })).rejects.toThrow('cannot be reached');
  });

  it('before the settings of a writer are taken holds up no write for ever', async () => {
    await using served = await boardWithSilence('idle_in_transaction', { connect: 200 });
    const found = await served.claim('held up');
    expect([found.status, found.body.error.message]).toEqual([
      503,
      'Nothing was carried out: the database could not store it.',
    ]);
    expect(served.board.health.fault?.kind).toBe('away');
    served.proxy.fate = () => 'pass';
    expect(await served.board.prove()).toBe(true);
    expect((await served.claim('free')).status).toBe(201);
  });

  it('waits for no standby with a lease, which need not last, and for one with a write', async () => {
    await using served = await openDatabaseBoard(database.url);
    const said = sql<string>`current_setting('synchronous_commit')`.as('said');
    await run('INSERT INTO proofs (id, at) VALUES (1, 7)');
    expect((await served.board.aside!.send('SHOW synchronous_commit')).rows).toEqual([{ synchronous_commit: 'off' }]);
    expect(await served.board.write((tx) => tx.selectFrom('proofs').select(said).execute())).toEqual([{ said: 'on' }]);
  });
});

describe.skipIf(NO_POSTGRES !== null)('a machine whose clock is wrong', () => {
  it('writes nothing, since all boards would be dated by it from then on, and goes on when it is set', async () => {
    let apartMs = 0;
    const clock = () => new Date(Date.now() + apartMs);
    const effects = { now: clock, random: randomBytes };
    await using board = await Board.open(database.url, effects, { keyFile: await keyFile(), clock });
    const head = async () => (await run<{ ts: string }>('SELECT ts FROM head'))[0]!.ts;
    await post(board, 'claim', 'c1');
    const before = await head();
    for (apartMs of [3_600_000, -3_600_000]) {
      await expect(post(board, 'claim', 'c2')).rejects.toThrow(
        'the clock of this machine is 3600 s from that of the database server',
      );
      expect(board.health.said).toContain('set both by NTP');
      expect(await board.prove()).toBe(false);
      expect(await head()).toBe(before);
      apartMs = 30_000;
      expect(await board.prove()).toBe(true);
    }
    await post(board, 'claim', 'c3');
    expect(Number(await head())).toBeGreaterThan(Number(before));
  });
});

describe.skipIf(NO_POSTGRES !== null)('a database that takes no writes', () => {
  it('makes the board read-only, which answers 503 without trying, until a proof is stored', async () => {
    await using served = await openDatabaseBoard(database.url);
    await post(served.board, 'claim', 'c1');
    const name = new URL(database.url).pathname.slice(1);
    await run(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await endAll();
    const found = await served.claim('found');
    expect([found.status, found.body.error.code]).toEqual([503, 'CLAIM_FAILED']);
    // The write may have met the ended connection only; a proof takes another.
    expect(await served.board.prove()).toBe(false);
    const words = 'the database server takes no writes, as a standby does';
    expect(served.board.health.said).toBe(`read-only since 2026-11-21T12:00:00.000Z: ${words}`);
    expect((await served.claim('refused')).body.error.message).toBe(
      `Nothing was carried out: the board is read-only since 2026-11-21T12:00:00.000Z: ${words}.`,
    );
    await run(`BEGIN READ WRITE; ALTER DATABASE ${name} RESET default_transaction_read_only; COMMIT`);
    await endAll();
    expect(await served.board.prove()).toBe(true);
    expect((await served.claim('again')).status).toBe(201);
  });

  it('is not waited for long where another writer holds the head', async () => {
    await using served = await openDatabaseBoard(database.url, { head: 50 });
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('BEGIN; SELECT 1 FROM head FOR UPDATE');
    const found = await served.claim('held up');
    expect([found.status, found.body.error.message]).toEqual([
      503,
      'Nothing was carried out: the database could not store it.',
    ]);
    expect(served.board.health.said).toBeNull();
    await holder.query('ROLLBACK');
    await holder.end();
    expect((await served.claim('free')).status).toBe(201);
  });

  it('is named as newer where a migration came that this program would have to know', async () => {
    await using served = await openDatabaseBoard(database.url);
    await run('UPDATE head SET needs = 999');
    expect((await served.claim('newer')).status).toBe(503);
    expect(served.board.health.fault?.kind).toBe('newer');
  });
});

describe.skipIf(NO_POSTGRES !== null)('a write whose last statement fails', () => {
  it.each([
    ['in the middle of its group', ['first', 'bad', 'third', 'last'], ['first', 'third', 'last']],
    ['at the end of its group', ['first', 'second', 'bad'], ['first', 'second']],
    ['twice in its group', ['bad', 'second', 'bad', 'last'], ['second', 'last']],
  ])('%s leaves nothing, and the others stand in their order', async (_, names, kept) => {
    await using served = await openDatabaseBoard(database.url);
    const { board } = served;
    await board.write((tx) => tx.insert('proofs', { id: 1, at: 7 }));
    const written = names.map((name) =>
      board.write(async (tx) => {
        if (name !== 'bad') expect(await tx.byId('claims', 'none')).toBeUndefined();
        await tx.appendEvent(tx.nextTime(), {
          ...{
            about: 'claim',
            action: 'created',
            objectId: name,
            agentName: 'a',
            subject: { type: 'claim', id: name },
          },
          ...{ text: name, data: {}, webhookEvent: null },
        });
        // It is there already, which nobody waits to hear.
        if (name === 'bad') await tx.insert('proofs', { id: 1, at: 8 });
        return name;
      }),
    );
    const ended = await Promise.allSettled(written);
    expect(ended.map((one) => (one.status === 'fulfilled' ? one.value : 'bad'))).toEqual(names);
    for (const one of ended) if (one.status === 'rejected') expect(`${one.reason}`).toContain('proofs_pkey');
    expect(await run('SELECT object_id FROM events ORDER BY ts')).toEqual(kept.map((object_id) => ({ object_id })));
    expect((await verifyDatabase(database.url, null)).problems).toEqual([]);
    expect(await run('SELECT at FROM proofs')).toEqual([{ at: '7' }]);
  });
});

describe.skipIf(NO_POSTGRES !== null)('boards that share a database', () => {
  it('number what they write in one order: every follower sees every event once, and the chain is whole', async () => {
    const boards: DatabaseBoard[] = [];
    for (let place = 0; place < 3; place += 1) boards.push(await openDatabaseBoard(database.url));
    const [each, total] = [40, 120];
    let done = 0;
    const written = Promise.all(
      boards.map(async ({ board }, place) => {
        for (let number = 0; number < each; number += 4) {
          await Promise.all([0, 1, 2, 3].map((one) => post(board, 'claim', `w${place}-${number + one}`)));
        }
        done += 1;
      }),
    );
    const followers = [0, 1, 2, 3, 4].map(async (place) => {
      const { board } = boards[place % 3]!;
      const seen: string[] = [];
      for (let after = 0; ; ) {
        const wasDone = done === boards.length;
        const rows = await eventsBetween(board.read, { after, until: Number.MAX_SAFE_INTEGER, limit: 7 });
        seen.push(...rows.map(({ object_id }) => object_id));
        after = rows.at(-1)?.ts ?? after;
        if (rows.length === 0 && wasDone) return seen;
      }
    });
    await written;
    const all = await Promise.all(followers);
    expect(new Set(all[0]).size).toBe(total);
    for (const seen of all) expect(seen).toEqual(all[0]);
    const report = await verifyDatabase(database.url, null);
    expect([report.events, report.problems]).toEqual([total, []]);
    for (const board of boards) await board[Symbol.asyncDispose]();
  });

  it('make one of two equal claims, whichever of them is asked', async () => {
    await using one = await openDatabaseBoard(database.url);
    await using other = await openDatabaseBoard(database.url);
    const answers = await Promise.all([one, other, one, other].map((board) => board.claim('equal')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
  });

  it('go on without a failed request while a migration adds columns', async () => {
    await using served = await openDatabaseBoard(database.url);
    const { board } = served;
    const look = () => board.read.selectFrom('claims').selectAll().where('state', '=', 'active').execute();
    const lookTogether = () =>
      board.snapshot((db) => db.selectFrom('findings').selectAll().where('seq', '>', 1).execute());
    expect((await served.claim('c1')).status).toBe(201);
    for (const read of [look, look, lookTogether]) await read();
    await run(`BEGIN; SELECT 1 FROM head FOR UPDATE; ALTER TABLE claims ADD COLUMN added bigint;
      ALTER TABLE findings ADD COLUMN added bigint; UPDATE head SET schema = schema + 1; COMMIT`);
    expect((await served.claim('c1')).status).toBe(200);
    expect((await served.claim('c2')).status).toBe(201);
    expect(await lookTogether()).toEqual([]);
    expect(await look()).toHaveLength(2);
  });
});

describe.skipIf(NO_POSTGRES !== null)('texts on PostgreSQL', () => {
  it('are given back as they were, also with U+0000, half a surrogate pair, or the mark of a stored form', async () => {
    await using served = await openDatabaseBoard(database.url);
    const texts = ['a\u0000b', '\u0000', '\u0001json:"x"', '\u0001', 'x\ud800', '\udc00', '\u{1f600} ok', ''];
    for (const [place, text] of texts.entries()) {
      await served.board.write((tx) => tx.insert('cited_receipts', { citing_id: 'c', place, receipt: text }));
    }
    const rows = await served.board.read.selectFrom('cited_receipts').selectAll().orderBy('place').execute();
    expect(rows.map(({ receipt }) => receipt)).toEqual(texts);
  });
});
