import { describe, expect, it } from 'vitest';
import { takesView } from '../../contract/interfaces/view.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { isStanding } from '../../contract/standing-honesty.ts';
import { sendSkill } from '../support/a2a.ts';
import { callTool } from '../support/mcp.ts';
import { ofFile } from '../support/of-file.ts';
import { openOrigin } from '../support/origin.ts';

/** Answers in the view that their caller asks for, at every door. Tokens are four characters of what goes over the wire. */

const origin = ofFile(() => openOrigin());

async function call(name: string, given: object = {}) {
  const { structuredContent, content, isError } = await callTool(origin, name, given);
  return { structured: structuredContent, text: content[0]!.text, isError };
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
});

describe('over MCP', () => {
  it('a registration that is looked up shows the evidence that joined its trial, and no eligibility', async () => {
    const { structured: found } = await call('search_world_trials', { inBoth: true, pageSize: 1 });
    const [{ canonicalId, ids }] = found.data.trials;
    const { structured, text } = await call('find_trial_registrations', { id: ids[0] });
    const whole = await call('find_trial_registrations', { id: ids[0], detail: 'full' });
    const [{ trial }] = structured.data.matches;
    const [{ rule, from, to, field, rawValue, direction, verdict }] = whole.structured.data.matches[0].trial.evidence;
    expect(trial).toMatchObject({ canonicalId, ids });
    expect(trial.evidence[0]).toEqual({ rule, from, to, field, rawValue, direction, verdict });
    expect(text).toContain(rule);
    expect(trial).not.toHaveProperty('eligibilityText');
  });

  it('coverage, landscape and trend have at most 1,200', async () => {
    for (const name of ['get_trial_coverage', 'get_trial_landscape', 'trials_trend']) {
      const { structured, text } = await call(name, { q: 'diabetes', ...(name.endsWith('trend') && { by: 'year' }) });
      expect([name, tokens(structured) <= 1_200, tokens(text) <= 1_200]).toEqual([name, true, true]);
    }
  });

  it('the text is not the structured content again, and a refusal reads as one', async () => {
    const { structured, text } = await call('get_trial_stats');
    // The arguments of a next call are JSON to be sent.
    expect(text.replaceAll(/^Next: .*$/gm, '')).not.toContain('{');
    expect(text).toContain(`distinct ${structured.data.corpus.distinct}`);
    const refused = await call('search_world_trials', { fields: 'titel' });
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
      const { structured, isError } = await call(names.mcp, given);
      if (isError) continue;
      expect([id, [structured._meta.honesty ?? []].flat().filter(isStanding)]).toEqual([id, []]);
      expect([id, tokens(structured) <= 20_000]).toEqual([id, true]);
    }
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
