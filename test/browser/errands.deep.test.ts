import { pino } from 'pino';
import type { Browser, BrowserContextOptions, Download, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openIndexServices } from '../../index-server/services.ts';
import { Database } from '../../pipeline/store/database.ts';
import { chromiumPath, launchChromium, openPage } from '../support/chromium.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';
import { enter, follow, tabTo, take, unfold } from './keyboard.ts';

/**
 * A journalist comes to the first page with a question and leaves with a figure: each step by the keyboard alone, and
 * without script. The figures are those of the sample.

 */

const LOOKS: readonly [name: string, options: BrowserContextOptions][] = [
  ['on a desktop', { viewport: { width: 1280, height: 900 } }],
  ['on a phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
];
const executable = chromiumPath();

describe.skipIf(executable === null)('an errand in Chromium', () => {
  let browser: Browser;
  let index: Awaited<ReturnType<typeof openIndexServices>>;
  let origin: TestOrigin;
  let db: Database;
  beforeAll(async () => {
    index = await openIndexServices(inject('sampleSnapshots'), pino({ level: 'silent' }));
    [browser, origin, db] = await Promise.all([
      launchChromium(executable!),
      openOrigin({ index }),
      Database.open(':memory:'),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await db?.close();
    await origin?.[Symbol.asyncDispose]();
    await index?.[Symbol.asyncDispose]();
  });

  /** Opens the first page in a browser of its own and runs the errand. */
  async function errand(options: BrowserContextOptions, run: (page: Page) => Promise<void>): Promise<void> {
    const page = await openPage(browser, options);
    try {
      await page.goto(origin.url);
      await run(page);
    } finally {
      await page.context().close();
    }
  }

  it.each(LOOKS)('%s gives a journalist a share to quote, its list and its chart', async (_, look) => {
    await errand({ ...look, javaScriptEnabled: false }, async (page) => {
      await follow(page, page.getByRole('link', { name: 'See who has not reported' }), '/results-gap');
      await unfold(page, page.getByText('Choose trials and clock'));
      await tabTo(page, page.getByRole('combobox', { name: 'Disease' }));
      await page.keyboard.type('Diabetes');
      await tabTo(page, page.getByRole('button', { name: 'Count' }));
      await enter(page, '/results-gap?topic=diabetes');

      const quote = await page.locator('.lead').textContent();
      expect(quote).toContain('16 of 27 completed interventional trials (topic: Diabetes) (59.3 %) had no results');
      expect(quote).toContain('18 months or more after their primary completion');
      const chart = '/charts/results-gap.svg?topic=diabetes&by=disease&pageSize=5';
      const picture = page.waitForResponse((answer) => answer.url().endsWith(chart));
      await follow(page, page.getByRole('link', { name: /^SVG ?: Trials whose results were due/ }), chart);
      expect((await picture).headers()['content-type']).toContain('image/svg+xml');
      expect(await (await picture).text()).toContain('Diabetes: 16 of 27 without posted results');
      await page.goBack();
      await unfold(page, page.getByText('Definition, what is left out'));
      expect(await page.locator('#counts + details').textContent()).toContain(
        'without results posted on the registry (numerator)',
      );

      await page.goto(page.url());
      await follow(
        page,
        page.getByRole('link', { name: '27', exact: true }).first(),
        '/trials?topic=diabetes&resultsDue=true',
      );
      expect(await foundBy(page)).toBe('27 trials found');
      await page.goBack();
      await follow(
        page,
        page.getByRole('link', { name: '16', exact: true }).first(),
        '/trials?topic=diabetes&resultsGap=true',
      );
      expect(await foundBy(page)).toBe('16 trials found');
      const file = await take(page, page.getByRole('link', { name: 'CSV', exact: true }));
      const { headings, rows } = await readCsv(file);
      expect(rows).toBe(16);
      expect(headings.slice(0, 2)).toEqual(['Trial', 'ClinicalTrials.gov number']);
      expect(headings.at(-1)).toMatch(
        /Number of distinct trials: 16,.*snapshot \d{8}T.*topic = diabetes, resultsGap = true.*licence/,
      );
    });
  });

  /** The rows of a CSV file, as a program reads them that knows nothing of this one. */
  async function readCsv(file: Download): Promise<{ headings: string[]; rows: number }> {
    const form = `header = true, all_varchar = true, quote = '"', escape = '"', delim = ','`;
    const rows = await db.all(`FROM read_csv('${await file.path()}', ${form})`);
    return { headings: Object.keys(rows[0] ?? {}), rows: rows.length };
  }
});

/** The headline of a search. */
function foundBy(page: Page): Promise<string | null> {
  return page.locator('#found').textContent();
}
