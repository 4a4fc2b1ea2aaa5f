import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takesView } from '../../contract/interfaces/view.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { isStanding } from '../../contract/standing-honesty.ts';
import { sendSkill } from '../support/a2a.ts';
import { CLAIM, MESSAGE } from '../support/board/board-writes.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';

/** Answers in the view that their caller asks for, at every door. Tokens are four characters of what goes over the wire. */

let origin: TestOrigin;
beforeAll(async () => {
  origin = await openOrigin();
});
afterAll(() => origin[Symbol.asyncDispose]());

async function callTool(name: string, given: object = {}) {
  const params = { name, arguments: given };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const { body } = await origin.send('/api/v1/mcp', message, { accept: 'application/json, text/event-stream' });
  const { structuredContent, content, isError } = body.result;
  return { structured: structuredContent, text: content[0].text as string, isError };
}

const tokens = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4);

const SEARCH = '/api/v1/trials/search?q=diabetes&pageSize=3';

describe('over REST', () => {
  it('an answer is full where nobody asks, and the same bytes whatever its views are', async () => {
    const first = await fetch(`${origin.url}${SEARCH}`);
    await fetch(`${origin.url}${SEARCH}&detail=concise`);
    const again = await fetch(`${origin.url}${SEARCH}`);
    const plain = (text: string): string => text.replace(/"correlationId":"[^"]+","generatedAt":"[^"]+"/, '');
    expect(plain(await again.text())).toBe(plain(await first.text()));
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
  });

  it('detail and fields are taken, and are neither filters nor ignored', async () => {
    const concise = await origin.get(`${SEARCH}&detail=concise`);
    expect(concise.body.data.trials[0]).toMatchObject({ canonicalId: expect.any(String), ids: [expect.any(String)] });
    expect(concise.body._meta).toMatchObject({ pagination: { page: 1, returned: 3, next: { page: 2 } } });
    expect(Object.keys(concise.body._meta)).not.toEqual(expect.arrayContaining(['ignored']));
    const full = await origin.get(SEARCH);
    const picked = await origin.get(`${SEARCH}&fields=canonicalId,sponsor.name`);
    expect(picked.body.data).toEqual({
      trials: full.body.data.trials.map(
        ({ canonicalId, sponsor }: { canonicalId: string; sponsor: { name: string } }) => ({
          canonicalId,
          sponsor: { name: sponsor.name },
        }),
      ),
    });
    expect(picked.body._meta.filters).toEqual({ q: 'diabetes' });
    expect(picked.body._meta.ignored).toBeUndefined();
  });

  it('the address of the next page keeps the view', async () => {
    const { body } = await origin.get(`${SEARCH}&fields=canonicalId`);
    const next = await origin.get(body._meta.pagination.nextUrl.replace(origin.url, ''));
    expect(Object.keys(next.body.data.trials[0])).toEqual(['canonicalId']);
    expect(next.body._meta.pagination.page).toBe(2);
  });

  it('a view is a representation of its own: another ETag, which is revalidated', async () => {
    const [full, concise, one] = await Promise.all(
      ['', '&detail=concise', '&fields=title'].map((view) => fetch(`${origin.url}${SEARCH}${view}`)),
    );
    const tags = [full, concise, one].map((answer) => answer!.headers.get('etag'));
    expect(new Set(tags).size).toBe(3);
    const held = (tag: string) => fetch(`${origin.url}${SEARCH}&detail=concise`, { headers: { 'if-none-match': tag } });
    expect((await held(tags[1]!)).status).toBe(304);
    expect((await held(tags[0]!)).status).toBe(200);
    const head = await fetch(`${origin.url}${SEARCH}&detail=concise`, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, tags[1], '']);
  });

  it('an unknown field or detail is refused with near ones, before anything runs', async () => {
    const { status, body } = await origin.get(`${SEARCH}&fields=titel`);
    expect([status, body.error.code, body.error.parameter]).toEqual([400, 'INVALID_PARAM', 'fields']);
    expect(body.error.expected).toBe('names or dotted paths of fields of the answer, as title');
    const other = await origin.get(`${SEARCH}&detail=short`);
    expect([other.status, other.body.error.expected]).toEqual([400, 'one of concise, full']);
  });

  it('answers of the board are viewed too, and refusals stay as they are', async () => {
    const { body } = await origin.get('/api/v1/claims?fields=howToClaim.call');
    expect(body.data).toEqual({ howToClaim: { call: 'POST /api/v1/claims' } });
    const { body: concise } = await origin.get('/api/v1/claims?detail=concise');
    expect(concise).toMatchObject({
      data: { claims: [] },
      _meta: { more: 'detail=full, fields=howToClaim,stateMeaning' },
    });
    const missing = await origin.get('/api/v1/claims/clm_none?detail=concise');
    expect([missing.status, missing.body.error.code]).toEqual([404, 'CLAIM_NOT_FOUND']);
  });

  it('a view is one read of its caller', async () => {
    const limits = async (path: string) =>
      Number((await fetch(`${origin.url}${path}`)).headers.get('ratelimit-remaining'));
    const before = await limits(SEARCH);
    expect(await limits(`${SEARCH}&detail=concise`)).toBe(Math.max(0, before - (before === 0 ? 0 : 1)));
  });
});

