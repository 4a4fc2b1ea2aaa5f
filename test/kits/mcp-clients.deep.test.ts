import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../contract/operations.ts';
import { inWordsOf } from '../../gateway/door-words/in-words-of.ts';
import { toolboxOf } from '../../gateway/mcp/toolbox.ts';
import { CLAIM, MESSAGE } from '../support/board/board-writes.ts';
import type { Answer } from '../support/gateway.ts';
import { ofFile } from '../support/of-file.ts';
import { openOrigin } from '../support/origin.ts';
import { connectMcp, MCP_CLIENTS, type McpResult } from './support/mcp.ts';

/** What the official clients make of the protocol; that each tool answers as REST does is held by cases-mcp.deep.test.ts. */

/** A refusal without the id of its request. */
const stable = ({ error }: Answer['body']): unknown => ({ error: { ...error, correlationId: null } });

describe.each(MCP_CLIENTS)('the official client, %s', (kind) => {
  const origin = ofFile(() => openOrigin());
  const mcp = ofFile(() => connectMcp(`${origin.url}/api/v1/mcp`, kind));

  /** Expects a refusal with a text beside it, equal to that of REST. */
  function expectRefused({ structuredContent, isError, text }: McpResult, rest: Answer, code: string): void {
    expect([isError, text.length > 0, rest.body.error.code]).toEqual([true, true, code]);
    expect(stable(structuredContent)).toEqual(stable(inWordsOf('mcp', rest.body)));
  }

  it('agrees on its revision, and is told what the service is', () => {
    expect(mcp.revision).toBe(kind === 'modern' ? '2026-07-28' : '2025-11-25');
    expect(mcp.server).toMatchObject({ name: 'trial-board', version: '1.0.0' });
    expect(mcp.instructions).toMatch(/^A research coordination board for agents/);
  });

  it('lists the everyday tools, with their schemas as they are', async () => {
    const expected = toolboxOf(OPERATIONS).tools;
    expect(await mcp.listTools()).toEqual(JSON.parse(JSON.stringify(expected)));
  });

  it('is refused as REST refuses: a parameter, a body, an id, a key', async () => {
    const { get, send } = origin;
    const paged = await mcp.callTool('search_world_trials', { pageSize: 'many' });
    expectRefused(paged, await get('/api/v1/trials/search?pageSize=many'), 'INVALID_PARAM');
    const scoped = { objectiveId: 'map-one-disease', scope: 7 };
    expectRefused(await mcp.callTool('claim_work', scoped), await send('/api/v1/claims', scoped), 'claim_rejected');
    const missing = await mcp.callTool('get_world_trial', { canonicalId: 'wt_000000000000' });
    expectRefused(missing, await get('/api/v1/trials/wt_000000000000'), 'TRIAL_NOT_FOUND');
    const posted = await mcp.callTool('post_message', { ...MESSAGE, idempotencyKey: 'short' });
    const rest = await send('/api/v1/threads', MESSAGE, { 'idempotency-key': 'short' });
    expectRefused(posted, rest, 'INVALID_IDEMPOTENCY_KEY');
  });

  it('is told which argument is unknown, and which is missing where no request can be made of the rest', async () => {
    const unknown = await mcp.callTool('search_world_trials', { contry: 'France' });
    expect(unknown.structuredContent.error).toMatchObject({ code: 'INVALID_PARAM', parameter: 'contry' });
    expect(unknown.structuredContent.error.message).toContain('Did you mean country');
    const missing = await mcp.callTool('get_world_trial', {});
    expect(missing.structuredContent.error).toMatchObject({ code: 'INVALID_PARAM', parameter: 'canonicalId' });
  });

  it('is told each second of a call that lasts, and then its answer', async () => {
    const { data } = (await mcp.callTool('board_changes')).structuredContent;
    const told: number[] = [];
    const given = { since: data.nextSince ?? '2026-11-20T00:00:00.000Z', wait: 3 };
    const result = await mcp.callTool('board_changes', given, ({ progress }) => told.push(progress));
    expect([result.isError, told.slice(0, 2)]).toEqual([false, [1, 2]]);
    // One that ends at once has nothing to tell.
    const none: number[] = [];
    await mcp.callTool('get_registry_sources', {}, ({ progress }) => none.push(progress));
    expect(none).toEqual([]);
  });

  it('is answered with a protocol error where no tool has the name', async () => {
    await expect(mcp.callTool('toString')).rejects.toMatchObject({ code: -32602 });
  });

  it('is told that the board is down, by the code of the tool, while the index answers', async () => {
    await origin.boardServer.close();
    const result = await mcp.callTool('claim_work', CLAIM);
    expectRefused(result, await origin.send('/api/v1/claims', CLAIM), 'CLAIM_FAILED');
    expect((await mcp.callTool('get_registry_sources')).isError).toBe(false);
  });
});
