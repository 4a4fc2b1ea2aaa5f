import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHART_NAMES } from '../../contract/interfaces/charts.ts';
import { PAGES } from '../../contract/interfaces/pages.ts';
import { servicePart } from '../../gateway/pages/about/status-page.ts';
import { PAGE_LIST } from '../../gateway/pages/page-list.ts';
import { routeOf } from '../../server-kit/mount.ts';
import { PAGE_CASES } from '../browser/cases.ts';
import { openWorld, type World } from '../browser/world.ts';
import { mainOf } from '../support/checks/main-of.ts';
import { markupFaults } from '../support/checks/markup-faults.ts';
import { readPage, seenText } from '../support/read-page.ts';

/** How many addresses of one kind are visited: if three trial pages are right, so is the next. */
const OF_ONE_KIND = 3;
const ADDRESSES_MAX = 400;
/** A page says what it lists, and how many, within so many characters. */
const BEGINNING_CHARACTERS = 1_500;
const ROUTES = PAGES.map(({ path }) => ({
  path,
  pattern: new RegExp(`^${routeOf(path).replaceAll(/:\w+/g, '[^/]+')}$`),
}));

interface Visited {
  status: number;
  isPage: boolean;
  markup: string;
}

interface Link {
  from: string;
  /** Path and query. */
  address: string;
  /** Without the `#`; empty if the link has no fragment. */
  fragment: string;
}

/** The kind of an address: the page's path in the contract, or its own path where it is no page. */
function kindOf(address: string): string {
  const pathname = address.split('?')[0]!;
  const literal = ROUTES.find(({ path }) => path === pathname);
  return (literal ?? ROUTES.find(({ pattern }) => pattern.test(pathname)))?.path ?? pathname;
}

function linksOf(from: string, markup: string, base: string): Link[] {
  return [...markup.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)].flatMap((match) => {
    const url = new URL(match[1]!.replaceAll('&amp;', '&').replaceAll('&#39;', "'"), base + from);
    if (url.origin !== base) return [];
    return [{ from, address: url.pathname + url.search, fragment: decodeURIComponent(url.hash.slice(1)) }];
  });
}

/** The beginning of what a page says, without navigation, forms, filters and footer. */
function beginningOf(markup: string): string {
  return seenText(mainOf(markup).replaceAll(/<(form|aside)\b[\s\S]*?<\/\1>/g, ' ')).slice(0, BEGINNING_CHARACTERS);
}

