import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exampleArguments } from '../../contract/examples.ts';
import { argumentsOf } from '../../contract/interfaces/arguments.ts';
import { WITHOUT_NEXT } from '../../contract/interfaces/next-calls.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { sendSkill } from '../support/a2a.ts';
import { putFinding } from '../support/board/board-rows.ts';
import { CLAIM, storedFinding } from '../support/board/board-writes.ts';
import { filledIn, ownExample } from '../support/filled-in.ts';
import { someTrial } from '../support/gateway.ts';
import { callTool } from '../support/mcp.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';

let origin: TestOrigin;
let trial: { canonicalId: string; registryId: string };
beforeAll(async () => {
  origin = await openOrigin();
  trial = await someTrial(origin.gateway);
});
afterAll(() => origin[Symbol.asyncDispose]());

interface ToolCall {
  tool: string;
  arguments: Record<string, unknown>;
  why: string;
}

const call = (tool: string, given: object) => callTool(origin, tool, given);

async function nextCallsOf(tool: string, given: object): Promise<ToolCall[]> {
  const { structuredContent, isError } = await call(tool, given);
  expect(isError, JSON.stringify(structuredContent)).toBeUndefined();
  return structuredContent.data.nextCalls ?? [];
}

/** Arguments with which a read of the sample answers; null where the board has nothing to read. */
function readable(id: string): Record<string, unknown> | null {
  const operation = OPERATIONS.find((one) => one.id === id)!;
  const given = exampleArguments(operation);
  const ids: Record<string, unknown> = {
    finding: { id: 'fnd_next' },
    'finding-lineage': { id: 'fnd_next' },
    'claims-detail': { id: claimId },
    'agent-track-record': { name: 'ada' },
    'pipeline-run': { run: 'latest' },
    'trials-registrations': { id: trial.registryId },
    'trials-values': { field: 'condition' },
  };
  if (ids[id] !== undefined) return ids[id] as Record<string, unknown>;
  if (operation.path.startsWith('/api/v1/trials/')) {
    const named = argumentsOf(operation).filter(({ required }) => required);
    return { ...given, ...Object.fromEntries(named.map(({ name }) => [name, trial.canonicalId])) };
  }
  return JSON.stringify(given).includes('<') ? null : given;
}

let claimId: string;

/** Answers whose own schema has next calls, as many as there are ways on. */
const STATED_ITSELF = OPERATIONS.filter(
  ({ output }) => output instanceof z.ZodObject && 'nextCalls' in output.shape,
).map(({ id }) => id);

/** Written as their examples are printed, so that their lists have something to read. */
const WRITTEN: readonly string[] = [
  ...['ladder-publish', 'reality-create', 'dead-end-register', 'method-mint'],
  ...['cure-lab-hypothesis-propose', 'cure-lab-evidence-submit'],
];

