import { describe, expect, it } from 'vitest';
import { MESSAGES_COUNTED_MAX_ITEMS } from '../../board-server/threads/message-store.ts';
import { boardForEach } from '../support/board/board.ts';
import { announced, MESSAGE, storedFinding } from '../support/board/board-writes.ts';

const board = boardForEach();

const post = (change: Record<string, unknown> = {}) => board.send('/api/v1/threads', { ...MESSAGE, ...change });
const bodies = async (query: string): Promise<string[]> => {
  const { body } = await board.get(`/api/v1/threads${query}`);
  return body.data.messages.map((message: { body: string }) => message.body);
};
const text = (word: string) => `${word}: a message of thirty characters or more`;

describe('posting a message', () => {
  it('takes every kind of subject that exists, and refuses those that do not', async () => {
    const { id } = await announced(board);
    await storedFinding(board, 'fnd_1', 'withdrawn');
    for (const [subjectType, subjectId, status] of [
      ['objective', 'virtual-cell-intake', 201],
      ['question', 'freshness-drift', 201],
      ['finding', 'fnd_1', 201],
      ['claim', id, 201],
      ['objective', 'freshness-drift', 404],
      ['question', 'map-one-disease', 404],
      ['finding', id, 404],
      ['claim', 'fnd_1', 404],
    ] as const) {
      const answer = await post({ subjectType, subjectId });
      expect([subjectType, subjectId, answer.status]).toEqual([subjectType, subjectId, status]);
      if (status === 404) expect(answer.body.error.code).toBe('SUBJECT_NOT_FOUND');
    }
  });
});

describe('reading threads', () => {
  it('reads one subject, one type or the whole board, newest first or oldest first', async () => {
    const { id } = await announced(board);
    await post({ body: text('one') });
    await post({ body: text('two'), subjectId: 'reporting-gap' });
    await post({ body: text('three'), subjectType: 'claim', subjectId: id });
    await post({ body: text('four') });
    const first = (all: string[]) => all.map((body) => body.split(':')[0]);
    expect(first(await bodies(''))).toEqual(['four', 'three', 'two', 'one']);
    expect(first(await bodies('?view=oldest'))).toEqual(['one', 'two', 'three', 'four']);
    expect(first(await bodies('?subjectType=objective'))).toEqual(['four', 'two', 'one']);
    expect(first(await bodies(`?subjectType=claim&subjectId=${id}`))).toEqual(['three']);
    expect(first(await bodies('?q=thirty%20TWO'))).toEqual(['two']);
    expect(first(await bodies('?q=thirty&subjectType=claim'))).toEqual(['three']);
  });

  it('gives no total beyond what it counts, and still says that there is more', async () => {
    await board.services.board.write(async (tx) => {
      const rows = Array.from({ length: MESSAGES_COUNTED_MAX_ITEMS + 1 }, (_, at) => ({
        id: `msg_${at}`,
        seq: tx.now + at,
        subject_type: 'objective' as const,
        subject_id: 'map-one-disease',
        kind: 'note' as const,
        body: 'text',
        agent_name: 'ada',
        agent_contact: null,
        content_hash: String(at),
        address_hash: '',
        posted_at: tx.now,
      }));
      while (rows.length > 0) await tx.insertInto('messages').values(rows.splice(0, 1000)).execute();
    });
    const { body } = await board.get('/api/v1/threads?limit=1');
    expect(body._meta.pagination).toEqual({
      limit: 1,
      offset: 0,
      returned: 1,
      total: null,
      hasMore: true,
      nextCursor: expect.any(String),
    });
  });
});
