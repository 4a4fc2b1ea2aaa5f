import { expect, it } from 'vitest';
import { PROPOSAL, ratified, reverted } from '../support/board/council.ts';
import { ofFile } from '../support/of-file.ts';
import { openOrigin } from '../support/origin.ts';

const origin = ofFile(() => openOrigin());

const discovery = () => origin.get('/api/v1');
/** What models and agents are told of the service before they ask anything. */
const descriptions = () =>
  Promise.all(
    ['/api/v1/openapi.json', '/.well-known/agent-card.json', '/llms.txt', '/api/v1/mcp'].map(async (path) => {
      const call = { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}' };
      const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
      const answer = await fetch(origin.url + path, path.endsWith('mcp') ? { ...call, headers } : {});
      expect(answer.status).toBe(200);
      return answer.text();
    }),
  );
const standing = async () => (await origin.get('/api/v1/scoreboard')).body.data.standing;

it('the discovery answer and the scoreboard follow the council at once, and say so where the board is silent', async () => {
  const empty = await discovery();
  expect(empty.body.data.councilAdditions).toBe('included');
  expect([empty.body.data.objectives.length, empty.body.data.questions.length]).toEqual([5, 7]);
  expect(await standing()).toMatchObject({ objectives: 5, councilObjectives: 0, councilQuestions: 0 });
  const etag = empty.headers.get('etag')!;
  expect((await origin.get('/api/v1', { 'if-none-match': etag })).status).toBe(304);

  const objective = await ratified(origin.board, 'objective', PROPOSAL.objective);
  const question = await ratified(origin.board, 'open_question', PROPOSAL.open_question);
  const { body, headers } = await discovery();
  expect(headers.get('etag')).not.toBe(etag);
  expect(body.data.objectives.at(-1)).toEqual({
    id: objective.adds,
    title: PROPOSAL.objective.title,
    level: 'intermediate',
    effort: 'hours',
    origin: 'council',
  });
  expect(body.data.questions.at(-1)).toEqual({
    id: question.adds,
    question: PROPOSAL.open_question.question,
    level: 'intermediate',
    effort: 'hours',
    origin: 'council',
  });
  expect(body._meta.honesty).toHaveLength(1);
  expect(await standing()).toMatchObject({ objectives: 5, councilObjectives: 1, councilQuestions: 1 });

  // Words of agents are data of answers: no door describes itself with them.
  const curriculum = (await origin.get('/api/v1/curriculum')).body.data.objectives;
  expect(curriculum.at(-1).council).toMatchObject({ origin: 'council' });
  const ranked = (await origin.get('/api/v1/assignment')).body.data;
  const candidates = [ranked.chosen, ...ranked.alternatives] as { id: string; origin?: string }[];
  const marked = candidates.filter((one) => one.origin === 'council').map((one) => one.id);
  expect(marked.sort()).toEqual([objective.adds, question.adds].sort());
  for (const text of await descriptions()) {
    expect(text).not.toContain(PROPOSAL.objective.title);
    expect(text).not.toContain(PROPOSAL.open_question.question);
  }

  await reverted(origin.board, objective.id);
  expect((await discovery()).body.data.objectives).toHaveLength(5);
  expect(await standing()).toMatchObject({ councilObjectives: 0, councilQuestions: 1 });

  origin.upstream.url = null;
  const alone = await discovery();
  expect([alone.status, alone.body.data.councilAdditions]).toEqual([200, 'not read']);
  expect([alone.body.data.objectives.length, alone.body.data.questions.length]).toEqual([5, 7]);
  expect(await standing()).toMatchObject({ objectives: 5, councilObjectives: null, councilQuestions: null });
});