describe('over MCP', () => {
  it('a page of 20 trials has at most 2,500 tokens of each kind, 90 of them for what it stands on and where the rest is', async () => {
    for (const given of [{ q: 'diabetes' }, { q: 'diabetes', match: 'concepts' }, { country: 'France' }, {}]) {
      const { structured, text } = await callTool('search_world_trials', { ...given, pageSize: 20 });
      expect(structured.data.trials.length).toBe(20);
      expect([given, tokens(structured) <= 2_500, tokens(text) <= 2_500]).toEqual([given, true, true]);
      for (const { canonicalId, ids } of structured.data.trials)
        expect(text).toContain(`${canonicalId} ${ids.join(' ')}`);
      expect(text).toContain('Next: the same call with page=2.');
    }
    const { structured } = await callTool('search_world_trials', { phase: ['3'], pageSize: 20 });
    expect(structured._meta.receipt).toMatch(/^r1\.search\./);
    expect(tokens(structured._meta)).toBeLessThanOrEqual(90);
    const { structured: coverage } = await callTool('get_trial_coverage', { phase: ['3'] });
    expect(coverage._meta.receipt).toMatch(/^r1\.coverage\./);
    expect(tokens(coverage._meta)).toBeLessThanOrEqual(80);
    expect(coverage.data.nextCalls.length).toBeGreaterThan(0);
  });

  it('one trial has at most 1,200, whichever it is, and leads to the rest of it', async () => {
    const { structured } = await callTool('search_world_trials', {
      inBoth: true,
      pageSize: 100,
      fields: 'canonicalId',
    });
    const sizes: number[] = [];
    for (const { canonicalId } of structured.data.trials.slice(0, 30)) {
      const { structured: record, text } = await callTool('get_world_trial', { canonicalId });
      sizes.push(tokens(record), tokens(text));
      expect(record.data.registrations.length).toBe(2);
      expect(record.data.evidence.length).toBeGreaterThan(0);
      expect(tokens(record._meta)).toBeLessThanOrEqual(80);
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_200);
  });

  it('a registration that is looked up shows the evidence that joined its trial, and no eligibility', async () => {
    const { structured: found } = await callTool('search_world_trials', { inBoth: true, pageSize: 1 });
    const [{ canonicalId, ids }] = found.data.trials;
    const { structured, text } = await callTool('find_trial_registrations', { id: ids[0] });
    const whole = await callTool('find_trial_registrations', { id: ids[0], detail: 'full' });
    const [{ trial }] = structured.data.matches;
    const [{ rule, from, to, field, rawValue, direction, verdict }] = whole.structured.data.matches[0].trial.evidence;
    expect(trial).toMatchObject({ canonicalId, ids });
    expect(trial.evidence[0]).toEqual({ rule, from, to, field, rawValue, direction, verdict });
    expect(text).toContain(rule);
    expect(trial).not.toHaveProperty('eligibilityText');
  });

  it('few results read as sentences', async () => {
    const misspelt = await callTool('get_trial_coverage', { q: 'diabetis' });
    expect(misspelt.text).toMatch(
      /^Few trials or none have the word diabetis; spelt like it, with trials: diabetic \(\d+\), diabetes \(\d+\)\.$/m,
    );
    expect(misspelt.text).toMatch(
      /^With match=concepts: \d+ trials, \d+ of them new \(diabetic = Diabetes Mellitus\)\.$/m,
    );
    const unknown = await callTool('search_world_trials', { q: 'diabetes metfornin' });
    expect(unknown.text).toMatch(/^Few trials match all of it\. There are \d+ trials without q=metfornin\.$/m);
    expect(unknown.text).toContain(
      'No trial has the word metfornin in its titles, acronym, conditions, interventions or sponsor, nor one that is spelt like it.',
    );
    expect(unknown.structured._meta.alsoMatching).not.toHaveProperty('with');
  });

  it('coverage, landscape and trend have at most 1,200', async () => {
    for (const name of ['get_trial_coverage', 'get_trial_landscape', 'trials_trend']) {
      const { structured, text } = await callTool(name, {
        q: 'diabetes',
        ...(name.endsWith('trend') && { by: 'year' }),
      });
      expect([name, tokens(structured) <= 1_200, tokens(text) <= 1_200]).toEqual([name, true, true]);
    }
  });

  it('detail=full is the REST answer', async () => {
    const { structured } = await callTool('get_trial_coverage', { q: 'diabetes', detail: 'full' });
    const rest = await origin.get('/api/v1/trials/coverage?q=diabetes');
    expect(structured.data).toEqual(rest.body.data);
    expect(structured._meta.provenance).toEqual(rest.body._meta.provenance);
  });

  it('the text is not the structured content again, and a refusal reads as one', async () => {
    const { structured, text } = await callTool('get_trial_stats');
    // The arguments of a next call are JSON to be sent.
    expect(text.replaceAll(/^Next: .*$/gm, '')).not.toContain('{');
    expect(text).toContain(`distinct ${structured.data.corpus.distinct}`);
    const refused = await callTool('search_world_trials', { fields: 'titel' });
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain('INVALID_PARAM: ');
    expect(refused.text).toContain('as title');
  });

  it('what holds for every answer is said in the instructions and in hello, and in no concise answer', async () => {
    for (const { id, names, example, query = {}, params } of OPERATIONS.filter(takesView)) {
      if (names?.mcp === undefined || params !== undefined || id === 'batch') continue;
      const given = Object.fromEntries(
        [...new URLSearchParams(example.split('?')[1] ?? '')].filter(([name]) => name in query),
      );
      const { structured, isError } = await callTool(names.mcp, given);
      if (isError) continue;
      expect([id, [structured._meta.honesty ?? []].flat().filter(isStanding)]).toEqual([id, []]);
      expect([id, tokens(structured) <= 20_000]).toEqual([id, true]);
    }
  });
});

