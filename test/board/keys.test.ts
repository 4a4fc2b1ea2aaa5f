import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS } from '../../contract/errors.ts';
import { KEY_OPERATIONS } from '../../contract/operations/keys.ts';
import { openBoard, type TestBoard } from '../support/board.ts';

const PATH = '/api/v1/keys';
let board: TestBoard;
beforeAll(async () => {
  board = await openBoard();
});
afterAll(() => board[Symbol.asyncDispose]());

async function newKey(body: object = { label: 'nightly reader' }): Promise<{ id: string; key: string }> {
  return (await board.send(PATH, body)).body.data;
}

describe('an API key', () => {
  it('is shown once, at its creation, with everything that is kept of it', async () => {
    const { status, body } = await board.send(PATH, { label: ' nightly reader ' });
    expect(status).toBe(201);
    const { key, id, ...rest } = body.data;
    expect(key).toMatch(/^tbk_[A-Za-z0-9_-]{43}$/);
    expect(id).toMatch(/^key_[0-9a-z]{18}$/);
    expect(rest).toEqual({
      label: 'nightly reader',
      rateLimit: 1000,
      createdAt: '2026-11-21T12:00:00.000000Z',
      updatedAt: '2026-11-21T12:00:00.000000Z',
      revokedAt: null,
    });
    const read = await board.get(PATH, { headers: { 'x-api-key': key } });
    expect(read.body.data).toEqual({ id, ...rest });
  });

  it('is stored as its hash only', async () => {
    const { id, key } = await newKey();
    const row = await board.services.board.read
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(key.slice(4));
    expect(row.key_hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([120, 1000])('takes a rate limit of %d, the ends of the range', async (rateLimit) => {
    expect((await board.send(PATH, { label: 'x', rateLimit })).body.data.rateLimit).toBe(rateLimit);
  });

  it('changes its label and rate limit, each alone', async () => {
    const { key } = await newKey();
    const headers = { 'x-api-key': key };
    const relabelled = await board.send(PATH, { label: 'weekly' }, headers, 'PATCH');
    expect([relabelled.status, relabelled.body.data.label, relabelled.body.data.rateLimit]).toEqual([
      200,
      'weekly',
      1000,
    ]);
    const slowed = await board.send(PATH, { rateLimit: 200 }, headers, 'PATCH');
    expect([slowed.body.data.label, slowed.body.data.rateLimit]).toEqual(['weekly', 200]);
  });

  it('is dead for good once revoked', async () => {
    const { key, id } = await newKey();
    const headers = { 'x-api-key': key };
    const revoked = await board.send(`${PATH}?id=${id}`, undefined, headers, 'DELETE');
    expect([revoked.status, revoked.body.data.revokedAt]).toEqual([200, '2026-11-21T12:00:00.000000Z']);
    for (const method of ['GET', 'DELETE']) {
      expect((await board.send(PATH, undefined, headers, method)).body.error.code).toBe('INVALID_KEY');
    }
    expect((await board.send(PATH, { label: 'again' }, headers, 'PATCH')).body.error.code).toBe('INVALID_KEY');
  });

  it('is created once under one Idempotency-Key, and shown again to the same request', async () => {
    const headers = { 'idempotency-key': 'create-key-once' };
    const first = await board.send(PATH, { label: 'once' }, headers);
    const again = await board.send(PATH, { label: 'once' }, headers);
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 200, 'true']);
    expect(again.body.data).toEqual(first.body.data);
  });

  it('is told to the gateway by hash, and by nothing else', async () => {
    const { createBoardApp } = await import('../../board-server/app.ts');
    const { pino } = await import('pino');
    const { sha256 } = await import('../../server-kit/hashing.ts');
    const log = pino({ level: 'silent' });
    const app = createBoardApp({ services: board.services, log, now: board.clock.now, baseUrl: null });
    const { key, id } = await newKey({ label: 'x', rateLimit: 300 });
    const ask = async (hash: string) => {
      const response = await app.fetch(new Request(`http://board/internal/keys/${hash}`));
      return [response.status, await response.json()];
    };
    expect(await ask(sha256(key))).toEqual([200, { id, rateLimit: 300 }]);
    expect(await ask(key)).toEqual([404, {}]);
  });
});

type Provoke = () => Promise<{ status: number; body: { error: { code: string } } }>;

/** Answers of a board whose file cannot be used. */
async function broken(work: (board: TestBoard) => ReturnType<Provoke>): ReturnType<Provoke> {
  const other = await openBoard();
  await other.services.board[Symbol.asyncDispose]();
  return work(other);
}

const DEAD = { 'x-api-key': `tbk_${'A'.repeat(43)}` };
const live = async () => ({ 'x-api-key': (await newKey()).key });
const unlike = { 'idempotency-key': 'the-same-key' };

/** A request for each code that each operation declares. */
const PROVOKED: Record<string, Record<string, Provoke>> = {
  'keys-create': {
    MISSING_LABEL: () => board.send(PATH, { label: '  ' }),
    INVALID_RATE_LIMIT: () => board.send(PATH, { label: 'x', rateLimit: 1001 }),
    INVALID_KEY: () => board.send(PATH, { label: 'x' }, DEAD),
    INVALID_BODY: () => board.send(PATH, { label: 7 }),
    BODY_TOO_LARGE: () => board.send(PATH, { label: 'x', more: 'y'.repeat(8_000) }),
    INVALID_IDEMPOTENCY_KEY: () => board.send(PATH, { label: 'x' }, { 'idempotency-key': 'short' }),
    IDEMPOTENCY_KEY_REUSED: async () => {
      await board.send(PATH, { label: 'one' }, unlike);
      return board.send(PATH, { label: 'two' }, unlike);
    },
    KEY_CREATE_FAILED: () => broken((other) => other.send(PATH, { label: 'x' })),
  },
  'keys-read': {
    INVALID_PARAM: async () => board.get(`${PATH}?id=-`, { headers: await live() }),
    AUTH_REQUIRED: () => board.get(PATH),
    INVALID_KEY: () => board.get(PATH, { headers: DEAD }),
    FORBIDDEN: async () => board.get(`${PATH}?id=${(await newKey()).id}`, { headers: await live() }),
    DB_ERROR: () => broken((other) => other.get(PATH, { headers: DEAD })),
  },
  'keys-change': {
    AUTH_REQUIRED: () => board.send(PATH, { label: 'x' }, {}, 'PATCH'),
    INVALID_KEY: () => board.send(PATH, { label: 'x' }, DEAD, 'PATCH'),
    FORBIDDEN: async () => board.send(PATH, { id: (await newKey()).id, label: 'x' }, await live(), 'PATCH'),
    NO_UPDATES: async () => board.send(PATH, { label: 'nightly reader' }, await live(), 'PATCH'),
    MISSING_LABEL: async () => board.send(PATH, { label: '' }, await live(), 'PATCH'),
    INVALID_RATE_LIMIT: async () => board.send(PATH, { rateLimit: '200' }, await live(), 'PATCH'),
    INVALID_BODY: async () => board.send(PATH, '[]', await live(), 'PATCH'),
    BODY_TOO_LARGE: async () => board.send(PATH, { label: 'x'.repeat(8_000) }, await live(), 'PATCH'),
    INVALID_IDEMPOTENCY_KEY: async () =>
      board.send(PATH, { label: 'y' }, { ...(await live()), 'idempotency-key': 'short' }, 'PATCH'),
    IDEMPOTENCY_KEY_REUSED: async () => {
      const headers = { ...(await live()), ...unlike };
      await board.send(PATH, { label: 'one' }, headers, 'PATCH');
      return board.send(PATH, { label: 'two' }, headers, 'PATCH');
    },
    UPDATE_FAILED: () => broken((other) => other.send(PATH, { label: 'x' }, DEAD, 'PATCH')),
  },
  'keys-revoke': {
    INVALID_PARAM: async () => board.send(`${PATH}?id=`, undefined, await live(), 'DELETE'),
    AUTH_REQUIRED: () => board.send(PATH, undefined, {}, 'DELETE'),
    INVALID_KEY: () => board.send(PATH, undefined, DEAD, 'DELETE'),
    FORBIDDEN: async () => board.send(`${PATH}?id=${(await newKey()).id}`, undefined, await live(), 'DELETE'),
    INVALID_IDEMPOTENCY_KEY: async () =>
      board.send(PATH, undefined, { ...(await live()), 'idempotency-key': 'short' }, 'DELETE'),
    IDEMPOTENCY_KEY_REUSED: async () => {
      const headers = { ...(await live()), ...unlike };
      await board.send(PATH, undefined, headers, 'DELETE');
      return board.send(PATH, undefined, { ...headers, 'x-release-token': 'other' }, 'DELETE');
    },
    UPDATE_FAILED: () => broken((other) => other.send(PATH, undefined, DEAD, 'DELETE')),
  },
};

describe('every code that a key operation declares', () => {
  const pairs = KEY_OPERATIONS.flatMap((operation) => operation.errors.map((code) => [operation.id, code] as const));

  it.each(pairs)('%s: %s can be provoked and comes with its own status', async (operation, code) => {
    const { status, body } = await PROVOKED[operation]![code]!();
    expect([body.error.code, status]).toEqual([code, ERRORS[code].status]);
  });

  it.each([undefined, 119, 1001, 500.5, '500', [500], true])(
    'a rate limit of %j is refused or, left out, 1000',
    async (rateLimit) => {
      const { body } = await board.send(PATH, { label: 'x', rateLimit });
      expect(body.data?.rateLimit ?? body.error.code).toBe(rateLimit === undefined ? 1000 : 'INVALID_RATE_LIMIT');
    },
  );
});
