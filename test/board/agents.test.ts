import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AGENT_SOURCES, agentActivity, agentTally } from '../../board-server/agents/agent-store.ts';
import type { AgentPart } from '../../contract/schemas/board/agent.ts';
import { fillResearch } from '../support/board/agent-rows.ts';
import { openBoard, type TestBoard } from '../support/board/board.ts';
import { putClaim, putFinding, putMessage } from '../support/board/board-rows.ts';
import { FINDING, REVIEW } from '../support/board/findings.ts';
import { plansOver } from '../support/board/plans.ts';
import { onSqlite } from '../support/board/store.ts';

const DAY = 86_400_000;
const NAME = 'Zoë / of the 2nd lab?';
const PARTS = Object.keys(AGENT_SOURCES) as AgentPart[];

let board: TestBoard;
beforeEach(async () => {
  board = await openBoard();
});
afterEach(() => board[Symbol.asyncDispose]());

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

  it('counts a claim as expired from the instant at which its lease ends', async () => {
    await putClaim(board, { agent_name: NAME });
    board.clock.advance(DAY - 1);
    expect(numbers((await record(NAME)).body.data.counts.claims)).toBe('active 1, released 0, delivered 0, expired 0');
    board.clock.advance(1);
    expect(numbers((await record(NAME)).body.data.counts.claims)).toBe('active 0, released 0, delivered 0, expired 1');
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

  it('has no score, no rank and no list of agents, and says that anyone may use any name', async () => {
    await putFinding(board, { agent_name: NAME });
    const { data } = (await record(NAME)).body;
    expect(JSON.stringify(Object.keys(data).concat(PARTS))).not.toMatch(/score|rank|reputation|trust/i);
    expect(data.law.join(' ')).toContain('anyone may use any name');
    expect((await board.get('/api/v1/agents')).status).toBe(404);
  });

  it('compares names exactly, and knows none under which nothing was written', async () => {
    await putFinding(board, { agent_name: NAME });
    for (const other of [NAME.toUpperCase(), `${NAME}x`, 'nobody']) {
      const { status, body } = await record(other);
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
    }
    const long = await record('x'.repeat(121));
    expect([long.status, long.body.error.parameter]).toEqual([400, 'name']);
    expect((await record('x'.repeat(120))).status).toBe(404);
  });

  it('that cannot be read is DB_ERROR, never an empty record', async () => {
    await putFinding(board, { agent_name: NAME });
    expect((await record(NAME)).status).toBe(200);
    await board.services.board.closeReaders();
    const { status, body } = await record(NAME);
    expect([status, body.error.code]).toEqual([503, 'DB_ERROR']);
  });
});

onSqlite.describe('every count of a track record', () => {
  it('is read from an index on the name alone, and each end of its time from one row of an index', async () => {
    await using plans = plansOver(board.path);
    const counted = await plans.of(() => agentTally(plans.db, NAME, 1));
    // The only other query reads the time of the council.
    const counts = counted.filter((plan) => !plan.includes('amendments_turned'));
    expect(counts).toHaveLength(PARTS.length);
    for (const plan of counts) {
      expect(plan).toMatch(/^SEARCH \w+ USING COVERING INDEX \w+ \((agent_name|fulfilled_by)=\?\)/);
    }
    const ends = await plans.of(() => agentActivity(plans.db, NAME, PARTS));
    expect(ends).toHaveLength(PARTS.length * 2);
    for (const plan of ends) {
      expect(plan).toMatch(/^SEARCH \w+ USING COVERING INDEX \w+ \((agent_name|fulfilled_by)=\?\)$/);
    }
  });
});
