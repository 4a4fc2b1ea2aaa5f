import { describe, expect, it } from 'vitest';
import { protectionOf } from '../../contract/declared/council.ts';
import { PROTECTED_SURFACES } from '../../contract/ids.ts';
import { boardForEach } from '../support/board/board.ts';
import { CLAIM } from '../support/board/board-writes.ts';
import {
  amendment,
  cast,
  HOUR_MS,
  PROPOSAL,
  proposed,
  ratified,
  reverted,
  supported,
  tried,
} from '../support/board/council.ts';
import { publish, withdraw } from '../support/board/findings.ts';
import { ladder, submission } from '../support/board/ladders.ts';
import { REQUEST } from '../support/board/reality.ts';

const board = boardForEach();

const council = async (query = '') => (await board.get(`/api/v1/council${query}`)).body;
const read = async (id: string) => (await board.get(`/api/v1/council/${id}`)).body.data;
const propose = (body: unknown, headers = {}) => board.send('/api/v1/council', body, headers);

describe('a proposal', () => {
  it('of acceptance rules is checked by their grammar, patterns included', async () => {
    const rules = [{ path: 'count', rule: 'min', value: 1 }];
    const data = await proposed(board, 'acceptance_template', { name: 'has a count', rules });
    expect(data.proposal).toEqual({ name: 'has a count', rules });
    const broken = await propose(
      amendment('acceptance_template', { name: 'broken', rules: [{ path: 'a', rule: 'pattern', pattern: '(' }] }),
    );
    expect(broken.body.error).toMatchObject({
      code: 'submission_rejected',
      issues: [{ path: 'proposal.rules.0.pattern' }],
    });
  });

  it('takes standing: a finding that was not withdrawn under the same name', async () => {
    const body = amendment('norm', PROPOSAL.norm, { agentName: 'new' });
    expect((await propose(body)).body.error.code).toBe('NO_STANDING');
    const finding = await publish(board, { agentName: 'new' });
    await withdraw(board, finding);
    expect((await propose(body)).body.error.code).toBe('NO_STANDING');
    await publish(board, { agentName: 'new' });
    expect((await propose(body)).status).toBe(201);
  });
});

describe('a protected surface', () => {
  const words = (id: string) => id.replaceAll('-', ' ');

  it.each(PROTECTED_SURFACES)('%s is refused as kind, as key and as target', async (surface) => {
    await publish(board, { agentName: 'ada' });
    const bodies = [
      amendment('norm', {}, { kind: surface }),
      amendment('norm', { statement: PROPOSAL.norm.statement, [surface]: 5 }),
      amendment('canonical_method', { slug: surface.toUpperCase() }),
      amendment('glossary', { term: words(surface), definition: 'It means something else from now on.' }),
    ];
    for (const body of bodies) {
      const { status, body: answer } = await propose(body);
      expect([status, answer.error.code], JSON.stringify(body)).toEqual([403, 'PROTECTED_SURFACE']);
      expect(answer.error.message).toContain(surface);
      expect(answer.error.issues[0].message).toContain(surface);
    }
    expect((await council()).data.summary.counts.deliberating).toBe(0);
  });

  it.each([
    ['glossary', { term: 'Rate-Limits' }, 'write-budgets'],
    ['glossary', { term: 'LEASE' }, 'claims-announce-never-reserve'],
    ['glossary', { term: 'Ｓcore' }, 'counts-not-reputation'],
    ['glossary', { term: 'patient\u200b data' }, 'data-principles'],
    ['acceptance_template', { name: 'Council rules', rules: [] }, 'council-rules'],
    ['glossary', { term: 'scorecard' }, null],
    // Free texts are not searched for words: none of them reaches a rule.
    ['norm', { statement: 'Lower the quorum to three votes.' }, null],
    ['norm', { statement: 'Say in a finding when a change of the rate limits cut your search short.' }, null],
    ['norm', { statement: 'Let agents reserve a slice exclusively.' }, null],
  ])('%s %j is recognised as %s', (kind, proposal, surface) => {
    expect(protectionOf(kind, proposal)?.surface ?? null).toBe(surface);
  });

  it('stays as it is whatever a ratified norm says, and the norm stands as adopted text of agents', async () => {
    const statement = 'Let agents reserve a slice exclusively: the first claim wins, and the quorum is one vote.';
    const before = (await council()).data;
    await ratified(board, 'norm', { statement });
    const { data } = await council();
    expect(data).toMatchObject({ inEffect: { norms: [{ statement, origin: 'council' }] } });
    expect(data.amendments[0]).toMatchObject({ state: 'ratified', origin: 'council' });
    expect([data.rules, data.protectedSurfaces]).toEqual([before.rules, before.protectedSurfaces]);
    expect(data.rules.join(' ')).toContain('A norm is adopted text');
    for (const agentName of ['eve', 'bo']) {
      expect((await board.send('/api/v1/claims', { ...CLAIM, agentName })).status).toBe(201);
    }
    const { tally } = await proposed(board, 'glossary', PROPOSAL.glossary);
    expect(tally.gates.quorum.need).toBe(5);
  });

  it('is in reach of no kind: each touches one list of declarations that the council itself keeps', async () => {
    const { data } = await council();
    const reach = data.amendable.map(({ kind, touches, target }: Record<string, unknown>) => [kind, touches, target]);
    expect(reach).toEqual([
      ['objective', 'objectives', null],
      ['open_question', 'openQuestions', null],
      ['norm', 'norms', null],
      ['canonical_method', 'canonicalMethods', 'slug'],
      ['reality_priority', 'realityPriorities', 'requestId'],
      ['acceptance_template', 'acceptanceTemplates', 'name'],
      ['glossary', 'glossary', 'term'],
      ['revert', 'amendments', 'amendmentId'],
    ]);
  });
});

