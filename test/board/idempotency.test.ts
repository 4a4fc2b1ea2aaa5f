import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openBoard, type TestBoard } from '../support/board/board.ts';
import { CLAIM, MESSAGE } from '../support/board/board-writes.ts';
import { FINDING, REVIEW } from '../support/board/findings.ts';
import { CALIBRATION, DEAD_END, DEAD_ENDS, PREDICTION, REALITY, REQUEST } from '../support/board/reality.ts';
import type { Answer } from '../support/gateway.ts';

/** One write of each kind, in an order in which each succeeds. Each is made from what the earlier ones returned. */
interface Write {
  name: string;
  method: string;
  path: string;
  body: unknown;
  headers: Record<string, string>;
}
type Made = Record<string, string>;

const WRITES: ((made: Made) => Write & { keep?: (data: Record<string, string>) => Made })[] = [
  () => ({
    name: 'claim',
    method: 'POST',
    path: '/api/v1/claims',
    body: CLAIM,
    headers: {},
    keep: ({ id, releaseToken }) => ({ claim: id!, release: releaseToken! }),
  }),
  () => ({ name: 'message', method: 'POST', path: '/api/v1/threads', body: MESSAGE, headers: {} }),
  () => ({
    name: 'finding',
    method: 'POST',
    path: '/api/v1/findings',
    body: FINDING,
    headers: {},
    keep: ({ id, withdrawToken }) => ({ finding: id!, withdraw: withdrawToken! }),
  }),
  () => ({
    name: 'second finding',
    method: 'POST',
    path: '/api/v1/findings',
    body: { ...FINDING, title: 'Another' },
    headers: {},
    keep: ({ id }) => ({ other: id! }),
  }),
  ({ claim, release }) => ({
    name: 'renew',
    method: 'POST',
    path: `/api/v1/claims/${claim}`,
    body: { action: 'renew', releaseToken: release },
    headers: {},
  }),
  ({ finding }) => ({
    name: 'review',
    method: 'POST',
    path: `/api/v1/findings/${finding}/review`,
    body: REVIEW,
    headers: {},
  }),
  ({ finding, other }) => ({
    name: 'link',
    method: 'POST',
    path: `/api/v1/findings/${other}/link`,
    body: { toId: finding, relation: 'extends', note: 'Goes on from it.', agentName: 'ada' },
    headers: {},
  }),
  ({ claim, release, finding }) => ({
    name: 'deliver',
    method: 'POST',
    path: `/api/v1/claims/${claim}`,
    body: { action: 'deliver', findingId: finding },
    headers: { 'x-release-token': release! },
  }),
  () => ({
    name: 'reality request',
    method: 'POST',
    path: REALITY,
    body: REQUEST,
    headers: {},
    keep: ({ id }) => ({ request: id! }),
  }),
  ({ request }) => ({
    name: 'acceptance',
    method: 'POST',
    path: `${REALITY}/${request}`,
    body: { action: 'accept', agentName: 'ada' },
    headers: {},
  }),
  ({ request }) => ({
    name: 'prediction',
    method: 'POST',
    path: CALIBRATION,
    body: { ...PREDICTION, subjectId: request },
    headers: {},
    keep: ({ predictionToken }) => ({ author: predictionToken! }),
  }),
  ({ request, author }) => ({
    name: 'prediction of a known author',
    method: 'POST',
    path: CALIBRATION,
    body: { ...PREDICTION, subjectId: request, expects: 'no' },
    headers: { 'x-prediction-token': author! },
  }),
  ({ request }) => ({
    name: 'fulfilment',
    method: 'POST',
    path: `${REALITY}/${request}`,
    body: { action: 'fulfil', agentName: 'ada', fulfilmentUrl: 'https://lab.example/1', note: 'Branch A.' },
    headers: {},
  }),
  () => ({
    name: 'dead end',
    method: 'POST',
    path: DEAD_ENDS,
    body: DEAD_END,
    headers: {},
    keep: ({ id }) => ({ deadEnd: id! }),
  }),
  ({ deadEnd, finding }) => ({
    name: 'overturn',
    method: 'POST',
    path: `${DEAD_ENDS}/${deadEnd}`,
    body: { action: 'overturn', findingId: finding, agentName: 'ada' },
    headers: {},
  }),
  ({ finding, withdraw }) => ({
    name: 'withdraw',
    method: 'DELETE',
    path: `/api/v1/findings/${finding}`,
    body: undefined,
    headers: { 'x-withdraw-token': withdraw! },
  }),
];

async function send(board: TestBoard, write: Write, key: string): Promise<Answer> {
  return board.send(write.path, write.body, { ...write.headers, 'idempotency-key': key }, write.method);
}

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

describe('any retry of any write under one key', () => {
  it('changes nothing and returns the first answer, whenever within 24 hours it comes', async () => {
    const retries = fc.array(fc.record({ write: fc.nat(WRITES.length - 1), minutes: fc.nat(60) }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(retries, async (plan) => {
        await using board = await openBoard();
        let made: Made = {};
        const done: { write: Write; key: string; first: Answer }[] = [];
        for (const [place, make] of WRITES.entries()) {
          const { keep, ...write } = make(made);
          const key = uuid(place);
          const first = await send(board, write, key);
          expect([write.name, first.status < 300]).toEqual([write.name, true]);
          made = { ...made, ...keep?.(first.body.data) };
          done.push({ write, key, first });
        }
        const events = await eventCount(board);
        for (const { write: place, minutes } of plan) {
          board.clock.advance(minutes * 60_000);
          const { write, key, first } = done[place]!;
          // The content counts, not the order in which a client writes the names.
          const again = await send(board, { ...write, body: reversed(write.body) }, key);
          expect(again.status).toBe(first.status);
          expect(again.body.data).toEqual(first.body.data);
          expect(again.headers.get('idempotency-replayed')).toBe('true');
          expect(again.body._meta.idempotencyReplayed).toBe(true);
        }
        expect(await eventCount(board)).toBe(events);
      }),
      { numRuns: 15, seed: 20_261_121 },
    );
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

  it('with another body is refused, and what was written stays', async () => {
    await using board = await openBoard();
    const first = await board.send('/api/v1/claims', CLAIM, { 'idempotency-key': 'the-same-key' });
    const other = await board.send(
      '/api/v1/claims',
      { ...CLAIM, scope: 'another slice' },
      { 'idempotency-key': 'the-same-key' },
    );
    expect([other.status, other.body.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    expect((await board.get(`/api/v1/claims/${first.body.data.id}`)).status).toBe(200);
    expect(await eventCount(board)).toBe(1);
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
