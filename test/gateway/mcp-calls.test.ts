import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../contract/operations.ts';
import { openRateLimiter } from '../../server-kit/limits/limits.ts';
import { CLAIM } from '../support/board/board-writes.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';

const PATH = '/api/v1/mcp';
let origin: TestOrigin;
beforeAll(async () => {
  origin = await openOrigin();
});
afterAll(() => origin[Symbol.asyncDispose]());

function send(method: string, params: object, { path = PATH, headers = {}, to = origin } = {}) {
  const accept = 'application/json, text/event-stream';
  return to.send(path, { jsonrpc: '2.0', id: 1, method, params }, { accept, ...headers });
}

const call = (name: string, given: object, options = {}) => send('tools/call', { name, arguments: given }, options);

describe('call_operation', () => {
  it('answers as the tool itself and as REST: with arguments, with a refusal', async () => {
    const given = { id: 'trials-coverage', arguments: { phase: ['3'], detail: 'full' } };
    const [through, rest] = [await call('call_operation', given), await origin.get('/api/v1/trials/coverage?phase=3')];
    expect(through.body.result.structuredContent.data).toEqual(rest.body.data);
    const refused = await call('call_operation', { id: 'trials-coverage', arguments: { contry: 'France' } });
    expect(refused.body.result.structuredContent.error).toMatchObject({ code: 'INVALID_PARAM', parameter: 'contry' });
  });

  it('reaches what is not listed: a list, a text, and a file by its address', async () => {
    const listed = await call('call_operation', { id: 'snapshots', arguments: {} });
    const [{ version }] = listed.body.result.structuredContent.data.snapshots;
    const probe = await call('call_operation', { id: 'healthz' });
    expect(probe.body.result.structuredContent.data).toMatchObject({ content: { status: 'ok' }, path: '/healthz' });
    const openapi = await call('call_operation', { id: 'openapi' });
    expect(openapi.body.result.structuredContent.data).toMatchObject({
      content: null,
      mediaType: 'application/json',
      path: '/api/v1/openapi.json',
      note: 'Fetch it from this address: it is long, or no text.',
    });
    const file = { id: 'snapshot-file', arguments: { version, name: 'trials.parquet' } };
    const { data } = (await call('call_operation', file)).body.result.structuredContent;
    expect([data.content, data.path]).toEqual([null, `/snapshots/${version}/files/trials.parquet`]);
    const none = await call('call_operation', { ...file, arguments: { version, name: 'none.parquet' } });
    expect(none.body.result.isError).toBe(true);
  });

  it('is charged as the operation that it carries out, and as a read where it carries out none', async () => {
    await using limiter = await openRateLimiter('memory');
    await using limited = await openOrigin({ limiter });
    const claim = { id: 'claims-create', arguments: CLAIM };
    const { headers } = await call('call_operation', claim, { to: limited });
    expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual(['15', '14']);
    const none = await call('call_operation', { id: 'no-such' }, { to: limited });
    expect(none.headers.get('ratelimit-limit')).toBe('120');
    expect(none.body.result.structuredContent.error.code).toBe('NOT_FOUND');
  });
});

describe('list_capabilities with query', () => {
  const find = async (query: string) =>
    (await origin.get(`/api/v1/capabilities?query=${encodeURIComponent(query)}`)).body.data.endpoints;

  it('finds by a few words, and says how to call what it found', async () => {
    const { body } = await call('list_capabilities', { query: 'vote on an amendment' });
    const { endpoints, topics, index } = body.result.structuredContent.data;
    expect(endpoints).toHaveLength(5);
    expect(endpoints[0]).toMatchObject({
      id: 'council-action',
      tool: 'council_vote_or_exercise',
      writes: true,
      exampleCall: { tool: 'council_vote_or_exercise' },
      method: 'POST',
      path: '/api/v1/council/{id}',
    });
    expect([topics, index]).toEqual([{}, undefined]);
    expect(await find('proof of a trial')).toContainEqual(
      expect.objectContaining({
        required: ['id'],
        exampleCall: { tool: 'find_trial_registrations', arguments: { id: '<id>' } },
      }),
    );
    expect(await find('zzzz')).toEqual([]);
  });

  it('finds every operation by its own name and summary', async () => {
    const lost: string[] = [];
    for (const { id, summary, names } of OPERATIONS) {
      const endpoints = await find(`${names?.mcp ?? id} ${summary}`);
      if (!endpoints.some((endpoint: { id: string }) => endpoint.id === id)) lost.push(id);
    }
    expect(lost).toEqual([]);
  });
});
