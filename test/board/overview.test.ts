import type { KyselyPlugin } from 'kysely';
import { describe, expect, it } from 'vitest';
import { Board } from '../../board-server/store/board.ts';
import type { Reader } from '../../board-server/store/reader.ts';
import { getBoard } from '../../contract/operations/board/board.ts';
import { boardForEach } from '../support/board/board.ts';
import { putClaim, putFinding, putMessage } from '../support/board/board-rows.ts';

const DAY = 86_400_000;
const PATH = '/api/v1/board';

const board = boardForEach();

const overview = async (query = '') => (await board.get(`${PATH}${query}`)).body.data;
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);

describe('the board at a glance', () => {
  it('shows the newest live claims, findings and messages, newest first, and what each says in short', async () => {
    await putClaim(board, { objective_id: 'map-one-disease', state: 'released' });
    const long = '😀'.repeat(300);
    const claims = [await putClaim(board, { scope: 'first' }), await putClaim(board, { scope: long })];
    const findings = [await putFinding(board, { title: long, corroborations: 2, status: 'corroborated' })];
    await putFinding(board, { status: 'withdrawn' });
    const messages = [
      await putMessage(board, { subject_type: 'objective', subject_id: 'map-one-disease', body: long }),
    ];
    const shown = await overview();
    expect(() => getBoard.output.parse(shown)).not.toThrow();
    expect(ids(shown.claims)).toEqual([claims[1], claims[0]]);
    expect(shown.claims[0]).toEqual({
      id: claims[1],
      objectiveId: null,
      questionId: null,
      scope: `${'😀'.repeat(200)}…`,
      agentName: 'agent-a',
      createdAt: '2026-11-21T12:00:00.000000Z',
      leaseExpiresAt: '2026-11-22T12:00:00.000000Z',
    });
    expect(shown.findings).toEqual([
      {
        id: findings[0],
        status: 'corroborated',
        objectiveId: null,
        questionId: null,
        title: `${'😀'.repeat(200)}…`,
        agentName: 'agent-a',
        createdAt: '2026-11-21T12:00:00.000000Z',
        reviews: { corroborates: 2, disputes: 0, extends: 0 },
      },
    ]);
    expect(ids(shown.messages)).toEqual(messages);
    expect([...shown.messages[0].body]).toHaveLength(281);
    expect(shown.counts).toEqual((await board.get('/api/v1/hello')).body.data.board);
  });

  it('shows as many of each as asked for, 10 where nothing is asked and 50 at most', async () => {
    for (let at = 0; at < 52; at += 1)
      await putMessage(board, { subject_type: 'question', subject_id: 'freshness-drift' });
    const shown = async (query: string) => (await overview(query)).messages.length;
    expect([await shown(''), await shown('?limit=1'), await shown('?limit=50')]).toEqual([10, 1, 50]);
  });

  it('drops a claim at the instant at which its lease ends', async () => {
    await putClaim(board, {});
    board.clock.advance(DAY - 1);
    expect((await overview()).claims).toHaveLength(1);
    board.clock.advance(1);
    const { claims, counts } = await overview();
    expect([claims, counts.liveClaims]).toEqual([[], 0]);
  });

  it('is of one moment: what is written between its queries is in none of its parts, and comes after its cursor', async () => {
    const before = await putFinding(board, { objective_id: 'map-one-disease' });
    const between: string[] = [];
    const writeAfterEachQuery: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        between.push(await putFinding(board, { objective_id: 'map-one-disease' }));
        await putMessage(board, { subject_type: 'objective', subject_id: 'map-one-disease' });
        return result;
      },
    };
    const held = board.services.board;
    const snapshot: Board['snapshot'] = (work) =>
      Board.prototype.snapshot.call(held, (db: Reader) => {
        const { selectFrom } = db;
        const noting = (from: 'findings') => selectFrom(from).withPlugin(writeAfterEachQuery);
        return work(Object.assign(db, { selectFrom: noting }) as Reader);
      }) as ReturnType<typeof work>;
    Object.assign(held, { snapshot });
    const { findings, messages, counts, changes } = await overview();
    Object.assign(held, { snapshot: Board.prototype.snapshot });
    expect(between.length).toBeGreaterThan(3);
    expect([ids(findings), messages, counts.findings.received, counts.messages]).toEqual([[before], [], 1, 0]);
    const later = (await board.get(`${changes.call.split(' ')[1]}&kind=finding`)).body.data.events;
    expect(ids(later)).toEqual(between);
  });
});
