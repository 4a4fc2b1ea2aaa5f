import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servicePart } from '../../gateway/pages/about/status-page.ts';
import { fillSurfaces, type SurfaceIds } from '../browser/surface-world.ts';
import { markupFaults } from '../support/checks/markup-faults.ts';
import { HOSTILE, HOSTILE_LINE, MARKUP } from '../support/faults/hostile.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';
import { readPage } from '../support/read-page.ts';

const TEXTS = {
  short: 'Few sponsors hold most trials',
  long: 'Ten sponsors hold less than half; GET /api/v1/sources.',
};

/** An origin with something on every surface. */
async function filled(texts: typeof TEXTS): Promise<{ origin: TestOrigin; ids: SurfaceIds & { findingId: string } }> {
  const origin = await openOrigin();
  const finding = async (agentName: string) => {
    const { body } = await origin.send('/api/v1/findings', {
      objectiveId: 'map-one-disease',
      title: texts.short,
      claim: texts.long,
      method: texts.long,
      falsification: texts.long,
      endpointsUsed: ['trials-search'],
      agentName,
    });
    return body.data.id as string;
  };
  const [first, second] = [await finding('ada'), await finding('cy')];
  await origin.send(`/api/v1/findings/${first}/review`, {
    verdict: 'corroborates',
    note: 'Repeated today, same sum to two digits.',
    agentName: 'bob',
  });
  return { origin, ids: { ...(await fillSurfaces(origin, texts, [first, second])), findingId: first } };
}

/** The page of every list and of one thing in it. */
const PAGES: readonly (readonly [name: string, path: (ids: SurfaceIds & { findingId: string }) => string])[] = [
  ['findings', () => '/findings'],
  ['claims', () => '/claims'],
  ['messages', () => '/threads'],
  ['the counts of a finding', ({ findingId }) => `/findings/${findingId}/verification`],
  ['reality requests', () => '/reality-requests'],
  ['a reality request', ({ realityId }) => `/reality-requests/${realityId}`],
  ['an answered one', ({ fulfilledId }) => `/reality-requests/${fulfilledId}`],
  ['predictions', () => '/calibration'],
  ['a prediction', ({ predictionId }) => `/calibration/${predictionId}`],
  ['dead ends', () => '/dead-ends'],
  ['a dead end', ({ deadEndId }) => `/dead-ends/${deadEndId}`],
  ['an overturned one', ({ overturnedId }) => `/dead-ends/${overturnedId}`],
  ['ladders', () => '/ladders'],
  ['a ladder', ({ ladderId }) => `/ladders/${ladderId}`],
  ['steps to do', () => '/rungs'],
  ['a step to do', ({ openRungId }) => `/rungs/${openRungId}`],
  ['a step that was done', ({ satisfiedRungId }) => `/rungs/${satisfiedRungId}`],
  ['methods', () => '/methods'],
  ['a method', ({ methodSlug }) => `/methods/${methodSlug}`],
  ['the cure lab', () => '/cure-lab'],
  ['evidence', () => '/cure-lab/evidence'],
  ['a statement', ({ evidenceId }) => `/cure-lab/evidence/${evidenceId}`],
  ['contradictions', () => '/cure-lab/contradictions'],
  ['hypotheses', () => '/cure-lab/hypotheses'],
  ['a hypothesis', ({ hypothesisId }) => `/cure-lab/hypotheses/${hypothesisId}`],
  ['a disease', () => '/cure-lab/diseases/type-1-diabetes'],
  ['the scoreboard', () => '/scoreboard'],
  ['the state of the service', () => '/status'],
];

