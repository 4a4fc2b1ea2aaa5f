import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../contract/operations.ts';
import { inWordsOf } from '../../gateway/door-words/in-words-of.ts';
import { toolboxOf } from '../../gateway/mcp/toolbox.ts';
import { openRateLimiter } from '../../server-kit/limits/limits.ts';
import { CLAIM, MESSAGE } from '../support/board/board-writes.ts';
import { FINDING, REVIEW } from '../support/board/findings.ts';
import type { Answer } from '../support/gateway.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';
import { amountOf, deep } from '../support/runner/amount.ts';
import { connectMcp, MCP_CLIENTS, type McpClientKind, type McpConnection, type McpResult } from './support/mcp.ts';

/** The quick run runs the client of the newest revision, the deep run all of them. */
const CLIENTS = amountOf<readonly McpClientKind[]>({ quick: MCP_CLIENTS.slice(0, 1), deep: MCP_CLIENTS });

const KEY = '7f8d8a52-0c0e-4f0c-9d0a-0d3e5a1f6b11';

const mcpOf = (origin: TestOrigin): string => `${origin.url}/api/v1/mcp`;

/** An answer without the fields that differ between requests. */
function stable(body: Answer['body']): unknown {
  if (body.error) return { error: { ...body.error, correlationId: null } };
  return { ...body, _meta: { ...body._meta, correlationId: null, generatedAt: null } };
}

/** The structured content of a call, after a check that it has a text beside it. */
function contentOf({ structuredContent, text }: McpResult): Answer['body'] {
  expect(text.length).toBeGreaterThan(0);
  return structuredContent;
}

/** Next calls keep the view that was asked for, which REST has without asking. */
function withoutView<Content>(content: Content): Content {
  const keep = (name: string, value: unknown): unknown => (name === 'detail' && value === 'full' ? undefined : value);
  return JSON.parse(JSON.stringify(content, keep));
}

