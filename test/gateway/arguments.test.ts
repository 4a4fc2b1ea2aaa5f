import { afterAll, beforeAll, expect, it } from 'vitest';
import { BETA_CELL_EXAMPLE } from '../../contract/operations/research/twin-beta-cell.ts';
import { sendSkill } from '../support/a2a.ts';
import { CLAIM } from '../support/board/board-writes.ts';
import { FINDING } from '../support/board/findings.ts';
import { LADDER } from '../support/board/ladders.ts';
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

it('a skill refuses an argument that it does not take, and names those that are near', async () => {
  const { state, error } = await sendSkill(origin.url, 'world_trial_search', MISSPELT);
  expect([state, error]).toEqual(['failed', expect.objectContaining(REFUSED)]);
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

it('a read without arguments of its own names those of its view', async () => {
  expect(await callTool('get_trial_stats', { nonsense: 1 })).toMatchObject({
    structuredContent: { error: { expected: 'an argument of detail, fields' } },
  });
});

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

it('an objective that does not exist is called unknown, with the nearest', async () => {
  const wrong = { objectiveId: 'map-one-diseas', questionId: undefined };
  for (const [tool, given] of [
    ['claim_work', { ...CLAIM, ...wrong }],
    ['board_submit_finding', { ...FINDING, ...wrong }],
    ['board_publish_ladder', { ...LADDER, ...wrong }],
  ] as const) {
    const { error } = (await callTool(tool, given)).structuredContent;
    expect([tool, error.message]).toEqual([tool, expect.stringMatching(/objectiveId: .*is unknown.*map-one-disease/)]);
    expect(error.message).not.toContain('neither objectiveId');
  }
});

it('a run of the model is short, has its whole fit, and takes fields', async () => {
  const points = Array.from({ length: 20 }, (_, at) => ({ week: at * 4, value: 1 - at / 40 }));
  const customDataset = {
    ...BETA_CELL_EXAMPLE.customDataset,
    arms: ['control', 'comparator'].map((id) => ({ id, label: `invented ${id}`, points })),
  };
  const longest = { ...BETA_CELL_EXAMPLE, customDataset, durationWeeks: 104 };
  const { structuredContent } = await callTool('run_beta_cell', longest);
  expect(JSON.stringify(structuredContent).length / 4).toBeLessThan(3_000);
  expect(structuredContent.data.fit.control.visits).toHaveLength(20);
  expect(structuredContent.data.planner.curve.map(({ week }: { week: number }) => week).at(-1)).toBe(104);
  expect(structuredContent._meta.more).toMatch(/^detail=full, fields=rules,limits,/);
  const fit = await callTool('run_beta_cell', { ...BETA_CELL_EXAMPLE, fields: '["fit.control.lossRate"]' });
  expect(fit.structuredContent.data).toEqual({ fit: { control: { lossRate: 0.0112814 } } });
  const overRest = await origin.send('/api/v1/twin/beta-cell?fields=planner.basis', BETA_CELL_EXAMPLE);
  expect([overRest.status, overRest.body.data]).toEqual([200, { planner: { basis: 'control' } }]);
});

it.each([
  ['EudraCT 2015-001234-12', 'https://www.clinicaltrialsregister.eu/ctr-search/search?query=2015-001234-12'],
  ['ACTRN12605000003695', 'https://www.anzctr.org.au/'],
  ['ACTRN12608000409370', 'https://www.anzctr.org.au/ACTRN12608000409370.aspx'],
  ['JPRN-UMIN000012345', 'https://www.umin.ac.jp/ctr/'],
  ['DRKS00012345', 'https://drks.de/search/en/trial/DRKS00012345'],
  ['ChiCTR1800012345', 'https://www.chictr.org.cn/'],
])('%s leads to its registry', async (canonicalId, address) => {
  const { error } = (await callTool('get_world_trial', { canonicalId })).structuredContent;
  expect(error.message).toContain(address);
});

it('a question for a dose gets no advice, and the answer says so', async () => {
  const question = 'what dose of metformin should I take';
  const { structuredContent } = await callTool('search_world_trials', { q: question });
  expect(structuredContent._meta.notices).toContainEqual(expect.stringContaining('no clinical advice'));
  const found = await callTool('list_capabilities', { query: question });
  expect(found.content[0]!.text).toContain('no clinical advice');
});

it('standing sentences are one short one in a concise answer', async () => {
  const { structuredContent } = await callTool('get_mind_signal', {});
  expect(structuredContent._meta.honesty).toEqual(['Attention is not evidence; titles are untrusted text.']);
});
