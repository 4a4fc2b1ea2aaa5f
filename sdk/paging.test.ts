import { describe, expect, it } from 'vitest';
import { answer, fakeService } from '../test/support/fake-service.ts';

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const trials = (ids: string[], page: number, hasMore: boolean): Response =>
  answer(
    { trials: ids.map((canonicalId) => ({ canonicalId })) },
    { pagination: { page, pageSize: 2, totalItems: 3, returned: ids.length, hasMore, nextUrl: null } },
  );
const claims = (ids: string[], pagination: object): Response =>
  answer({ claims: ids.map((id) => ({ id })) }, { pagination: { limit: 2, returned: ids.length, ...pagination } });

describe('the pages of a list', () => {
  it('of trials follow by number, with every other argument kept', async () => {
    const { client, sent } = fakeService([trials(['a', 'b'], 1, true), trials(['c'], 2, false)]);
    const found = await all(client.items('searchTrials', { q: 'asthma', pageSize: 2 }));
    expect(found.map(({ canonicalId }) => canonicalId)).toEqual(['a', 'b', 'c']);
    expect(sent.map(({ path }) => path)).toEqual([
      '/api/v1/trials/search?q=asthma&pageSize=2',
      '/api/v1/trials/search?q=asthma&pageSize=2&page=2',
    ]);
  });

  it('of the board follow by offset', async () => {
    const { client, sent } = fakeService([
      claims(['a', 'b'], { offset: 4, total: 7, hasMore: true }),
      claims(['c'], { offset: 6, total: 7, hasMore: false }),
    ]);
    const found = await all(client.items('listClaims', { limit: 2, offset: 4 }));
    expect(found.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(sent[1]!.path).toBe('/api/v1/claims?limit=2&offset=6');
  });

  it('follow by cursor where the service gives one', async () => {
    const { client, sent } = fakeService([
      claims(['a', 'b'], { offset: 0, total: 3, hasMore: true, nextCursor: 'after-b' }),
      claims(['c'], { offset: 0, total: 3, hasMore: false, nextCursor: null }),
    ]);
    expect(await all(client.items('listClaims', { limit: 2, offset: 0 }))).toHaveLength(3);
    expect(sent[1]!.path).toBe('/api/v1/claims?limit=2&cursor=after-b');
  });

  it('end with the first one that is not full where the list does not count itself', async () => {
    const uncounted = { total: null, hasMore: null };
    const { client, sent } = fakeService([
      claims(['a', 'b'], { offset: 0, ...uncounted }),
      claims([], { offset: 2, ...uncounted }),
    ]);
    expect(await all(client.items('listClaims', {}))).toHaveLength(2);
    expect(sent).toHaveLength(2);
  });

  it('are asked for one by one, so that a reader who stops asks no more', async () => {
    const { client, sent } = fakeService([trials(['a', 'b'], 1, true)]);
    for await (const answered of client.pages('searchTrials', {})) {
      expect(answered._meta.pagination).toMatchObject({ page: 1 });
      break;
    }
    expect(sent).toHaveLength(1);
  });

  it.each([
    [
      'a cursor that stands still',
      [claims(['a'], { offset: 0, nextCursor: 'x' }), claims(['b'], { offset: 0, nextCursor: 'x' })],
    ],
    ['an empty page with more to come', [claims([], { offset: 0, total: 9, hasMore: true })]],
    ['no pagination at all', [answer({ claims: [] })]],
    ['no list', [answer({}, { pagination: { limit: 2, offset: 0, returned: 0, hasMore: false } })]],
  ])('fail instead of running for ever or ending early on %s', async (_title, answers) => {
    const { client } = fakeService(answers);
    await expect(all(client.items('listClaims', {}))).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER' });
  });
});