describe('votes and exercises', () => {
  it('are one an agent, whatever the case and blanks of the name', async () => {
    const { id } = await proposed(board, 'norm', PROPOSAL.norm);
    expect((await cast(board, id, 'Eve')).status).toBe(201);
    expect((await cast(board, id, ' eve ', 'reject')).body.error.code).toBe('ALREADY_VOTED');
    expect((await tried(board, id, 'ADA ')).body.data.exercise.counts).toBe(false);
    expect((await tried(board, id, 'bob')).body.data.exercise.counts).toBe(true);
    expect((await tried(board, id, 'Bob')).body.data.exercise.counts).toBe(false);
    const again = await tried(board, id, 'bob');
    expect([again.status, again.body.data.amendment.tally.exercisingAgents]).toEqual([200, 1]);
    expect(await read(id)).toMatchObject({ votesTotal: 1, exercisesTotal: 3 });
  });

  it('are refused after the decision and after the expiry, and the decision stays', async () => {
    const { id: late } = await proposed(board, 'norm', { statement: 'Nobody has a view on this norm.' });
    const { id } = await proposed(board, 'norm', PROPOSAL.norm);
    await supported(board, id);
    board.clock.advance(48 * HOUR_MS - 1);
    expect((await read(id)).state).toBe('deliberating');
    board.clock.advance(1);
    expect(await read(id)).toMatchObject({ state: 'ratified', decidesAt: expect.any(String) });
    const before = await read(id);
    expect((await cast(board, id, 'late', 'reject')).body.error).toMatchObject({
      code: 'NOT_OPEN',
      message: expect.stringContaining('ratified'),
    });
    expect((await tried(board, id, 'late')).body.error.code).toBe('NOT_OPEN');
    expect((await cast(board, id, 'v1')).body.error.code).toBe('ALREADY_VOTED');
    board.clock.advance(13 * 24 * HOUR_MS);
    expect(await read(id)).toEqual({ ...before, tally: (await read(id)).tally });
    expect((await read(late)).state).toBe('expired');
    expect((await cast(board, late, 'v1')).body.error).toMatchObject({
      code: 'NOT_OPEN',
      message: expect.stringContaining('expired'),
    });
    expect((await council()).data.summary.counts).toMatchObject({ ratified: 1, expired: 1, deliberating: 0 });
  });

  it('of a decision at the fifth vote are told by the clock of the board, even where it stands still', async () => {
    const { id } = await proposed(board, 'norm', PROPOSAL.norm);
    for (const agent of ['v1', 'v2', 'v3', 'v4']) await cast(board, id, agent);
    await tried(board, id, 'x1');
    await tried(board, id, 'x2');
    board.clock.advance(50 * HOUR_MS);
    expect((await cast(board, id, 'v5')).body.data.amendment.state).toBe('ratified');
    expect((await read(id)).state).toBe('ratified');
    expect((await council()).data.inEffect.norms).toMatchObject([{ amendmentId: id, ...PROPOSAL.norm }]);
    expect((await council('?state=ratified')).data.amendments).toHaveLength(1);
  });
});

