import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { pino } from 'pino';
import type { Browser, BrowserContextOptions, Download, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openIndexServices } from '../../index-server/services.ts';
import { Database } from '../../pipeline/store/database.ts';
import { chromiumPath, launchChromium, openPage } from '../support/chromium.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';
import { enter, follow, tabTo, take, unfold } from './keyboard.ts';

/**
 * Three people come to the first page with a question and leave with a figure: each step by the keyboard alone, and
 * without script wherever a page works without it. The figures are those of the sample.
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

  it.each(LOOKS)('%s gives an auditor the payload behind a number, and a proof', async (_, look) => {
    let [canonicalId, proof] = ['', ''];
    await errand({ ...look, javaScriptEnabled: false }, async (page) => {
      await follow(page, page.getByRole('link', { name: '50', exact: true }).first(), '/trials?inBoth=true');
      expect(await foundBy(page)).toBe('50 trials found');
      await follow(page, page.locator('#found ~ * a[href^="/trials/wt_"]').first(), /^\/trials\/wt_/);
      const evidence = page.locator('section[aria-labelledby="evidence"]');
      await unfold(page, evidence.locator('summary').first());
      const why = await evidence.textContent();
      expect(why).toContain('Registrations are joined only by identifiers that the registries state');
      expect(why).toContain('shared-euct');

      // Each registry's record, by the command as it stands: its address, its registration, and the hash beside it.
      const received = page.locator('section[aria-labelledby="proof"] details').filter({ hasText: ', received ' });
      expect(await received.count()).toBe(2);
      for (const one of await received.all()) {
        await unfold(page, one.locator('summary'));
        const command = await one.locator('pre code').textContent();
        const [, address, registration] = COMMAND.exec(command ?? '')!;
        const { data } = (await (await fetch(address!)).json()) as { data: { raw: Received[] } };
        const { payload } = data.raw.find((raw) => raw.registration === registration)!;
        expect(hash('sha256', payload)).toBe(await one.locator('code[data-copy]').textContent());
      }
      const saved = await take(page, page.getByRole('link', { name: 'Download the proof' }));
      canonicalId = new URL(page.url()).pathname.slice('/trials/'.length);
      expect(saved.suggestedFilename()).toBe(`proof-${canonicalId}.json`);
      proof = await readFile(await saved.path(), 'utf8');
    });
    // The check itself is a script; from here the reader cuts the network.
    await errand(look, async (page) => {
      await follow(page, page.getByRole('contentinfo').getByRole('link', { name: 'Verify a proof' }), '/verify');
      await page.getByText('Nothing was checked yet.').waitFor();
      await page.context().setOffline(true);
      await tabTo(page, page.getByLabel('The file'));
      // The file is given as the chooser of the system would: a chooser that is opened by a key stays open in some runs.
      await page
        .getByLabel('The file')
        .setInputFiles({ name: 'proof.json', mimeType: 'application/json', buffer: Buffer.from(proof) });
      await page.getByText('CONSISTENT IN ITSELF, origin not proven', { exact: true }).waitFor();
      await page.getByText(`held the trial "${canonicalId}"`).waitFor();
    });
  });

  /** The rows of a CSV file, as a program reads them that knows nothing of this one. */
  async function readCsv(file: Download): Promise<{ headings: string[]; rows: number }> {
    const form = `header = true, all_varchar = true, quote = '"', escape = '"', delim = ','`;
    const rows = await db.all(`FROM read_csv('${await file.path()}', ${form})`);
    return { headings: Object.keys(rows[0] ?? {}), rows: rows.length };
  }
});

/** The command that a trial's page prints for the hash of a record as received. */
const COMMAND =
  /^curl -s '([^']+)' \| jq -j '\.data\.raw\[\] \| select\(\.registration == "(\w+)"\) \| \.payload' \| sha256sum$/;

interface Received {
  registration: string;
  payload: string;
}

/** The headline of a search. */
function foundBy(page: Page): Promise<string | null> {
  return page.locator('#found').textContent();
}