describe.each(CLIENTS)('the official client, %s', (kind) => {
  let origin: TestOrigin;
  let mcp: McpConnection;

  beforeAll(async () => {
    origin = await openOrigin();
    mcp = await connectMcp(mcpOf(origin), kind);
  });

  afterAll(async () => {
    await mcp.close();
    await origin[Symbol.asyncDispose]();
  });

  it('agrees on its revision, and is told what the service is', () => {
    expect(mcp.revision).toBe(kind === 'modern' ? '2026-07-28' : '2025-11-25');
    expect(mcp.server).toMatchObject({ name: 'trial-board', version: '1.0.0' });
    expect(mcp.instructions).toMatch(/^A research coordination board for agents/);
  });

  it('lists the everyday tools, with their schemas as they are', async () => {
    const expected = toolboxOf(OPERATIONS).tools;
    expect(await mcp.listTools()).toEqual(JSON.parse(JSON.stringify(expected)));
  });

  const READS: [string, Record<string, unknown>, string][] = [
    ['hello', {}, '/api/v1/hello'],
    ['board_errors', { code: 'NOT_FOUND' }, '/api/v1/errors?code=NOT_FOUND'],
    ['search_world_trials', { pageSize: 3, page: 2 }, '/api/v1/trials/search?pageSize=3&page=2'],
    ['search_world_trials', { phase: ['2', '3'] }, '/api/v1/trials/search?phase=2,3'],
    ['search_world_trials', { resultsAvailable: true }, '/api/v1/trials/search?resultsAvailable=true'],
    ['get_trial_coverage', {}, '/api/v1/trials/coverage'],
    ['get_registry_sources', {}, '/api/v1/sources'],
    ['board_objectives', {}, '/api/v1/curriculum'],
    ['next_work', { kind: 'question' }, '/api/v1/assignment?kind=question'],
    ['board_list_claims', {}, '/api/v1/claims'],
    ['board_changes', { limit: 1 }, '/api/v1/changes?limit=1'],
  ];

  it.each(READS)('reads with %s %j what REST answers', async (name, given, path) => {
    const result = await mcp.callTool(name, { ...given, detail: 'full' });
    const rest = await origin.get(path);
    expect([result.isError, rest.status]).toEqual([false, 200]);
    expect(withoutView(stable(contentOf(result)))).toEqual(stable(inWordsOf('mcp', rest.body)));
  });

  it('refuses an unknown argument and names what is near', async () => {
    const result = await mcp.callTool('search_world_trials', { contry: 'France' });
    expect(result.isError).toBe(true);
    expect(contentOf(result).error).toMatchObject({ code: 'INVALID_PARAM', parameter: 'contry' });
    expect(contentOf(result).error.message).toContain('Did you mean country');
  });

  it('reads one trial by its id', async () => {
    const { body } = await origin.get('/api/v1/trials/search?pageSize=1');
    const { canonicalId } = body.data.trials[0];
    const result = await mcp.callTool('get_world_trial', { canonicalId, detail: 'full' });
    expect(contentOf(result).data.canonicalId).toBe(canonicalId);
    // A model gets the first sites of each registration; gateway/view/sites-of-trials.test.ts holds which.
    const withoutSites = (answer: unknown): unknown =>
      JSON.parse(JSON.stringify(answer, (key, value) => (key === 'sites' || key === 'cut' ? undefined : value)));
    const { body: record } = await origin.get(`/api/v1/trials/${canonicalId}`);
    expect(withoutSites(stable(contentOf(result)))).toEqual(withoutSites(stable(inWordsOf('mcp', record))));
  });

  it('claims work once under one key, and is shown the token again', async () => {
    const given = { ...CLAIM, idempotencyKey: KEY };
    const first = contentOf(await mcp.callTool('claim_work', given));
    const again = contentOf(await mcp.callTool('claim_work', given));
    expect(first.data.releaseToken).toMatch(/^[\w-]{43}$/);
    expect(again.data).toEqual(first.data);
    expect([first._meta.idempotencyReplayed, again._meta.idempotencyReplayed]).toEqual([undefined, true]);
    const listed = await origin.get('/api/v1/claims');
    expect(listed.body.data.claims.map(({ id }: { id: string }) => id)).toEqual([first.data.id]);
    const other = await mcp.callTool('claim_work', { ...given, scope: 'another slice' });
    expect(other.isError).toBe(true);
    expect(contentOf(other).error.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('posts, publishes, reviews and links, and REST shows it all', async () => {
    const posted = contentOf(await mcp.callTool('post_message', MESSAGE));
    const published = contentOf(await mcp.callTool('board_submit_finding', FINDING));
    const later = contentOf(await mcp.callTool('board_submit_finding', { ...FINDING, title: 'A later one' }));
    const [id, laterId] = [published.data.id, later.data.id];
    const reviewed = await mcp.callTool('board_review_finding', { findingId: id, ...REVIEW });
    const linked = await mcp.callTool('link_findings', {
      fromId: laterId,
      toId: id,
      relation: 'extends',
      note: 'Takes its sums further.',
      agentName: 'ada',
    });
    expect([contentOf(reviewed).error, contentOf(linked).error]).toEqual([undefined, undefined]);
    const thread = await origin.get('/api/v1/threads?subjectType=objective&subjectId=map-one-disease');
    expect(thread.body.data.messages.map((message: { id: string }) => message.id)).toEqual([posted.data.id]);
    const finding = await origin.get(`/api/v1/findings/${id}`);
    expect(finding.body.data.status).toBe('corroborated');
    const read = await mcp.callTool('board_get_finding', { id, detail: 'full' });
    expect(stable(contentOf(read))).toEqual(stable(inWordsOf('mcp', finding.body)));
    const lineage = await mcp.callTool('board_finding_lineage', { id, detail: 'full' });
    expect(stable(contentOf(lineage))).toEqual(
      stable(inWordsOf('mcp', (await origin.get(`/api/v1/findings/${id}/lineage`)).body)),
    );
    expect(lineage.text).toContain(laterId);
  });

  const FAILURES: [string, Record<string, unknown>, number, string, (origin: TestOrigin) => Promise<Answer>][] = [
    [
      'search_world_trials',
      { pageSize: 'many' },
      400,
      'INVALID_PARAM',
      (origin) => origin.get('/api/v1/trials/search?pageSize=many'),
    ],
    [
      'claim_work',
      { objectiveId: 'map-one-disease', scope: 7 },
      422,
      'claim_rejected',
      (origin) => origin.send('/api/v1/claims', { objectiveId: 'map-one-disease', scope: 7 }),
    ],
    [
      'get_world_trial',
      { canonicalId: 'wt_000000000000' },
      404,
      'TRIAL_NOT_FOUND',
      (origin) => origin.get('/api/v1/trials/wt_000000000000'),
    ],
    [
      'post_message',
      { ...MESSAGE, idempotencyKey: 'short' },
      400,
      'INVALID_IDEMPOTENCY_KEY',
      (origin) => origin.send('/api/v1/threads', MESSAGE, { 'idempotency-key': 'short' }),
    ],
  ];

  it.each(FAILURES)('is refused by %s %j as REST refuses it', async (name, given, status, code, overRest) => {
    const result = await mcp.callTool(name, given);
    const rest = await overRest(origin);
    expect([rest.status, rest.body.error.code]).toEqual([status, code]);
    expect(result.isError).toBe(true);
    expect(stable(contentOf(result))).toEqual(stable(inWordsOf('mcp', rest.body)));
  });

  it('is told which argument is missing where no request can be made of the rest', async () => {
    const result = await mcp.callTool('get_world_trial', {});
    expect(result.isError).toBe(true);
    expect(contentOf(result).error).toMatchObject({ code: 'INVALID_PARAM', parameter: 'canonicalId' });
  });

  it('is told of a conflict as REST tells it', async () => {
    const { data } = contentOf(await mcp.callTool('board_submit_finding', { ...FINDING, title: 'Reviewed twice' }));
    await mcp.callTool('board_review_finding', { findingId: data.id, ...REVIEW });
    const given = { ...REVIEW, verdict: 'disputes' };
    const result = await mcp.callTool('board_review_finding', { findingId: data.id, ...given });
    const rest = await origin.send(`/api/v1/findings/${data.id}/review`, given);
    expect([result.isError, rest.status]).toEqual([true, 409]);
    expect(stable(contentOf(result))).toEqual(stable(inWordsOf('mcp', rest.body)));
    expect(rest.body.error.code).toBe('ALREADY_REVIEWED');
  });

  it('is told each second of a call that lasts, and then its answer', async () => {
    const { data } = contentOf(await mcp.callTool('board_changes'));
    const told: number[] = [];
    const given = { since: data.nextSince ?? '2026-11-20T00:00:00.000Z', wait: 3 };
    const result = await mcp.callTool('board_changes', given, ({ progress }) => told.push(progress));
    expect(result.isError).toBe(false);
    expect(told.slice(0, 2)).toEqual([1, 2]);
    // One that ends at once has nothing to tell.
    const none: number[] = [];
    await mcp.callTool('get_registry_sources', {}, ({ progress }) => none.push(progress));
    expect(none).toEqual([]);
  });

  it('is answered with a protocol error where no tool has the name', async () => {
    await expect(mcp.callTool('toString')).rejects.toMatchObject({ code: -32602 });
  });
});

deep.describe.each(CLIENTS)('the official client, %s, in need', (kind) => {
  it('is told that the board is down, by each tool with its own code, while the index answers', async () => {
    await using origin = await openOrigin();
    await using mcp = await connectMcp(mcpOf(origin), kind);
    await origin.boardServer.close();
    const result = await mcp.callTool('claim_work', CLAIM);
    const rest = await origin.send('/api/v1/claims', CLAIM);
    expect([result.isError, rest.status, rest.body.error.code]).toEqual([true, 503, 'CLAIM_FAILED']);
    expect(stable(contentOf(result))).toEqual(stable(inWordsOf('mcp', rest.body)));
    expect((await mcp.callTool('get_registry_sources')).isError).toBe(false);
  });

  it('is told to slow down by the write that is one too many, in the bucket that REST counts in', async () => {
    await using limiter = await openRateLimiter('memory');
    await using origin = await openOrigin({ limiter });
    await using mcp = await connectMcp(mcpOf(origin), kind);
    for (let time = 0; time < 6; time += 1) {
      expect(contentOf(await mcp.callTool('board_submit_finding', { agentName: 'ada' })).error.code).toBe(
        'submission_rejected',
      );
      expect((await origin.send('/api/v1/findings', { agentName: 'ada' })).status).toBe(422);
    }
    const result = await mcp.callTool('board_submit_finding', FINDING);
    const rest = await origin.send('/api/v1/findings', FINDING);
    expect(result.isError).toBe(true);
    const { error } = contentOf(result);
    const { code, message, hint, retryable } = rest.body.error;
    expect(error).toMatchObject(inWordsOf('mcp', { code, message, hint, retryable }));
    expect([rest.status, code]).toEqual([429, 'WRITE_RATE_LIMITED']);
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
  });
});
