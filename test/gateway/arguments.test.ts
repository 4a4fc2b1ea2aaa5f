import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendSkill } from '../support/a2a.ts';
import { CLAIM } from '../support/board/board-writes.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';

let origin: TestOrigin;
beforeAll(async () => {
  origin = await openOrigin();
});
afterAll(() => origin[Symbol.asyncDispose]());

const MISSPELT = { q: 'anemia', contry: 'France' };
const REFUSED = {
  code: 'INVALID_PARAM',
  message: expect.stringMatching(/^There is no argument contry\. Did you mean country, /),
  parameter: 'contry',
  retryable: false,
};

interface ToolAnswer {
  isError?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  structuredContent: any;
  content: { text: string }[];
}

async function callTool(name: string, given: unknown) {
  const response = await fetch(`${origin.url}/api/v1/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }),
  });
  const { result } = (await response.json()) as { result: ToolAnswer };
  return result;
}

it('a tool refuses an argument that it does not take, and names those that are near', async () => {
  expect(await callTool('search_world_trials', MISSPELT)).toMatchObject({
    isError: true,
    structuredContent: { error: REFUSED },
  });
});

it('a tool that writes refuses a field that it does not take, so that nothing of a report is lost in silence', async () => {
  expect(await callTool('post_message', { subjectTyp: 'objective' })).toMatchObject({
    structuredContent: {
      error: { parameter: 'subjectTyp', message: expect.stringContaining('Did you mean subjectType') },
    },
  });
});

it('a refused argument has the name that its caller used', async () => {
  for (const [tool, name] of [
    ['trials_history', 'canonicalId'],
    ['trials_proof', 'canonicalId'],
    ['trials_proof', 'id'],
    ['get_trial_related_research', 'registryId'],
  ] as const) {
    const { error } = (await callTool(tool, { [name]: '<x>' })).structuredContent;
    expect([tool, error.parameter, error.message, error.issues[0].path]).toEqual([
      ...[tool, name],
      expect.stringContaining(`The parameter ${name} is not usable`),
      name,
    ]);
  }
  const sites = await sendSkill(origin.url, 'trials_sites', { canonicalId: '<x>' });
  expect(sites.error).toMatchObject({ code: 'INVALID_PARAM', parameter: 'canonicalId' });
});

it.each([[''], [',,,'], [[]], ['nope']])(
  'a status of %j has a nearest one only where it has letters',
  async (status) => {
    const query = new URLSearchParams({ status: String(status) });
    const { body } = await origin.get(`/api/v1/trials/search?${query}`);
    expect([body.error.parameter, body.error.expected.includes('nearest to')]).toEqual(['status', status === 'nope']);
  },
);

it('over REST it is dropped and listed', async () => {
  const response = await fetch(`${origin.url}/api/v1/trials/search?q=anemia&contry=France`);
  expect(await response.json()).toMatchObject({ _meta: { ignored: ['contry'] } });
});

/** What a tool answers, whatever it was called by. */
const dataOf = async (name: string, given: unknown) => (await callTool(name, given)).structuredContent.data;

it('a tool and a skill read the JSON text of a list, of an object and of a number as what it holds', async () => {
  const plain = { q: 'diabetes', status: ['completed'], pageSize: 2 };
  const asText = { q: 'diabetes', status: '["completed"]', pageSize: '2', sponsor: null };
  const expected = await dataOf('search_world_trials', plain);
  expect(expected.trials).toHaveLength(2);
  expect(await dataOf('search_world_trials', asText)).toEqual(expected);
  expect(await dataOf('search_world_trials', JSON.stringify(asText))).toEqual(expected);
  const inner = { id: 'trials-search', arguments: JSON.stringify(asText) };
  expect(await dataOf('call_operation', inner)).toEqual(expected);
  const { envelope } = await sendSkill(origin.url, 'world_trial_search', asText);
  expect((envelope!.data as { trials: object[] }).trials).toEqual(expected.trials);
});

it('a call without arguments may say so by null', async () => {
  const hello = await callTool('hello', null);
  expect(hello.isError).toBeUndefined();
  expect((await callTool('call_operation', { id: 'hello', arguments: null })).structuredContent.data).toHaveProperty(
    'service',
  );
});

it('an optional argument that is sent empty is left out, and the answer says so', async () => {
  const claim = { ...CLAIM, scope: 'empty contact', agentContact: '', questionId: null };
  const { structuredContent: claimed } = await callTool('claim_work', claim);
  expect([claimed.data.state, claimed._meta.ignored]).toEqual(['active', ['agentContact']]);
  const { envelope } = await sendSkill(origin.url, 'world_trial_coverage', { q: 'diabetes', country: '' });
  expect(envelope!._meta.ignored).toEqual(['country']);
});

it('a text that is no JSON of a list is refused with what to send', async () => {
  const say = 'send a JSON array, not its text';
  const { structuredContent: search } = await callTool('search_world_trials', { status: '["completed"' });
  expect([search.error.code, search.error.message]).toEqual([
    'INVALID_PARAM',
    `The argument status is not usable: ${say}.`,
  ]);
  const { structuredContent: finding } = await callTool('board_submit_finding', { endpointsUsed: 'trials-search' });
  expect(finding.error.code).toBe('submission_rejected');
  expect(finding.error.issues).toContainEqual({ path: 'endpointsUsed', message: expect.stringContaining(say) });
  expect(finding.error.issues.length).toBeGreaterThan(3);
});

it('a question for a dose gets no advice, and the answer says so', async () => {
  const question = 'what dose of metformin should I take';
  const { structuredContent } = await callTool('search_world_trials', { q: question });
  expect(structuredContent._meta.notices).toContainEqual(expect.stringContaining('no clinical advice'));
  const found = await callTool('list_capabilities', { query: question });
  expect(found.content[0]!.text).toContain('no clinical advice');
});
