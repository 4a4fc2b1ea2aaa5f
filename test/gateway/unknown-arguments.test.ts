import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendSkill } from '../support/a2a.ts';
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

async function callTool(name: string, given: object) {
  const response = await fetch(`${origin.url}/api/v1/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }),
  });
  const { result } = (await response.json()) as { result: { isError?: boolean; structuredContent: object } };
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

it('a read without arguments of its own names those of its view', async () => {
  expect(await callTool('get_trial_stats', { nonsense: 1 })).toMatchObject({
    structuredContent: { error: { expected: 'an argument of detail, fields' } },
  });
});

it('over REST it is dropped and listed', async () => {
  const response = await fetch(`${origin.url}/api/v1/trials/search?q=anemia&contry=France`);
  expect(await response.json()).toMatchObject({ _meta: { ignored: ['contry'] } });
});