describe('every page', () => {
  let world: World;
  const visited = new Map<string, Visited>();
  const links: Link[] = [];
  beforeAll(async () => {
    world = await openWorld();
    await walk(world.origin.url);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  /** Follows links from the first page, a few of each kind. */
  async function walk(base: string): Promise<void> {
    const waiting = ['/'];
    const seen = new Map<string, number>();
    for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
      const kind = kindOf(address);
      const before = seen.get(kind) ?? 0;
      if (visited.has(address) || before >= OF_ONE_KIND || visited.size >= ADDRESSES_MAX) continue;
      seen.set(kind, before + 1);
      const answer = await fetch(base + address, { headers: { accept: 'text/html' } });
      const isPage = answer.headers.get('content-type')?.startsWith('text/html') ?? false;
      const markup = isPage ? await answer.text() : '';
      if (!isPage) await answer.arrayBuffer();
      visited.set(address, { status: answer.status, isPage, markup });
      if (!isPage) continue;
      const found = linksOf(address, markup, base);
      links.push(...found);
      waiting.push(...found.map((link) => link.address));
    }
  }

  it('of the contract is served, and none beside', () => {
    expect(PAGE_LIST.map(({ id }) => id).sort()).toEqual(PAGES.map(({ id }) => id).sort());
  });

  it('is found by links from the first one', () => {
    const found = new Set([...visited.keys()].map(kindOf));
    expect(PAGES.map(({ path }) => path).filter((path) => !found.has(path))).toEqual([]);
  });

  it('leads nowhere that is not there', () => {
    const broken = [...visited]
      .filter(([, { status }]) => status >= 400)
      .map(([address, { status }]) => {
        const from = links.find((link) => link.address === address)?.from;
        return `${from} -> ${address}: ${status}`;
      });
    expect(broken).toEqual([]);
    const lost = links.filter(({ address, fragment }) => {
      const target = visited.get(address);
      return fragment !== '' && target?.isPage === true && !target.markup.includes(` id="${fragment}"`);
    });
    expect([...new Set(lost.map(({ from, address, fragment }) => `${from} -> ${address}#${fragment}`))]).toEqual([]);
  });

  it('names for each picture that it draws its SVG and its CSV, and they answer', async () => {
    const pages = [...visited].filter(([address, { isPage }]) => isPage && !address.startsWith('/charts/'));
    const nameless: string[] = [];
    const files = new Map<string, string>();
    for (const [address, { markup }] of pages) {
      // A picture is drawn in a figure, but for the bars of years: they are links, and their files are taken away below.
      const bars = /<div class="year-bars"[\s\S]*<section class="take-away"[\s\S]*?<\/section>/.exec(markup)?.[0];
      const drawn = [...(markup.match(/<figure[\s\S]*?<\/figure>/g) ?? []), ...(bars === undefined ? [] : [bars])];
      if ((markup.match(/<svg [^>]*role="img"/g) ?? []).length > 0 && drawn.length === 0) nameless.push(address);
      for (const part of drawn) {
        const named = [...part.matchAll(/href="(\/charts\/([a-z-]+)\.(svg|csv)[^"]*)"/g)];
        if (named.map(([, , , ending]) => ending).join(' ') !== 'svg csv') nameless.push(address);
        for (const [, href, name, ending] of named) files.set(`${name}.${ending}`, href!.replaceAll('&amp;', '&'));
      }
    }
    expect(nameless).toEqual([]);
    // A file of each picture of the registry but for one that no page draws.
    const expected = CHART_NAMES.filter((name) => name !== 'sponsor-classes');
    expect([...new Set([...files.keys()].map((file) => file.split('.')[0]!))].sort()).toEqual(expected.toSorted());
    for (const href of files.values()) {
      const answer = await fetch(world.origin.url + href);
      expect(answer.status, `${href}: ${(await answer.text()).slice(0, 300)}`).toBe(200);
    }
  });

  it('of what happened on the board is where the entry of the feed leads, not the board at large', async () => {
    const feed = await (await fetch(`${world.origin.url}/board.atom`)).text();
    const links = [...feed.matchAll(/<entry>[\s\S]*?<title>([^<]*)<[\s\S]*?<link rel="alternate"[^>]*href="([^"]*)"/g)];
    expect(links.length).toBeGreaterThan(5);
    for (const [, title, href] of links) {
      expect(new URL(href!).pathname, title).not.toBe('/board');
      const answer = await fetch(href!, { headers: { accept: 'text/html' } });
      const text = await answer.text();
      expect(answer.status, `${title}: ${href}`).toBe(200);
      const anchor = decodeURIComponent(new URL(href!).hash.slice(1));
      expect(anchor === '' || text.includes(` id="${anchor}"`), `${title}: ${href}`).toBe(true);
    }
  });

  it('is whole HTML with one h1, a title, a language, ids that are its own, and nothing inline that runs or paints', () => {
    const faults = [...visited]
      .filter(([, { isPage }]) => isPage)
      .flatMap(([address, { markup }]) => markupFaults(markup).map((fault) => `${address}: ${fault}`));
    expect(faults).toEqual([]);
  });

  it('has numbers that lead to pages which show exactly them, up to a few of each kind of number', async () => {
    const seen = new Map<string, number>();
    const wrong: string[] = [];
    for (const [from, { markup }] of visited) {
      for (const [, href, shown] of markup.matchAll(/<a class="count" href="([^"]*)">([\d,]+)<\/a>/g)) {
        const url = new URL(href!.replaceAll('&amp;', '&'), world.origin.url + from);
        const kind = [kindOf(from), kindOf(url.pathname), ...new Set(url.searchParams.keys())].join(' ');
        const before = seen.get(kind) ?? 0;
        if (before >= OF_ONE_KIND || url.hash !== '') continue;
        seen.set(kind, before + 1);
        const answer = await fetch(url, { headers: { accept: 'text/html' } });
        const words = beginningOf(await answer.text()).split(/[^\d,]+/);
        if (!words.includes(shown!)) wrong.push(`${from}: ${shown} -> ${url.pathname}${url.search}`);
      }
    }
    expect(seen.size).toBeGreaterThan(3);
    expect(wrong).toEqual([]);
  });

  it('is opened in Chromium by a case', () => {
    const opened = new Set(PAGE_CASES.map((one) => kindOf(one.path(world))));
    expect(PAGES.map(({ path }) => path).filter((path) => !opened.has(path))).toEqual([]);
  });

  const page = (path: string) => readPage(world.origin, path);

  it('of what agents write follows the feed of the board from the moment it was made', async () => {
    const lists = ['findings', 'claims', 'threads', 'reality-requests', 'calibration', 'dead-ends', 'ladders', 'rungs'];
    const others = ['methods', 'cure-lab/evidence', 'cure-lab/hypotheses', 'threads/objective/map-one-disease'];
    for (const path of [...lists, ...others]) {
      const { markup } = await page(`/${path}`);
      expect(markup, path).toMatch(/<div id="live" data-feed="\/api\/v1\/changes\?since=\d{4}-\d\d-\d\dT[^"]+">/);
      expect(markup, path).toMatch(/<script src="\/assets\/live-[0-9a-f]{12}\.js" defer><\/script>/);
    }
  });

  it('of the status does not say that all is well while requests failed within the hour', async () => {
    const { data } = (await world.origin.get('/api/v1/status')).body;
    const at = '2026-11-21T12:00:00.000Z';
    const lastFailure = { at, operation: 'trials-results-gap', code: 'TRIALS_UNAVAILABLE' };
    const failed = { ...data, state: 'up', lastFailure };
    const shownAt = (generatedAt: string) => servicePart(failed, { meta: { generatedAt } }).text;
    expect(shownAt('2026-11-21T12:59:00.000Z')).toContain('Every part answers now, but requests failed lately');
    expect(shownAt('2026-11-21T13:01:00.000Z')).toContain('Every part answers.');
  });
});