describe('the next calls of an answer', () => {
  beforeAll(async () => {
    await storedFinding(origin.board, 'fnd_next');
    const other = await putFinding(origin.board, { agent_name: 'bob' });
    for (const id of WRITTEN) {
      const operation = OPERATIONS.find((one) => one.id === id)!;
      const written = await call(operation.names!.mcp!, {
        ...ownExample(operation),
        ...(id === 'method-mint' && { derivedFrom: ['fnd_next', other] }),
      });
      expect(written.isError, JSON.stringify(written.structuredContent)).toBeUndefined();
    }
    const { structuredContent } = await call('claim_work', CLAIM);
    claimId = structuredContent.data.id;
  });

  it('of a finding are its check, its lineage and a review, by whichever name it was asked', async () => {
    for (const name of ['id', 'findingId']) {
      expect(await nextCallsOf('board_get_finding', { [name]: 'fnd_next' })).toMatchObject([
        { tool: 'verify_finding', arguments: { findingId: 'fnd_next' } },
        { tool: 'board_finding_lineage', arguments: { findingId: 'fnd_next' } },
        { tool: 'board_review_finding', arguments: { findingId: 'fnd_next', verdict: 'extends', note: '' } },
      ]);
    }
  });

  it('are at most three, stand on most read answers, and each answers as it is given, once its author filled it in', async () => {
    const reads = OPERATIONS.filter(
      ({ method, envelope, names }) => method === 'GET' && envelope !== false && names?.mcp,
    );
    const [bare, failing, unread]: [string[], string[], string[]] = [[], [], []];
    const sent = new Set<string>();
    for (const { id, names } of reads) {
      const given = readable(id);
      const answered = given === null ? null : await call(names!.mcp!, given);
      if (answered === null || answered.isError) {
        unread.push(id);
        continue;
      }
      const { data, _meta } = answered.structuredContent;
      const nextCalls: ToolCall[] = data.nextCalls ?? [];
      expect(_meta.nextCalls, id).toBeUndefined();
      // These state more themselves.
      if (!STATED_ITSELF.includes(id)) expect(nextCalls.length, id).toBeLessThanOrEqual(3);
      if (nextCalls.length === 0) bare.push(id);
      for (const next of nextCalls) {
        const key = JSON.stringify([next.tool, next.arguments]);
        if (sent.has(key)) continue;
        sent.add(key);
        const { isError, structuredContent } = await call(next.tool, filledIn(next.arguments));
        if (isError) failing.push(`${id}: ${key} ${structuredContent.error.code}`);
      }
    }
    expect(failing).toEqual([]);
    expect(sent.size).toBeGreaterThan(60);
    expect({ bare, unread }).toEqual({
      bare: Object.keys(WITHOUT_NEXT).filter((id) => reads.some((one) => one.id === id)),
      unread: [
        ...['council-amendment', 'cure-lab-evidence-trace', 'cure-lab-hypothesis', 'ladder', 'rung', 'method'],
        ...['reality-request', 'prediction', 'dead-end', 'finding-verification'],
      ],
    });
  });

  it('are skills with data over A2A, each of which can be sent as it is printed', async () => {
    const { envelope } = await sendSkill(origin.url, 'world_trial_search', { q: 'diabetes', pageSize: 5 });
    expect((envelope!.data as { nextCalls: object[] }).nextCalls).toMatchObject([
      { skill: 'world_trial_record', data: { canonicalId: expect.any(String) } },
      { skill: 'world_trial_search', data: { q: 'diabetes', pageSize: 5, page: 2 } },
      { skill: 'world_trial_coverage', data: { q: 'diabetes' } },
    ]);
    for (const { skill, ...printed } of (envelope!.data as { nextCalls: { skill: string }[] }).nextCalls) {
      expect([skill, (await sendSkill(origin.url, skill, printed)).error]).toEqual([skill, undefined]);
    }
    const [, page] = (envelope!.data as { nextCalls: { data: object }[] }).nextCalls;
    const flat = await sendSkill(origin.url, 'world_trial_search', { ...page!.data });
    for (const wrapper of ['data', 'arguments', 'input']) {
      const again = await sendSkill(origin.url, 'world_trial_search', { [wrapper]: page!.data, why: 'The next page.' });
      expect(again.envelope!.data).toEqual(flat.envelope!.data);
    }
    const slip = await sendSkill(origin.url, 'world_trial_search', { data: { contry: 'France' } });
    expect(slip.error).toMatchObject({ code: 'INVALID_PARAM', parameter: 'contry' });
  });

  it('are method and URL over REST: among the data of a concise answer, else in _meta, and the next page keeps the view', async () => {
    const path = '/api/v1/trials/search?q=diabetes&pageSize=5';
    const first = { call: expect.stringMatching(/^GET \/api\/v1\/trials\/wt_/) };
    const coverage = { call: 'GET /api/v1/trials/coverage?q=diabetes' };
    const nextPage = 'GET /api/v1/trials/search?q=diabetes&pageSize=5&page=2';
    const whole = (await origin.get(path)).body;
    expect(whole.data.nextCalls).toBeUndefined();
    expect(whole._meta.nextCalls).toMatchObject([first, { call: nextPage }, coverage]);
    const concise = (await origin.get(`${path}&detail=concise`)).body;
    expect(concise._meta.nextCalls).toBeUndefined();
    expect(concise.data.nextCalls).toMatchObject([first, { call: `${nextPage}&detail=concise` }, coverage]);
    const picked = (await origin.get(`${path}&fields=title`)).body;
    expect(picked._meta.nextCalls[1].call).toBe(`${nextPage}&detail=full&fields=title`);
    const { structuredContent } = await call('search_world_trials', { q: 'diabetes', pageSize: 5, detail: 'full' });
    expect(structuredContent._meta.nextCalls[1]).toMatchObject({
      tool: 'search_world_trials',
      arguments: { q: 'diabetes', pageSize: 5, page: 2, detail: 'full' },
    });
  });

  it('say where to look when nothing is found', async () => {
    const [values] = await nextCallsOf('search_world_trials', { q: 'zzqqxx' });
    expect(values).toMatchObject({ tool: 'trials_values', arguments: { field: 'condition', text: 'zzqqxx' } });
    const facets = { tool: 'trials_facets', arguments: { facet: ['condition'], text: 'zzqqxx' } };
    const ofValues = await nextCallsOf('trials_values', { field: 'condition', text: 'zzqqxx' });
    expect(ofValues).toContainEqual(expect.objectContaining(facets));
    expect((await call('trials_facets', facets.arguments)).isError).toBeUndefined();
    const ofTopics = await nextCallsOf('trials_values', { field: 'topic', text: 'zzqqxx' });
    expect(ofTopics.map(({ tool }) => tool)).not.toContain('trials_facets');
    expect(await nextCallsOf('board_read_thread', {})).toMatchObject([
      { tool: 'call_operation', arguments: { id: 'board' } },
      { tool: 'next_work' },
    ]);
  });
});

describe('what is refused', () => {
  it('says what each argument of another name is called, with a hint for unknown names', async () => {
    const meant = { disease: 'condition', limit: 'pageSize', query: 'q', location: 'country', drug: 'intervention' };
    for (const [slip, name] of Object.entries(meant)) {
      const { error } = (await call('search_world_trials', { [slip]: '5' })).structuredContent;
      expect(error.message).toBe(`There is no argument ${slip}. Did you mean ${name}?`);
      expect(error.hint).toContain('Leave error.parameter out');
    }
  });
});
