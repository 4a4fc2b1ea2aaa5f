import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ClaimRow } from '../../../board-server/claims/tables.ts';
import type { FindingRow } from '../../../board-server/findings/tables.ts';
import type { MessageRow } from '../../../board-server/threads/tables.ts';
import { boardForEach, openBoard, type TestBoard } from '../../support/board/board.ts';
import { putClaim, putFinding, putMessage } from '../../support/board/board-rows.ts';
import type { Answer } from '../../support/gateway.ts';
import { amountOf } from '../../support/runner/amount.ts';

const board = boardForEach();

type Row = { agent_name: string } & Partial<ClaimRow & FindingRow & MessageRow>;

/** A list of the board: `put` adds a row, and each query says, without SQL, which rows it shows. */
interface List {
  path: string;
  items: string;
  put(board: TestBoard, row: Row): Promise<string>;
  queries: { query: string; shows: (row: Row) => boolean; oldestFirst?: true }[];
}

const all = () => true;
const LISTS: List[] = [
  {
    path: '/api/v1/claims',
    items: 'claims',
    put: (to, row) => putClaim(to, { objective_id: row.objective_id ?? null, agent_name: row.agent_name }),
    queries: [
      { query: '', shows: all },
      { query: 'objectiveId=map-one-disease', shows: (row) => row.objective_id === 'map-one-disease' },
      { query: 'agentName=ada', shows: (row) => row.agent_name === 'ada' },
    ],
  },
  {
    path: '/api/v1/findings',
    items: 'findings',
    put: (to, { objective_id = null, status = 'received', agent_name }) =>
      putFinding(to, { objective_id, status: status as FindingRow['status'], agent_name }),
    queries: [
      { query: '', shows: (row) => row.status !== 'withdrawn' },
      { query: 'includeWithdrawn=true', shows: all },
      {
        query: 'objectiveId=map-one-disease&status=received',
        shows: (row) => row.objective_id === 'map-one-disease' && row.status === 'received',
      },
    ],
  },
  {
    path: '/api/v1/threads',
    items: 'messages',
    put: (to, row) =>
      putMessage(to, {
        subject_type: 'objective',
        subject_id: row.objective_id ?? 'reporting-gap',
        agent_name: row.agent_name,
      }),
    queries: [
      { query: '', shows: all },
      { query: 'agentName=ada', shows: (row) => row.agent_name === 'ada' },
      { query: 'view=oldest', shows: all, oldestFirst: true },
      {
        query: 'subjectType=objective&subjectId=map-one-disease&view=oldest',
        shows: (row) => row.objective_id === 'map-one-disease',
        oldestFirst: true,
      },
    ],
  },
];

const row: fc.Arbitrary<Row> = fc.record({
  agent_name: fc.constantFrom('ada', 'bob'),
  objective_id: fc.constantFrom('map-one-disease', null),
  status: fc.constantFrom('received', 'withdrawn'),
}) as fc.Arbitrary<Row>;

describe('paging by cursor', () => {
  it.each(LISTS.flatMap((list) => list.queries.map((each) => [list.path, each.query, list, each] as const)))(
    '%s?%s shows each row once and in order, by pages of any size, while rows are added',
    async (_path, _query, { path, items, put }, { query, shows, oldestFirst }) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(row, { maxLength: 12 }),
          fc.array(fc.array(row, { maxLength: 3 }), { maxLength: 4 }),
          fc.integer({ min: 1, max: 5 }),
          async (first, later, limit) => {
            await using own = await openBoard();
            const held: { id: string; row: Row }[] = [];
            const add = async (rows: Row[]) => {
              for (const each of rows) held.push({ id: await put(own, each), row: each });
            };
            await add(first);
            const original = held.length;
            const seen: string[] = [];
            let cursor: string | null = '';
            for (let page = 0; cursor !== null; page += 1) {
              expect(page).toBeLessThanOrEqual(held.length);
              const { body }: Answer = await own.get(`${path}?${query}&limit=${limit}${cursor && `&cursor=${cursor}`}`);
              seen.push(...body.data[items].map(({ id }: { id: string }) => id));
              const { returned, total, hasMore, nextCursor } = body._meta.pagination;
              expect(total).toBe(held.filter((each) => shows(each.row)).length);
              expect([body.data[items].length, hasMore]).toEqual([returned, nextCursor !== null]);
              cursor = nextCursor;
              await add(later[page] ?? []);
            }
            const wanted = (upTo: number) =>
              held
                .slice(0, upTo)
                .filter((each) => shows(each.row))
                .map(({ id }) => id);
            if (oldestFirst) {
              expect(seen).toEqual(wanted(held.length).slice(0, seen.length));
              expect(seen.length).toBeGreaterThanOrEqual(wanted(original).length);
            } else expect(seen).toEqual(wanted(original).reverse());
          },
        ),
        { seed: 20261122, numRuns: amountOf({ quick: 4, deep: 25 }) },
      );
    },
  );

  it('goes on although the row that it stopped at has left the list', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 4; at += 1) ids.unshift(await putFinding(board, { objective_id: 'map-one-disease' }));
    const list = '/api/v1/findings?objectiveId=map-one-disease&limit=2';
    const first = await board.get(list);
    await board.services.board.write(async (tx) => {
      await tx.updateTable('findings').set({ status: 'withdrawn' }).where('id', '=', ids[1]!).execute();
    });
    const next = await board.get(`${list}&cursor=${first.body._meta.pagination.nextCursor}`);
    expect(next.body.data.findings.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2));
    expect(next.body._meta.pagination).toEqual({
      limit: 2,
      offset: 0,
      returned: 2,
      total: 3,
      hasMore: false,
      nextCursor: null,
    });
  });

  it('pages through the delivery log of a webhook too', async () => {
    const { body } = await board.send('/api/v1/webhooks', { url: 'https://93.184.215.14/hook' });
    const { id, secret } = body.data;
    const log = async (query: string) => {
      const headers = { 'x-webhook-secret': secret };
      return (await board.get(`/api/v1/webhooks/${id}/deliveries?${query}`, { headers })).body;
    };
    const attempt = { webhook_id: id, message_id: 'm', type: 'webhook.ping' as const, event_ts: null, attempt: 1 };
    const result = { outcome: 'failed' as const, status: null, reason: null, duration_ms: null, at: 0 };
    const fail = () =>
      board.services.board.write((tx) =>
        tx
          .insertInto('deliveries')
          .values({ ...attempt, ...result })
          .execute(),
      );
    for (let at = 0; at < 3; at += 1) await fail();
    const first = await log('failed=true&limit=2');
    await fail();
    const cursor = first._meta.pagination.nextCursor;
    const second = await log(`failed=true&limit=2&cursor=${cursor}`);
    expect([...first.data.deliveries, ...second.data.deliveries].map((each: { id: number }) => each.id)).toEqual([
      3, 2, 1,
    ]);
    expect(second._meta.pagination.nextCursor).toBeNull();
    expect((await log(`limit=2&cursor=${cursor}`)).error.parameter).toBe('cursor');
  });
});