describe('the acknowledgement of a write', () => {
  it('has at most 240 tokens over MCP and A2A, with the id and the one-time token', async () => {
    const claim = await callTool('claim_work', { ...CLAIM, scope: 'a slice that is claimed over MCP' });
    expect(claim.structured.data).toMatchObject({
      id: expect.any(String),
      state: 'active',
      releaseToken: expect.any(String),
    });
    expect(claim.text).toContain(claim.structured.data.releaseToken);
    const posted = await callTool('post_message', MESSAGE);
    const { envelope } = await sendSkill(origin.url, 'claim_work', {
      ...CLAIM,
      scope: 'a slice that is claimed over A2A',
    });
    expect((envelope!.data as { releaseToken: string }).releaseToken).toMatch(/^[\w-]{43}$/);
    for (const acknowledged of [claim.structured, posted.structured, envelope])
      expect(tokens(acknowledged)).toBeLessThanOrEqual(240);
  });
});

it('over A2A an answer is concise, and full or picked where the message says so', async () => {
  const inputs = { q: 'diabetes', pageSize: 2 };
  const concise = await sendSkill(origin.url, 'world_trial_search', inputs);
  expect(tokens(concise.envelope)).toBeLessThanOrEqual(500);
  const picked = await sendSkill(origin.url, 'world_trial_search', { ...inputs, fields: ['title'] });
  expect(Object.keys((picked.envelope!.data as { trials: object[] }).trials[0]!)).toEqual(['title']);
  const full = await sendSkill(origin.url, 'world_trial_search', { ...inputs, detail: 'full' });
  const rest = await origin.get('/api/v1/trials/search?q=diabetes&pageSize=2');
  expect(full.envelope!.data).toEqual(rest.body.data);
});
