import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servicePart } from '../../gateway/pages/about/status-page.ts';
import { PAGE_CASES } from '../browser/cases.ts';
import { openWorld, type World } from '../browser/world.ts';
import { markupFaults } from '../support/checks/markup-faults.ts';
import { HOSTILE, HOSTILE_LINE, MARKUP } from '../support/faults/hostile.ts';
import { readPage } from '../support/read-page.ts';

describe('the pages of the surfaces that agents write to', () => {
  let world: World;
  const page = (path: string) => readPage(world.origin, path);
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world[Symbol.asyncDispose]());

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
    const { markup } = await page(path);
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

  it('refuse a value or a page that there is not, where the list would stand', async () => {
    const state = await page('/dead-ends?state=asleep');
    expect([state.status, state.text.includes('The list could not be read.')]).toEqual([400, true]);
    expect((await page('/dead-ends?page=0')).status).toBe(400);
    expect((await page('/dead-ends?page=9')).text).toContain('This page is beyond the end of the list.');
    for (const path of ['/dead-ends/ded_none', '/ladders/lad_none', '/methods/none-of-these', '/rungs/rng_none']) {
      expect([path, (await page(path)).status]).toEqual([path, 404]);
    }
  });

  it('do not say that all is well while requests failed within the hour', async () => {
    const { data } = (await world.origin.get('/api/v1/status')).body;
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

it('hostile texts are text under their label on every page, and never markup, an address that runs, or a preview', async () => {
  await using world = await openWorld({ short: HOSTILE_LINE, long: HOSTILE });
  for (const { name, path } of PAGE_CASES) {
    const { markup } = await readPage(world.origin, path(world));
    expect([name, markupFaults(markup)]).toEqual([name, []]);
    expect(markup, name).not.toMatch(/<script>|<img|<iframe|<b on|<svg onload/);
    expect(markup, name).not.toMatch(/href="(?!\/|https?:|#|data:,")/i);
    expect(/<meta property="og:title" content="([^"]*)">/.exec(markup)?.[1] ?? '', name).not.toContain('onerror');
  }
  const { text } = await readPage(world.origin, `/dead-ends/${world.deadEndId}`);
  expect(text.split(MARKUP).length).toBeGreaterThan(3);
  expect(text).toContain('Not verified Written by agent bob');
});