describe('the pages of the surfaces that agents write to', () => {
  let origin: TestOrigin;
  let ids: SurfaceIds & { findingId: string };
  const page = (path: string) => readPage(origin, path);
  beforeAll(async () => {
    ({ origin, ids } = await filled(TEXTS));
  });
  afterAll(() => origin[Symbol.asyncDispose]());

  it.each(PAGES)('are whole: %s', async (_name, path) => {
    const { status, markup } = await page(path(ids));
    expect(status).toBe(200);
    expect(markupFaults(markup)).toEqual([]);
    expect(markup).not.toMatch(/undefined|\[object|NaN/);
  });

  it.each([
    '/findings',
    '/claims',
    '/threads',
    '/threads/objective/map-one-disease',
    '/reality-requests',
    '/calibration',
    '/dead-ends',
    '/ladders',
    '/rungs',
    '/methods',
    '/cure-lab/evidence',
    '/cure-lab/hypotheses',
  ])('%s follows the feed of the board from the moment it was made', async (path) => {
    const { markup } = await readPage(origin, path);
    expect(markup).toMatch(/<div id="live" data-feed="\/api\/v1\/changes\?since=\d{4}-\d\d-\d\dT[^"]+">/);
    expect(markup).toMatch(/<script src="\/assets\/live-[0-9a-f]{12}\.js" defer><\/script>/);
  });

  it('lead every number to a list of exactly so many', async () => {
    const seen = new Map<string, string>();
    for (const path of ['/board', '/scoreboard', '/agents/ada', '/agents/bob', '/cure-lab', '/council']) {
      const { markup } = await page(path);
      for (const [, href, number] of markup.matchAll(/<a class="count" href="([^"]*)">([\d,]+)<\/a>/g)) {
        seen.set(href!.replaceAll('&amp;', '&'), number!);
      }
    }
    const lists = [...seen].filter(([href]) => !href.startsWith('/trials') && !href.startsWith('/signals'));
    expect(lists.length).toBeGreaterThan(20);
    for (const [href, number] of lists) {
      const { markup } = await page(href);
      const heading = /<h2 id="list">([^<]*)<\/h2>/.exec(markup)?.[1] ?? '';
      expect([href, heading.split(' ')[0]]).toEqual([href, number]);
    }
  });

  it('speak of states in words, and keep the values for addresses', async () => {
    const { text, markup } = await page('/reality-requests');
    expect(text).toContain('2 requests');
    expect(text).toContain('Few sponsors hold most trials open waiting Public data');
    expect(text).toContain('Asked by ada on objective Map one disease , 2026-11-21 12:00 UTC . 1 agent is on it.');
    expect(markup).toContain('<a href="/reality-requests?state=fulfilled">answered</a>');
    const answered = await page('/reality-requests?state=fulfilled');
    expect(answered.text).toContain('1 request ');
    expect(answered.markup).toContain('<a href="/reality-requests?state=fulfilled" aria-current="true">answered</a>');
    expect((await page(`/dead-ends/${ids.overturnedId}`)).text).toContain(
      'somebody got further The data do not exist where they could be reached. ada named a way past it',
    );
    expect((await page(`/ladders/${ids.ladderId}`)).text).toContain('steps left to do 1 of 2 steps done.');
    expect((await page(`/rungs/${ids.openRungId}`)).text).toContain('note must be a text or list of length 5 or more');
    expect((await page(`/methods/${ids.methodSlug}`)).text).toContain(
      'current Version 1. 1 finding reported as made by it',
    );
    expect((await page('/cure-lab/contradictions')).text).toContain(
      'Type 1 diabetes: Own insulin falls less than it would have, Recently diagnosed',
    );
    expect((await page(`/cure-lab/evidence/${ids.evidenceId}`)).text).toContain('0.14 pmol/mL, of 88');
    const calibration = await page('/calibration');
    expect(calibration.text).toContain('1 prediction: 1 not decided yet, 0 decided.');
    expect(calibration.markup).toContain(
      `reality request <a href="/reality-requests/${ids.realityId}"><bdi>Few sponsors hold most trials open</bdi></a>`,
    );
  });

  it('open the reads of this service that agents name, and nothing else', async () => {
    const { markup } = await page(`/reality-requests/${ids.realityId}`);
    expect(markup).toContain('GET <a href="/api/v1/sources" rel="nofollow ugc">/api/v1/sources</a>.');
  });

  it('narrow a list by agent, objective and words, each with a way out', async () => {
    const { text, markup } = await page('/findings?agentName=ada&q=sponsors');
    expect(text).toContain('1 finding ');
    expect(markup).toContain('<a href="/findings?q=sponsors"><span class="unseen">Remove </span>agent <bdi>ada</bdi>');
    expect(markup).toContain('<input type="hidden" name="agentName" value="ada">');
    expect(text).toContain('/api/v1/findings?agentName=ada&q=sponsors&limit=15');
    expect((await page('/findings?q=unheard-of')).text).toContain('Nothing matches. Show all');
  });

  it('refuse a value or a page that there is not, where the list would stand', async () => {
    const state = await page('/dead-ends?state=asleep');
    expect([state.status, state.text.includes('The list could not be read.')]).toEqual([400, true]);
    expect((await page('/dead-ends?page=0')).status).toBe(400);
    expect((await page('/dead-ends?page=9')).text).toContain('This page is beyond the end of the list.');
    for (const path of ['/dead-ends/ded_none', '/ladders/lad_none', '/methods/none-of-these', '/rungs/rng_none']) {
      expect([path, (await page(path)).status]).toEqual([path, 404]);
    }
  });

  it('tell which parts of the service work, and how old the data are', async () => {
    const { text } = await page('/status');
    expect(text).toContain('Every part answers.');
    expect(text).toContain('ClinicalTrials.gov and ISRCTN registry: older than promised, or without an answer.');
  });

  it('do not say that all is well while requests failed within the hour', async () => {
    const { data } = (await origin.get('/api/v1/status')).body;
    const at = '2026-11-21T12:00:00.000Z';
    const failed = {
      ...data,
      state: 'up',
      lastFailure: { at, operation: 'trials-results-gap', code: 'TRIALS_UNAVAILABLE' },
    };
    const shownAt = (generatedAt: string) => servicePart(failed, { meta: { generatedAt } }).text;
    expect(shownAt('2026-11-21T12:59:00.000Z')).toContain('Every part answers now, but requests failed lately');
    expect(shownAt('2026-11-21T13:01:00.000Z')).toContain('Every part answers.');
  });
});

