import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launchChromium, openPage } from '../support/chromium.ts';
import { perPass } from '../support/pass.ts';
import type { PageCase } from './case.ts';
import { PAGE_CASES } from './cases.ts';
import { openWorld, type World } from './world.ts';

const DESKTOP_LIGHT = { name: 'desktop-light', colorScheme: 'light', size: { width: 1280, height: 900 } } as const;
const PHONE_DARK = { name: 'phone-dark', colorScheme: 'dark', size: { width: 390, height: 844 } } as const;
/**
 * Rules of axe-core whose result depends on theme and size: the second look needs no others. The first pass leaves them
 * out, since pages of one state are looked at in the dark theme by all rules.
 */
const LOOK_RULES = perPass<string[]>({
  first: [],
  deeper: ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable'],
});
/** Without pictures, unpacked. */
const PAGE_MAX_BYTES = 100_000;
/** One of each kind of part: the reference repeats them a thousand times, which takes the check minutes. */
const REFERENCE_PARTS = ['.top', '.skip', 'h1', '.docs section:first-of-type > :nth-child(-n+4)', '.bottom'];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Folder that a picture of every page in every look is written to; without it none is. */
const SCREENSHOTS_TO = process.env.SCREENSHOTS_TO;

const executable = chromiumPath();

describe.skipIf(executable === null)('in Chromium', () => {
  let browser: Browser;
  let world: World;
  /** One for all cases: a context of its own costs each as much as the look at it, and pages keep nothing in a browser. */
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    [browser, world] = await Promise.all([launchChromium(executable!), openWorld()]);
    page = await openPage(browser, { reducedMotion: 'reduce' });
    complaints = complaintsOf(page);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.[Symbol.asyncDispose]();
  });

  it.for(PAGE_CASES.map((one) => [one.name, one] as const))('%s is readable, sound and quiet', async ([, one]) => {
    const [first, second] = one.isState ? [PHONE_DARK] : [DESKTOP_LIGHT, PHONE_DARK];
    complaints.length = 0;
    await page.emulateMedia({ colorScheme: first!.colorScheme, forcedColors: null });
    await page.setViewportSize(first!.size);
    const answer = await page.goto(`${world.origin.url}${one.path(world)}`);
    for (const shown of one.shows(world)) await page.getByText(shown).first().waitFor();
    const markup = await answer!.text();
    const bytes = Buffer.byteLength(markup.replaceAll(/<svg[\s\S]*?<\/svg>/g, ''));
    expect(one.reference ? 0 : bytes).toBeLessThan(PAGE_MAX_BYTES);
    await page.evaluate(AXE);
    await looksRight(page, one, { name: first!.name, rules: null });
    if (second) {
      await page.emulateMedia({ colorScheme: second.colorScheme });
      await page.setViewportSize(second.size);
      await looksRight(page, one, { name: second.name, rules: LOOK_RULES });
    }
    await skipsByKeyboard(page);
    await one.act?.(page, world);
    const expected = answer!.status() >= 400 ? 1 : 0;
    expect(complaints.filter((_, place) => place >= expected)).toEqual([]);
    expect(await keptBy(page)).toEqual([]);
  });
});

/** What the next page in the same browser would find. */
async function keptBy(page: Page): Promise<string[]> {
  const cookies = await page.context().cookies();
  const stored = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
  return [...cookies.map(({ name }) => name), ...stored];
}

/** Nothing that axe-core objects to, by all of its rules or by some, and nothing to push sideways for. */
async function looksRight(page: Page, one: PageCase, look: { name: string; rules: string[] | null }): Promise<void> {
  if (look.rules?.length !== 0) {
    expect(await violations(page, one.reference ? REFERENCE_PARTS : ['html'], look.rules)).toEqual([]);
  }
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await screenshot(page, one, look.name);
}

/** Everything that the console and the page's policy complain of; a refused page is one complaint of the browser itself. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => {
    // Whoever leaves a page that follows the feed ends its stream.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()}`);
  });
  return complaints;
}

async function violations(page: Page, include: readonly string[], rules: readonly string[] | null): Promise<string[]> {
  const asked = { resultTypes: ['violations'], ...(rules === null ? {} : { runOnly: [...rules] }) };
  const found = await page.evaluate(
    async ([where, how]) => {
      const { axe } = globalThis as unknown as {
        axe: {
          run(
            where: { include: readonly string[] },
            how: { resultTypes: string[]; runOnly?: string[] },
          ): Promise<{ violations: { id: string; help: string; nodes: { html: string }[] }[] }>;
        };
      };
      return (await axe.run(where, how)).violations;
    },
    [{ include }, asked] as const,
  );
  return found.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html).join(' ')}`);
}

/** How far the page can be pushed sideways; wide tables scroll by themselves. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** The first stop of the keyboard leads past the navigation. */
async function skipsByKeyboard(page: Page): Promise<void> {
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Skip to /);
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
}

async function screenshot(page: Page, { name }: PageCase, look: string): Promise<void> {
  if (SCREENSHOTS_TO) await page.screenshot({ path: join(SCREENSHOTS_TO, `${name}-${look}.png`) });
}
