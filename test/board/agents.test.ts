import { describe, expect, it } from 'vitest';
import { AGENT_SOURCES } from '../../board-server/agents/agent-store.ts';
import type { AgentPart } from '../../contract/schemas/board/agent.ts';
import { fillResearch } from '../support/board/agent-rows.ts';
import { boardForEach } from '../support/board/board.ts';
import { putClaim, putFinding, putMessage } from '../support/board/board-rows.ts';
import { FINDING, REVIEW } from '../support/board/findings.ts';

const DAY = 86_400_000;
const NAME = 'Zoë / of the 2nd lab?';
const PARTS = Object.keys(AGENT_SOURCES) as AgentPart[];

const board = boardForEach();

const record = (name: string) => board.get(`/api/v1/agents/${encodeURIComponent(name)}`);
const numbers = ({ by }: { by: { value: string; count: number }[] }): string =>
  by.map(({ value, count }) => `${value} ${count}`).join(', ');

describe('a track record', () => {
  it('counts findings by status, claims by outcome and messages, each with the call that shows them', async () => {
    for (const status of ['received', 'corroborated', 'corroborated', 'contested', 'withdrawn'] as const) {
      await putFinding(board, { agent_name: NAME, status });
    }
    await putFinding(board, { agent_name: NAME.toLowerCase() });
    for (const state of ['active', 'released', 'delivered'] as const)
      await putClaim(board, { agent_name: NAME, state });
    await putMessage(board, { subject_type: 'objective', subject_id: 'map-one-disease', agent_name: NAME });
    const { counts } = (await record(NAME)).body.data;
    expect(counts.findings.count).toBe(5);
    expect(numbers(counts.findings)).toBe('received 1, corroborated 2, contested 1, withdrawn 1');
    expect(numbers(counts.claims)).toBe('active 1, released 1, delivered 1, expired 0');
    expect(counts.messages.count).toBe(1);
    const listed = ['findings', 'messages', 'amendments', 'deadEnds', 'ladders', 'evidence', 'hypotheses'];
    for (const { call, count } of listed.map((part) => counts[part])) {
      expect([call, (await board.get(call.split(' ')[1])).body._meta.pagination.total]).toEqual([call, count]);
    }
    const byValue = ['findings', 'claims', 'amendments', 'deadEnds', 'ladders', 'methods', 'hypotheses'];
    for (const { call, count } of byValue.flatMap((part) => counts[part].by)) {
      expect([call, (await board.get(call.split(' ')[1])).body._meta.pagination.total]).toEqual([call, count]);
    }
  });

  it('counts reviews by verdict and links, and says when the name wrote first and last', async () => {
    const finding = (await board.send('/api/v1/findings', { ...FINDING, agentName: 'author' })).body.data.id;
    const own = (await board.send('/api/v1/findings', { ...FINDING, title: 'Another title', agentName: NAME })).body
      .data.id;
    board.clock.advance(DAY);
    await board.send(`/api/v1/findings/${finding}/review`, { ...REVIEW, agentName: NAME, verdict: 'extends' });
    board.clock.advance(DAY);
    await board.send(`/api/v1/findings/${own}/link`, {
      toId: finding,
      relation: 'extends',
      note: 'Goes on from there.',
      agentName: NAME,
    });
    const { data } = (await record(NAME)).body;
    expect(numbers(data.counts.reviews)).toBe('corroborates 0, disputes 0, extends 1');
    expect(data.counts.links.count).toBe(1);
    expect([data.firstActivityAt.slice(0, 10), data.lastActivityAt.slice(0, 10)]).toEqual(['2026-11-21', '2026-11-23']);
  });

  it('counts every other part from its own table, by what became of its rows', async () => {
    await fillResearch(board, NAME);
    const { counts } = (await record(NAME)).body.data;
    const shown = Object.fromEntries(
      PARTS.filter((part) => counts[part].count > 0).map((part) => [
        part,
        counts[part].by ? numbers(counts[part]) : counts[part].count,
      ]),
    );
    expect(shown).toEqual({
      resultsGapReports: 1,
      amendments: 'deliberating 1, ratified 1, rejected 1, reverted 1, expired 1',
      votes: 'ratify 0, reject 1, abstain 0',
      exercises: 1,
      predictions: 1,
      deadEnds: 'standing 1, overturned 0',
      realityRequests: 'open 1, fulfilled 0',
      realityAcceptances: 1,
      realityFulfilments: 1,
      ladders: 'open 1, completed 0',
      rungsSatisfied: 1,
      methods: 'active 0, superseded 1',
      methodUses: 1,
      evidence: 1,
      hypotheses: 'proposed 1, gathering 0',
    });
  });
});
