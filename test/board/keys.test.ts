import { beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../server-kit/hashing.ts';
import { boardForAll, openBoard } from '../support/board/board.ts';

const PATH = '/api/v1/keys';
const DAY_MS = 86_400_000;
const board = boardForAll();
beforeAll(async () => {
  // Each call of this file comes from a group of its own, because a group holds few keys.
  let calls = 0;
  const { send } = board;
  board.send = (path, body, headers = {}, method = 'POST') => {
    calls += 1;
    const address = 'idempotency-key' in headers ? '192.0.2.1' : `10.${calls >> 8}.${calls & 255}.1`;
    return send(path, body, { 'x-forwarded-for': address, ...headers }, method);
  };
});

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
      expiresAt: '2027-02-19T12:00:00.000000Z',
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

  it('lives 90 days, or 90 days from the last time that it was extended', async () => {
    await using own = await openBoard();
    const made = async () => (await own.send(PATH, { label: 'x' })).body.data as { key: string };
    const [left, kept] = [await made(), await made()];
    const status = async ({ key }: { key: string }) => (await own.get(PATH, { headers: { 'x-api-key': key } })).status;
    own.clock.advance(60 * DAY_MS);
    const extended = await own.send(PATH, { extend: true }, { 'x-api-key': kept.key }, 'PATCH');
    expect([extended.status, extended.body.data.expiresAt]).toEqual([200, '2027-04-20T12:00:00.000000Z']);
    own.clock.advance(30 * DAY_MS - 1);
    expect([await status(left), await status(kept)]).toEqual([200, 200]);
    own.clock.advance(1);
    expect([await status(left), await status(kept)]).toEqual([401, 200]);
    own.clock.advance(60 * DAY_MS);
    expect(await status(kept)).toBe(401);
  });

  it('is one of five at most that its group of addresses holds; another group is not held up', async () => {
    await using own = await openBoard();
    const make = (address: string) => own.send(PATH, { label: 'x' }, { 'x-forwarded-for': address });
    const made = [];
    for (let place = 1; place <= 5; place += 1) made.push(await make(`198.51.100.${place}`));
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    const refused = await make('198.51.100.77');
    expect([refused.status, refused.body.error.code]).toEqual([429, 'WRITE_RATE_LIMITED']);
    expect(refused.body.error.hint).toContain('DELETE /api/v1/keys');
    expect(refused.body.error.retryable).toBe(false);
    expect(refused.headers.get('retry-after')).toBe(String(90 * 86_400));
    expect((await make('203.0.113.1')).status).toBe(201);
    await own.send(PATH, undefined, { 'x-api-key': made[0]!.body.data.key }, 'DELETE');
    expect((await make('198.51.100.77')).status).toBe(201);
    own.clock.advance(90 * DAY_MS);
    expect((await make('198.51.100.77')).status).toBe(201);
  });

  it('is dead for good once revoked', async () => {
    const { key, id } = await newKey();
    const headers = { 'x-api-key': key };
    const revoked = await board.send(`${PATH}?id=${id}`, undefined, headers, 'DELETE');
    expect([revoked.status, revoked.body.data.revokedAt]).toEqual([200, '2026-11-21T12:00:00.000000Z']);
    expect(revoked.body.data.refusedEverywhereBy).toBe('2026-11-21T12:01:00.000000Z');
    for (const method of ['GET', 'DELETE']) {
      expect((await board.send(PATH, undefined, headers, method)).body.error.code).toBe('INVALID_KEY');
    }
    expect((await board.send(PATH, { label: 'again' }, headers, 'PATCH')).body.error.code).toBe('INVALID_KEY');
  });

  it('is told to the gateway by hash, and by nothing else', async () => {
    const { key, id } = await newKey({ label: 'x', rateLimit: 300 });
    const ask = (hash: string) => board.get(`/internal/keys/${hash}`);
    expect(await ask(sha256(key))).toMatchObject({ status: 200, body: { id, rateLimit: 300 } });
    expect(await ask(key)).toMatchObject({ status: 404, body: {} });
  });
});
