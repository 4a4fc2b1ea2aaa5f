import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COORDINATION_BODY_MAX_BYTES } from '../../contract/limits/limits.ts';
import { agentPath } from '../../gateway/pages/words/names.ts';
import { chromiumPath, launchChromium, openPage } from '../support/chromium.ts';
import { HOSTILE, HOSTILE_HOST, HOSTILE_LINE, hostileOfLength } from '../support/faults/hostile.ts';
import { PAGE_CASES } from './cases.ts';
import { openWorld, type World } from './world.ts';

/** The narrowest screen, on which a long line overflows first. */
const PHONE = { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' } as const;
/** Bytes left for the body's other fields and for quoting. */
const REST_BYTES = 700;

const executable = chromiumPath();

describe.skipIf(executable === null)('hostile text in Chromium', () => {
  let browser: Browser;
  let world: World;
  let page: Page;
  let seen: string[];
  beforeAll(async () => {
    [browser, world] = await Promise.all([
      launchChromium(executable!),
      openWorld({ short: HOSTILE_LINE, long: HOSTILE }),
    ]);
    page = await openPage(browser, PHONE);
    seen = watch(page, world.origin.url);
    await write('/api/v1/claims', {
      objectiveId: 'map-one-disease',
      scope: HOSTILE_LINE,
      intent: hostileOfLength(COORDINATION_BODY_MAX_BYTES - REST_BYTES),
      agentName: HOSTILE_LINE,
    });
    await write('/api/v1/threads', {
      subjectType: 'finding',
      subjectId: world.findingId,
      body: '\u0301'.repeat((COORDINATION_BODY_MAX_BYTES - REST_BYTES) / 2),
      agentName: `${HOSTILE_LINE}2`,
    });
  });
  afterAll(async () => {
    await browser?.close();
    await world?.[Symbol.asyncDispose]();
  });

  async function write(path: string, body: object): Promise<void> {
    const { status, body: answer } = await world.origin.send(path, body);
    if (status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  }

  it.each([
    ...PAGE_CASES.map(({ name, path }) => [name, path] as const),
    ['the page of a hostile name', () => agentPath(HOSTILE_LINE)!] as const,
  ])('runs nothing, asks nobody, and stays in its place: %s', async (_name, path) => {
    seen.length = 0;
    const answer = await page.goto(world.origin.url + path(world));
    expect(await findings(page)).toEqual({ madeOfText: [], loose: [], shortened: [], sideways: 0 });
    // For a refused page the browser itself logs one error.
    expect(seen.slice(answer!.status() >= 400 ? 1 : 0)).toEqual([]);
  });

  it('stands under "Not verified", which no name turns round or draws over', async () => {
    await page.goto(`${world.origin.url}/findings/${world.findingId}`);
    const drawn = await page.locator('.written').evaluateAll((blocks) =>
      blocks.map((block) => {
        const [label, writer] = ['.not-verified', '.written-by'].map((name) => block.querySelector(name)!);
        const { bottom } = label!.getBoundingClientRect();
        const range = document.createRange();
        const text = label!.firstChild!;
        const lefts = [...text.textContent!].flatMap((character, place) => {
          range.setStart(text, place);
          range.setEnd(text, place + 1);
          return character === ' ' ? [] : [range.getBoundingClientRect().left];
        });
        return {
          says: label!.textContent,
          leftToRight: lefts.every((left, place) => place === 0 || left > lefts[place - 1]!),
          above: bottom <= writer!.getBoundingClientRect().top + 1,
        };
      }),
    );
    expect(drawn.length).toBeGreaterThan(0);
    for (const block of drawn) expect(block).toEqual({ says: 'Not verified', leftToRight: true, above: true });
  });
});

/** Collects dialogs, console errors and requests to other origins. */
function watch(page: Page, origin: string): string[] {
  const seen: string[] = [];
  page.on('dialog', (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) seen.push(message.text());
  });
  page.on('pageerror', (error) => seen.push(error.message));
  page.on('request', (request) => {
    const { origin: asked, protocol } = new URL(request.url());
    if (asked !== origin && protocol !== 'data:') seen.push(`asked: ${request.url()}`);
  });
  return seen;
}

/** What hostile text did to the page. */
function findings(page: Page) {
  return page.evaluate((host) => {
    const TURNING = /[\u200f\u202a-\u202e\u2066-\u2069]/;
    // Browsers isolate each block. Inside a block, such a text must be isolated too, to protect the text beside it.
    const isolates = (element: Element | null) => element?.closest('bdi, [dir="auto"], a[rel~="ugc"]') != null;
    const all = [...document.body.querySelectorAll('*')];
    const madeOfText = all
      .filter(
        ({ attributes, tagName }) =>
          ['SCRIPT', 'IFRAME', 'IMG', 'STYLE', 'OBJECT', 'EMBED', 'BASE', 'META'].includes(tagName) ||
          [...attributes].some(({ name, value }) => /^on/.test(name) || /^\s*(javascript|data):/i.test(value)),
      )
      .map((element) => element.outerHTML.slice(0, 200));
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const loose: string[] = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (TURNING.test(node.nodeValue ?? '') && !isolates(node.parentElement)) {
        loose.push(node.parentElement?.outerHTML.slice(0, 200) ?? '');
      }
    }
    const shortened = [...document.querySelectorAll('a')]
      .filter(({ hostname }) => hostname === host)
      .filter(
        (link) =>
          link.textContent !== link.getAttribute('href') ||
          !/\bnofollow\b.*\bugc\b/.test(link.rel) ||
          getComputedStyle(link).unicodeBidi !== 'isolate',
      )
      .map((link) => link.outerHTML.slice(0, 200));
    const { scrollWidth, clientWidth } = document.documentElement;
    return { madeOfText, loose, shortened, sideways: Math.max(0, scrollWidth - clientWidth) };
  }, HOSTILE_HOST);
}