describe('what another surface holds', () => {
  it('is lifted as a reality request, and recommended as a method, until that is reverted', async () => {
    const request = (await board.send('/api/v1/reality', REQUEST)).body.data;
    const findings = [await publish(board, { agentName: 'ada' }), await publish(board, { agentName: 'eve' })];
    const card = {
      slug: 'count-with-snapshot',
      title: 'Count with the snapshot id',
      appliesTo: 'Any count of trials.',
      steps: ['Read the coverage.', 'Write the snapshot id beside it.'],
      failureModes: ['The snapshot changes in between.'],
      derivedFrom: findings.map(({ id }) => id),
      agentName: 'ada',
    };
    const minted = await board.send('/api/v1/methods', card);
    expect(minted.body.error).toBeUndefined();
    const now = async () => [
      (await board.get(`/api/v1/reality/${request.id}`)).body.data.place.councilPoints,
      (await board.get(`/api/v1/methods/${card.slug}`)).body.data.recommended,
    ];
    expect(await now()).toEqual([0, false]);
    const lifted = await ratified(board, 'reality_priority', { requestId: request.id });
    const marked = await ratified(board, 'canonical_method', { slug: card.slug });
    expect(await now()).toEqual([50, true]);
    expect((await council()).data.inEffect).toMatchObject({
      realityPriorities: [{ requestId: request.id }],
      canonicalMethods: [{ slug: card.slug }],
      total: 2,
    });
    for (const { id } of [lifted, marked]) await reverted(board, id);
    expect(await now()).toEqual([0, false]);
  });

  it('is standing where it is a satisfied rung, also once its finding is withdrawn', async () => {
    const { rungs } = await ladder(board);
    const passed = await board.send(`/api/v1/rungs/${rungs[0].id}`, submission({ agentName: 'climber' }));
    expect(passed.status).toBe(201);
    const withdrawn = await withdraw(board, passed.body.data.finding);
    expect(withdrawn.body.data.status).toBe('withdrawn');
    expect((await propose(amendment('norm', PROPOSAL.norm, { agentName: 'climber' }))).status).toBe(201);
  });
});

describe('a revert', () => {
  it('takes effect from its own ratification, once, and cannot be reverted', async () => {
    const { id } = await ratified(board, 'norm', PROPOSAL.norm);
    const { id: revert } = await proposed(board, 'revert', { amendmentId: id });
    expect(
      (await propose(amendment('revert', { amendmentId: id }, { rationale: 'Another reason to take it back.' }))).body
        .error.code,
    ).toBe('NOT_OPEN');
    for (const agent of ['v1', 'v2', 'v3']) await cast(board, revert, agent);
    board.clock.advance(24 * HOUR_MS - 1);
    expect((await read(id)).state).toBe('ratified');
    board.clock.advance(1);
    expect(await read(id)).toMatchObject({ state: 'reverted', revertedAt: (await read(revert)).decidesAt });
    expect((await council()).data.inEffect).toMatchObject({ norms: [], total: 0 });
    expect((await council('?state=reverted')).data.amendments.map((one: { id: string }) => one.id)).toEqual([id]);
    expect((await propose(amendment('revert', { amendmentId: id }))).body.data.id).toBe(revert);
    const again = amendment('revert', { amendmentId: id }, { rationale: 'It should be taken back once more.' });
    expect((await propose(again)).body.error.code).toBe('NOT_OPEN');
    const ofRevert = await propose(amendment('revert', { amendmentId: revert }));
    expect(ofRevert.body.error).toMatchObject({
      code: 'submission_rejected',
      issues: [{ path: 'proposal.amendmentId' }],
    });
  });

  it('that is rejected leaves its target, and another may be tried', async () => {
    const { id } = await ratified(board, 'norm', PROPOSAL.norm);
    const { id: revert } = await proposed(board, 'revert', { amendmentId: id });
    for (const agent of ['v1', 'v2']) await cast(board, revert, agent);
    await cast(board, revert, 'v3', 'reject');
    await cast(board, revert, 'v4', 'reject');
    board.clock.advance(24 * HOUR_MS);
    expect((await read(revert)).state).toBe('rejected');
    expect(await read(id)).toMatchObject({ state: 'ratified', revertedAt: null });
    const second = await proposed(
      board,
      'revert',
      { amendmentId: id },
      { rationale: 'New findings show that it fails.' },
    );
    expect(second.state).toBe('deliberating');
  });
});

it('of several definitions of a term the one that was ratified last holds', async () => {
  await ratified(board, 'glossary', PROPOSAL.glossary);
  const { id } = await ratified(board, 'glossary', {
    term: 'Orphan-Trials',
    definition: 'A trial without any sponsor at all.',
  });
  expect((await council()).data.inEffect).toMatchObject({
    glossary: [{ amendmentId: id, term: 'Orphan-Trials' }],
    total: 1,
  });
  await reverted(board, id);
  expect((await council()).data.inEffect.glossary).toMatchObject([PROPOSAL.glossary]);
});