describe('a cursor', () => {
  const cursorOf = async (path: string): Promise<string> => (await board.get(path)).body._meta.pagination.nextCursor;
  beforeEach(async () => {
    for (let at = 0; at < 3; at += 1) {
      await putClaim(board, { objective_id: 'map-one-disease', agent_name: 'ada' });
      await putFinding(board, { objective_id: 'map-one-disease', agent_name: 'ada' });
      await putMessage(board, { subject_type: 'objective', subject_id: 'map-one-disease' });
    }
  });

  it('makes an offset void, which the answer says', async () => {
    const cursor = await cursorOf('/api/v1/claims?limit=1');
    const plain = await board.get(`/api/v1/claims?limit=1&cursor=${cursor}`);
    const both = await board.get(`/api/v1/claims?limit=1&cursor=${cursor}&offset=2&colour=red`);
    expect(both.body.data).toEqual(plain.body.data);
    expect(plain.body._meta.ignored).toBeUndefined();
    expect(both.body._meta.ignored).toEqual(['colour', 'offset']);
    expect(both.body._meta.filters).toEqual({ limit: '1', cursor, state: 'active' });
    expect(both.body._meta.pagination.offset).toBe(0);
  });

  it('holds for its own filters, however they are written, and for any page size', async () => {
    const cursor = await cursorOf('/api/v1/claims?limit=1&agentName=ada');
    const page = await board.get(`/api/v1/claims?state=active&limit=100&cursor=${cursor}&agentName=ada`);
    expect([page.status, page.body.data.claims.length]).toEqual([200, 2]);
  });

  it.each([
    ['other filters', '/api/v1/claims?limit=1', '/api/v1/claims?agentName=ada'],
    ['another state', '/api/v1/claims?limit=1', '/api/v1/claims?state=expired'],
    ['a filter less', '/api/v1/findings?limit=1&status=received', '/api/v1/findings?limit=1'],
    ['another order', '/api/v1/threads?limit=1', '/api/v1/threads?limit=1&view=oldest'],
    ['another list', '/api/v1/findings?limit=1', '/api/v1/threads?limit=1'],
  ])('of %s is refused by name', async (_what, from, to) => {
    const { status, body } = await board.get(`${to}&cursor=${await cursorOf(from)}`);
    expect([status, body.error.code, body.error.parameter]).toEqual([400, 'INVALID_PARAM', 'cursor']);
    expect(body.error.expected).toBe(
      'pagination.nextCursor of an earlier answer to the same call and filters, unchanged',
    );
    expect(body.error.issues).toEqual([{ path: 'cursor', message: `expected ${body.error.expected}` }]);
  });

  it('that was tampered with is refused, never misread and never a 5xx', async () => {
    const cursor = await cursorOf('/api/v1/claims?limit=1');
    const content = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const written = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    expect(written(content)).toBe(cursor);
    const changes = [{ v: 2 }, { f: '0'.repeat(16) }, { k: 1.5 }, { k: '1' }, { k: 2 ** 53 }, { more: 1 }];
    const forged = [...changes.map((change) => ({ ...content, ...change })), [content], null, 1, 'text'].map(written);
    const cut = [`${cursor}A`, cursor.slice(1), cursor.toUpperCase(), 'x', '%00', '', 'a'.repeat(201), 'a=b'];
    for (const text of [...forged, ...cut]) {
      const { status, body } = await board.get(`/api/v1/claims?cursor=${text}`);
      expect([text, status, body.error?.parameter]).toEqual([text, 400, 'cursor']);
    }
    const twice = await board.get(`/api/v1/claims?cursor=${cursor}&cursor=${cursor}`);
    expect([twice.status, twice.body.error.parameter]).toEqual([400, 'cursor']);
  });

  it('is short enough to be sent back, whatever the time and the filters', async () => {
    const scope = 'ü'.repeat(400);
    for (let at = 0; at < 2; at += 1) await putClaim(board, { scope: `${scope}${at}`, agent_name: 'x'.repeat(120) });
    const cursor = await cursorOf(`/api/v1/claims?limit=1&agentName=${'x'.repeat(120)}`);
    expect(cursor).toMatch(/^[A-Za-z0-9_-]{40,200}$/);
  });
});