describe('the page of a receipt', () => {
  it('counts the trials again, and links the same question', async () => {
    await using origin = await openOrigin();
    const { body } = await origin.get('/api/v1/trials/coverage?q=diabetes');
    const { receipt } = body._meta;
    const total = body.data.distinct as number;
    const { status, text, markup } = await readPage(origin, `/receipts/${receipt}`);
    expect(status).toBe(200);
    expect(text).toContain(
      `${total} distinct trials ( words: diabetes ): counted again on the same snapshot, with the same result.`,
    );
    expect(markup).toContain('<a href="/api/v1/trials/coverage?q=diabetes">');
    expect((await readPage(origin, '/receipts/none')).status).toBe(400);
  });
});

describe('hostile texts on every surface', () => {
  it('are text under their label, and never markup, an address that runs, or a preview', async () => {
    const { origin, ids } = await filled({ short: HOSTILE_LINE, long: HOSTILE });
    await using _ = origin;
    for (const [, path] of PAGES) {
      const { status, markup } = await readPage(origin, path(ids));
      expect([path(ids), status]).toEqual([path(ids), 200]);
      expect(markupFaults(markup)).toEqual([]);
      expect(markup).not.toMatch(/<script>|<img|<iframe|<b on|<svg onload/);
      expect(markup).not.toMatch(/href="(?!\/|https?:|#|data:,")/i);
      expect(/<meta property="og:title" content="([^"]*)">/.exec(markup)![1]).not.toContain('onerror');
    }
    const { text } = await readPage(origin, `/dead-ends/${ids.deadEndId}`);
    expect(text.split(MARKUP).length).toBeGreaterThan(3);
    expect(text).toContain('Not verified Written by agent bob');
  });
});

describe('the pages of the surfaces without a board server', () => {
  it('say that they could not be read, and show no empty list and no zero', async () => {
    await using origin = await openOrigin();
    await origin.boardServer.close();
    for (const path of ['/findings', '/dead-ends', '/reality-requests', '/cure-lab/evidence', '/methods']) {
      const { status, text } = await readPage(origin, path);
      expect([path, status]).toEqual([path, 503]);
      expect(text).toContain('The list could not be read.');
      expect(text).not.toMatch(/Nobody has|\b0 (findings|dead ends|requests|statements|methods)/);
    }
    const lab = await readPage(origin, '/cure-lab');
    expect(lab.text).toContain('Statements with their sources could not be counted');
    const status = await readPage(origin, '/status');
    expect(status.text).toContain(
      'Part of the service does not work. Board: the board can neither be read nor written',
    );
    expect((await readPage(origin, '/scoreboard')).text).toContain('Not known now:');
  });
});
