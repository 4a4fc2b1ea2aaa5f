import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOOLSET_IDS } from '../../contract/interfaces/toolsets.ts';
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

async function namesAt(path: string, headers = {}): Promise<string[]> {
  const { body } = await send('tools/list', {}, { path, headers });
  return body.result.tools.map(({ name }: { name: string }) => name);
}

describe('an address for each set of tools', () => {
  it('lists that set, and the default one where none is named', async () => {
    expect(await namesAt(`${PATH}/x/default`)).toEqual(await namesAt(PATH));
    const twin = await namesAt(`${PATH}/x/twin`);
    expect(twin).toContain('twin_run_experiment');
    expect(twin).not.toContain('claim_work');
    const all = OPERATIONS.flatMap(({ names }) => (names?.mcp ? [names.mcp] : []));
    expect((await namesAt(`${PATH}/x/all`)).sort()).toEqual([...all, 'call_operation'].sort());
  });

  it('is named to who asks for another', async () => {
    const { status, body } = await send('tools/list', {}, { path: `${PATH}/x/cooking` });
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
    expect(body.error.message).toBe(`No set of tools has this name. The sets are ${TOOLSET_IDS.join(', ')}.`);
  });
});

describe('an address that only reads', () => {
  const FORMS = [
    '/readonly',
    '/x/all/readonly',
    '/x/board/readonly',
    '/readonly/',
    '/readonly/?a=1',
    '/x/board/readonly/',
  ];
  it.each(FORMS.map((form) => `${PATH}${form}`))('%s writes nothing', async (path) => {
    const names = await namesAt(path);
    expect(names).not.toContain('claim_work');
    expect(names).toContain('hello');
    const scope = `never claimed at ${path}`;
    const direct = await call('claim_work', { ...CLAIM, scope }, { path });
    expect(direct.body.error).toMatchObject({ code: -32602, message: expect.stringContaining('only reads') });
    const through = await call('call_operation', { id: 'claims-create', arguments: { ...CLAIM, scope } }, { path });
    expect(through.body.result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'NOT_FOUND', message: expect.stringContaining('only reads') } },
    });
    const claims = await origin.get('/api/v1/claims');
    expect(claims.body.data.claims.filter((claim: { scope: string }) => claim.scope === scope)).toEqual([]);
    expect((await call('call_operation', { id: 'claims-list' }, { path })).body.result.isError).toBeUndefined();
  });
});

describe('the header X-Mcp-Exclude-Tools', () => {
  const headers = { 'x-mcp-exclude-tools': 'hello, claims-create' };

  it('takes tools out of the list and out of every call', async () => {
    const whole = await namesAt(PATH);
    expect(await namesAt(PATH, headers)).toEqual(whole.filter((name) => name !== 'hello' && name !== 'claim_work'));
    expect((await call('hello', {}, { headers })).body.error.code).toBe(-32602);
    const through = await call('call_operation', { id: 'hello' }, { headers });
    expect(through.body.result.structuredContent.error.code).toBe('NOT_FOUND');
    expect((await call('get_registry_sources', {}, { headers })).body.result.isError).toBeUndefined();
  });
});

describe('call_operation', () => {
  it('answers as the tool itself and as REST: with arguments, with a refusal', async () => {
    const given = { id: 'trials-coverage', arguments: { phase: ['3'], detail: 'full' } };
    const [through, rest] = [await call('call_operation', given), await origin.get('/api/v1/trials/coverage?phase=3')];
    expect(through.body.result.structuredContent.data).toEqual(rest.body.data);
    const refused = await call('call_operation', { id: 'trials-coverage', arguments: { contry: 'France' } });
    expect(refused.body.result.structuredContent.error).toMatchObject({ code: 'INVALID_PARAM', parameter: 'contry' });
  });

  it('reaches what no set lists: a list, a text, and a file by its address', async () => {
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

describe('find_tools', () => {
  it('finds by a few words, and says how to call what it found', async () => {
    const { body } = await call('find_tools', { query: 'vote on an amendment' });
    const [first] = body.result.structuredContent.data.tools;
    expect(first).toMatchObject({
      id: 'council-action',
      tool: 'council_vote_or_exercise',
      writes: true,
      toolsets: ['council'],
      call: { tool: 'council_vote_or_exercise' },
      rest: 'POST /api/v1/council/{id}',
    });
    const proofs = await origin.get('/api/v1/capabilities/find?query=proof%20of%20a%20trial');
    expect(proofs.body.data.tools).toContainEqual(
      expect.objectContaining({
        required: ['id'],
        call: { tool: 'find_trial_registrations', arguments: { id: '<id>' } },
      }),
    );
    expect((await origin.get('/api/v1/capabilities/find?query=zzzz')).body.data.tools).toEqual([]);
  });

  it('finds every operation by its own name and summary', async () => {
    const lost: string[] = [];
    for (const { id, summary, names } of OPERATIONS) {
      const query = `${names?.mcp ?? id} ${summary}`;
      const { body } = await origin.get(`/api/v1/capabilities/find?query=${encodeURIComponent(query)}`);
      if (!body.data.tools.some((tool: { id: string }) => tool.id === id)) lost.push(id);
    }
    expect(lost).toEqual([]);
  });
});
