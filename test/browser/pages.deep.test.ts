import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launchChromium, openPage } from '../support/chromium.ts';
import { amountOf } from '../support/runner/amount.ts';
import type { PageCase } from './case.ts';
import { PAGE_CASES } from './cases.ts';
import { openWorld, type World } from './world.ts';

const DESKTOP_LIGHT = { name: 'desktop-light', colorScheme: 'light', size: { width: 1280, height: 900 } } as const;
const PHONE_DARK = { name: 'phone-dark', colorScheme: 'dark', size: { width: 390, height: 844 } } as const;
/** The quick run opens a page of each room; test/pages/ reads the markup of all. The deep run opens every page and state. */
const SMOKE = ['home', 'trials', 'trial-both-registries', 'board', 'finding', 'snapshots'];
const CASES = amountOf({ quick: PAGE_CASES.filter(({ name }) => SMOKE.includes(name)), deep: PAGE_CASES });
/**
 * Rules of axe-core whose result depends on theme and size. The second look checks only these, and in the quick run
 * none.
 */
const LOOK_RULES = amountOf<string[]>({
  quick: [],
  deep: ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable'],
});
/** Size of a page without compression and pictures. */
const PAGE_MAX_BYTES = 100_000;
const REFERENCE_MAX_BYTES = 400_000;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Folder for a screenshot of every page in every look; when unset, none is made. */
const SCREENSHOTS_TO = process.env.SCREENSHOTS_TO;

const executable = chromiumPath();

describe.skipIf(executable === null)('in Chromium', () => {
  let browser: Browser;
  let world: World;
  /**
   * All cases share one page: a browser context for each would double the time, and the pages store nothing in the
   * browser.
   */
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

  it.for(CASES.map((one) => [one.name, one] as const))('%s is readable, sound and quiet', async ([, one]) => {
    const [first, second] = one.isState ? [PHONE_DARK] : [DESKTOP_LIGHT, PHONE_DARK];
    complaints.length = 0;
    await page.emulateMedia({ colorScheme: first!.colorScheme, forcedColors: null });
    await page.setViewportSize(first!.size);
    const answer = await page.goto(`${world.origin.url}${one.path(world)}`);
    for (const shown of one.shows?.(world) ?? []) await page.locator('main').getByText(shown).first().waitFor();
    const markup = await answer!.text();
    const bytes = Buffer.byteLength(markup.replaceAll(/<svg[\s\S]*?<\/svg>/g, ''));
    expect(bytes).toBeLessThan(one.reference ? REFERENCE_MAX_BYTES : PAGE_MAX_BYTES);
    await page.evaluate(AXE);
    await looksRight(page, one, { name: first!.name, rules: null });
    if (second) {
      await page.emulateMedia({ colorScheme: second.colorScheme });
      await page.setViewportSize(second.size);
      await looksRight(page, one, { name: second.name, rules: LOOK_RULES });
    }
    expect(await heightOf(page)).toBeLessThan(phoneMaxPx(one.path(world)));
    expect(await smallTargets(page)).toEqual([]);
    await skipsByKeyboard(page);
    await one.act?.(page, world);
    const expected = answer!.status() >= 400 ? 1 : 0;
    expect(complaints.filter((_, place) => place >= expected)).toEqual([]);
    expect(await keptBy(page)).toEqual([]);
  });
});

/** What a page left behind for the next page in the same browser. */
async function keptBy(page: Page): Promise<string[]> {
  const cookies = await page.context().cookies();
  const stored = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
  return [...cookies.map(({ name }) => name), ...stored];
}

/**
 * Expects that axe-core finds no violation, by all rules or by those given, and that the page does not scroll sideways.
 */
async function looksRight(page: Page, one: PageCase, look: { name: string; rules: string[] | null }): Promise<void> {
  if (look.rules?.length !== 0) {
    expect(await violations(page, ['html'], look.rules)).toEqual([]);
  }
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await screenshot(page, one, look.name);
}

/** Collects the errors of the console and of failed requests. For a refused page the browser itself logs one. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => {
    // Leaving a page that follows the feed aborts its stream.
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

function heightOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollHeight);
}

/** Nobody scrolls a phone for longer than this. Pages of long texts and of the reference are allowed more. */
const PHONE_MAX_PX = 6000;
const TALLER: readonly (readonly [path: RegExp, px: number])[] = [
  [/^\/trials\/(?!by\/)|^\/(about|docs\/errors.*|patient-model)$/, 8000],
  [/^\/(glossary|docs)$/, 12_000],
  [/^\/docs\//, 20_000],
];

function phoneMaxPx(path: string): number {
  return TALLER.find(([of]) => of.test(path.split('?')[0]!))?.[1] ?? PHONE_MAX_PX;
}

/** Links that stand alone in their place, and boxes to tick, that are smaller than a finger needs (WCAG 2.5.8). */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main :is(td, th, dd, li, p, h3) > a, main input')]
      .filter(
        ({ tagName, textContent, parentElement }) => tagName === 'INPUT' || parentElement!.textContent === textContent,
      )
      .filter((target) => {
        const { width, height } = target.getBoundingClientRect();
        return width > 0 && Math.min(width, height) < 23.9;
      })
      .map(({ outerHTML }) => outerHTML),
  );
}

/** How far the page scrolls sideways. Wide tables have a scroll bar of their own. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** The first tab stop is a link that skips the navigation. */
async function skipsByKeyboard(page: Page): Promise<void> {
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Skip to /);
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
}

async function screenshot(page: Page, { name }: PageCase, look: string): Promise<void> {
  if (SCREENSHOTS_TO) await page.screenshot({ path: join(SCREENSHOTS_TO, `${name}-${look}.png`) });
}
