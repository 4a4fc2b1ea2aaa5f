import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../contract/operations.ts';
import { openRateLimiter } from '../../server-kit/limits/limits.ts';
import { sendSkill } from '../support/a2a.ts';
import { CLAIM } from '../support/board/board-writes.ts';
import { callTool, MCP_HEADERS, MCP_PATH, toolCall } from '../support/mcp.ts';
import { ofFile } from '../support/of-file.ts';
import { openOrigin } from '../support/origin.ts';

const origin = ofFile(() => openOrigin());
const call = async (name: string, given: unknown) => (await callTool(origin, name, given)).structuredContent;

describe('call_operation', () => {
  it('answers as the tool itself and as REST: with arguments, with a refusal', async () => {
    const given = { id: 'trials-coverage', arguments: { phase: ['3'], detail: 'full' } };
    const rest = await origin.get('/api/v1/trials/coverage?phase=3');
    expect((await call('call_operation', given)).data).toEqual(rest.body.data);
    const refused = await call('call_operation', { id: 'trials-coverage', arguments: { contry: 'France' } });
    expect(refused.error).toMatchObject({ code: 'INVALID_PARAM', parameter: 'contry' });
  });

  it('reaches what is not listed: a list, a text, and a file by its address', async () => {
    const [{ version }] = (await call('call_operation', { id: 'snapshots', arguments: {} })).data.snapshots;
    const probe = await call('call_operation', { id: 'healthz' });
    expect(probe.data).toMatchObject({ content: { status: 'ok' }, path: '/healthz' });
    expect((await call('call_operation', { id: 'openapi' })).data).toMatchObject({
      content: null,
      mediaType: 'application/json',
      path: '/api/v1/openapi.json',
      note: 'Fetch it from this address: it is long, or no text.',
    });
    const file = { id: 'snapshot-file', arguments: { version, name: 'trials.parquet' } };
    const { data } = await call('call_operation', file);
    expect([data.content, data.path]).toEqual([null, `/snapshots/${version}/files/trials.parquet`]);
    const none = { ...file, arguments: { version, name: 'none.parquet' } };
    expect((await callTool(origin, 'call_operation', none)).isError).toBe(true);
  });

  it('is charged as the operation that it carries out, and as a read where it carries out none', async () => {
    await using limited = await openOrigin({ limiter: await openRateLimiter('memory') });
    const send = (given: object) => limited.send(MCP_PATH, toolCall('call_operation', given), MCP_HEADERS);
    const { headers } = await send({ id: 'claims-create', arguments: CLAIM });
    expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual(['15', '14']);
    const none = await send({ id: 'no-such' });
    expect(none.headers.get('ratelimit-limit')).toBe('120');
    expect(none.body.result.structuredContent.error.code).toBe('NOT_FOUND');
  });
});

it('list_capabilities finds every operation by its own name and summary', async () => {
  const lost: string[] = [];
  for (const { id, summary, names } of OPERATIONS) {
    const query = encodeURIComponent(`${names?.mcp ?? id} ${summary}`);
    const { endpoints } = (await origin.get(`/api/v1/capabilities?query=${query}`)).body.data;
    if (!endpoints.some((endpoint: { id: string }) => endpoint.id === id)) lost.push(id);
  }
  expect(lost).toEqual([]);
});

describe('an argument', () => {
  it('that is refused has the name that its caller used', async () => {
    for (const [tool, name] of [
      ['trials_history', 'canonicalId'],
      ['trials_proof', 'id'],
      ['get_trial_related_research', 'registryId'],
    ] as const) {
      const { error } = await call(tool, { [name]: '<x>' });
      expect(error.message).toContain(`The parameter ${name} is not usable`);
      expect([error.parameter, error.issues[0].path]).toEqual([name, name]);
    }
    const sites = await sendSkill(origin.url, 'trials_sites', { canonicalId: '<x>' });
    expect(sites.error).toMatchObject({ code: 'INVALID_PARAM', parameter: 'canonicalId' });
  });

  it.for([[''], [',,,'], ['nope']])('a status of %j has a nearest one only where it has letters', async ([status]) => {
    const { body } = await origin.get(`/api/v1/trials/search?status=${status}`);
    expect([body.error.parameter, body.error.expected.includes('nearest to')]).toEqual(['status', status === 'nope']);
  });

  it('that is the JSON text of a list, of an object or of a number is read as that, by a tool and by a skill', async () => {
    const plain = { q: 'diabetes', status: ['completed'], pageSize: 2 };
    const asText = { q: 'diabetes', status: '["completed"]', pageSize: '2', sponsor: null };
    const { data } = await call('search_world_trials', plain);
    expect(data.trials).toHaveLength(2);
    expect((await call('search_world_trials', asText)).data).toEqual(data);
    expect((await call('search_world_trials', JSON.stringify(asText))).data).toEqual(data);
    const inner = { id: 'trials-search', arguments: JSON.stringify(asText) };
    expect((await call('call_operation', inner)).data).toEqual(data);
    const { envelope } = await sendSkill(origin.url, 'world_trial_search', asText);
    expect((envelope!.data as { trials: object[] }).trials).toEqual(data.trials);
  });

  it('that is optional and sent empty is left out, and the answer says so', async () => {
    const claim = { ...CLAIM, scope: 'empty contact', agentContact: '', questionId: null };
    const claimed = await call('claim_work', claim);
    expect([claimed.data.state, claimed._meta.ignored]).toEqual(['active', ['agentContact']]);
    const { envelope } = await sendSkill(origin.url, 'world_trial_coverage', { q: 'diabetes', country: '' });
    expect(envelope!._meta.ignored).toEqual(['country']);
  });

  it('that is no JSON of a list is refused with what to send, beside all other faults of a write', async () => {
    const { error } = await call('board_submit_finding', { endpointsUsed: 'trials-search' });
    expect(error.code).toBe('submission_rejected');
    const message = expect.stringContaining('send a JSON array, not its text');
    expect(error.issues).toContainEqual({ path: 'endpointsUsed', message });
    expect(error.issues.length).toBeGreaterThan(3);
  });
});

it('a question for a dose gets no advice, and the answer says so', async () => {
  const question = 'what dose of metformin should I take';
  const { _meta } = await call('search_world_trials', { q: question });
  expect(_meta.notices).toContainEqual(expect.stringContaining('no clinical advice'));
  const found = await callTool(origin, 'list_capabilities', { query: question });
  expect(found.content[0]!.text).toContain('no clinical advice');
});
