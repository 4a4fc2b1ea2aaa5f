import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../contract/operations.ts';
import { openPlaces, type Places } from '../errors/places.ts';
import { ERROR_TABLE } from '../errors/rows/every-row.ts';
import { filled } from '../errors/table.ts';
import { openBoard, type TestBoard } from '../support/board/board.ts';
import { CLAIM, MESSAGE } from '../support/board/board-writes.ts';
import { CALIBRATION, PREDICTION, REALITY, REQUEST } from '../support/board/reality.ts';
import type { Answer } from '../support/gateway.ts';

const eventCount = async (board: TestBoard): Promise<number> =>
  (await board.services.board.read.selectFrom('events').select('ts').execute()).length;

/** A UUID of the form of a random one. */
const uuid = (place: number): string => `7c9e6679-7425-40de-944b-${String(place).padStart(12, '0')}`;

describe('an Idempotency-Key', () => {
  const SECRETS = ['releaseToken', 'key'] as const;
  const writes = [
    { path: '/api/v1/claims', body: CLAIM },
    { path: '/api/v1/keys', body: { label: 'reader' } },
  ];

  it.each(writes)(
    'of $path belongs to its group of addresses: a stranger gets no token and is not blocked',
    async (write) => {
      await using board = await openBoard();
      const key = uuid(1);
      const send = (address: string, body: unknown = write.body) =>
        board.send(write.path, body, { 'idempotency-key': key, 'x-forwarded-for': address });
      const secretOf = ({ body }: Answer) =>
        SECRETS.map((name) => body.data[name]).find((value) => value !== undefined);
      const first = await send('192.0.2.1');
      expect(secretOf(first)).toBeDefined();
      const stranger = await send('198.51.100.1');
      expect(stranger.headers.get('idempotency-replayed')).toBeNull();
      expect(secretOf(stranger)).not.toBe(secretOf(first));
      const squatted = await send('203.0.113.1', { ...CLAIM, label: 'other', scope: 'another slice' });
      expect(squatted.status).toBe(201);
      const again = await send('192.0.2.200');
      expect([again.status, again.body.data]).toEqual([first.status, first.body.data]);
    },
  );

  const guessable = ['claim-asthma-1', '00000000-0000-4000-8000-000000000000', 'ABAB0000-0000-4000-8000-000000000000'];
  const guesses = writes.flatMap((write) => guessable.map((key) => ({ ...write, key })));
  it.each(guesses)('$key of $path can be guessed: it settles a retry and shows no token again', async (write) => {
    await using board = await openBoard();
    const send = () => board.send(write.path, write.body, { 'idempotency-key': write.key });
    const first = await send();
    const again = await send();
    expect([again.status, again.body.data.id]).toEqual([201, first.body.data.id]);
    const [name] = again.body._meta.withheld.fields;
    expect(SECRETS).toContain(name);
    expect(again.body._meta.withheld.why).toContain('random UUID');
    expect(first.body.data[name]).toBeDefined();
    expect(again.body.data).toEqual({ ...first.body.data, [name]: undefined });
  });

  it('leaves no token in the file in clear, and none at all under a key that can be guessed', async () => {
    await using board = await openBoard();
    const key = uuid(1);
    const sealed = await board.send('/api/v1/claims', CLAIM, { 'idempotency-key': key });
    await board.send('/api/v1/claims', { ...CLAIM, scope: 'another slice' }, { 'idempotency-key': 'claim-asthma-1' });
    const rows = await board.services.board.read.selectFrom('idempotency').selectAll().orderBy('created_at').execute();
    expect(JSON.stringify(rows)).not.toContain(sealed.body.data.releaseToken);
    expect(rows.map((row) => [row.secret_names, row.sealed?.startsWith('sealed1.') ?? null])).toEqual([
      ['["releaseToken"]', true],
      ['["releaseToken"]', null],
    ]);
  });
});

/** Equal content with the names of every object in the other order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).reverse();
  return Object.fromEntries(members.map(([name, member]) => [name, reversed(member)]));
}

/** The usual request of every write that takes a key. */
const WRITES = ERROR_TABLE.flatMap(({ operation: id, usual }) => {
  const operation = OPERATIONS.find((one) => one.id === id)!;
  const takesKey = operation.errors.includes('IDEMPOTENCY_KEY_REUSED');
  return takesKey ? [[id, { method: operation.method, path: operation.path, ...usual }] as const] : [];
});

describe('a retry of a write under one key', () => {
  let places: Places;
  beforeAll(async () => {
    places = await openPlaces();
  });
  afterAll(() => places[Symbol.asyncDispose]());

  it.each(WRITES)('of %s changes nothing and returns the first answer', async (id, usual) => {
    const { board, names } = places;
    const { method, path, body, headers } = filled(usual, names);
    const key = { 'idempotency-key': uuid(WRITES.findIndex(([one]) => one === id)) };
    const first = await board.send(path, body, { ...headers, ...key }, method);
    expect([first.status < 300, first.headers.get('idempotency-replayed')]).toEqual([true, null]);
    const events = await eventCount(board);
    for (const minutes of [0, 7, 50]) {
      board.clock.advance(minutes * 60_000);
      // The content counts, not the order in which a client writes the names.
      const again = await board.send(path, reversed(body), { ...headers, ...key }, method);
      expect([again.status, again.body.data]).toEqual([first.status, first.body.data]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.body._meta).toMatchObject({ idempotencyReplayed: true });
      expect(again.body._meta.honesty).toEqual(first.body._meta.honesty);
    }
    expect(await eventCount(board)).toBe(events);
  });

  it('with another predictionToken is another request', async () => {
    await using board = await openBoard();
    const { id } = (await board.send(REALITY, REQUEST)).body.data;
    const { predictionToken } = (await board.send(CALIBRATION, { ...PREDICTION, subjectId: id })).body.data;
    const send = (token: string) =>
      board.send(
        CALIBRATION,
        { ...PREDICTION, subjectId: id, expects: 'no' },
        { 'idempotency-key': 'one-key-two-tokens', 'x-prediction-token': token },
      );
    expect((await send(predictionToken)).status).toBe(201);
    expect((await send('another')).body.error.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('is measured without the quotes of a structured field: 8 to 200 characters', async () => {
    await using board = await openBoard();
    const status = async (key: string): Promise<number> =>
      (
        await board.send(
          '/api/v1/threads',
          { ...MESSAGE, body: `${MESSAGE.body} ${key.length}` },
          { 'idempotency-key': key },
        )
      ).status;
    expect(await status('1234567')).toBe(400);
    expect(await status('"1234567"')).toBe(400);
    expect(await status('12345678')).toBe(201);
    expect(await status('k'.repeat(200))).toBe(201);
    expect(await status(`"${'q'.repeat(200)}"`)).toBe(201);
    expect(await status('k'.repeat(201))).toBe(400);
  });
});
