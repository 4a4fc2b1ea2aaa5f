import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLAIM } from '../support/board/board-writes.ts';
import { chromiumPath, launchChromium, openPage } from '../support/chromium.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';

const executable = chromiumPath();

describe.skipIf(executable === null)('the live board in Chromium', () => {
  let browser: Browser;
  let origin: TestOrigin;
  beforeAll(async () => {
    [browser, origin] = await Promise.all([launchChromium(executable!), openOrigin()]);
  });
  afterAll(async () => {
    await browser?.close();
    await origin?.[Symbol.asyncDispose]();
  });

  const announce = async (scope: string): Promise<string> => {
    const { status, body } = await origin.send('/api/v1/claims', { ...CLAIM, scope });
    expect(status).toBe(201);
    return body.data.id;
  };

  async function inBoard(options: BrowserContextOptions, act: (page: Page) => Promise<void>) {
    const page = await openPage(browser, options);
    try {
      await page.goto(`${origin.url}/board`);
      await act(page);
    } finally {
      await page.context().close();
    }
  }

  const listening = (page: Page) => page.getByText('Live: what is new appears here by itself.').waitFor();

  it('shows a new claim without a reload, says so once, and leaves the reader where they are', async () => {
    const older = await announce('the slice that is being read');
    await inBoard({}, async (page) => {
      await listening(page);
      await page.locator(`#${older} h3 a`).focus();
      const newer = await announce('a slice that is announced meanwhile');
      await page.getByText('a slice that is announced meanwhile').waitFor();
      expect(await page.locator('#part-claims li').evaluateAll((items) => items.map(({ id }) => id))).toEqual([
        newer,
        older,
      ]);
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('the slice that is being read');
      expect(await page.locator('#live-state').textContent()).toMatch(
        /^Renewed at \d\d:\d\d:\d\d UTC: 1 event since this page was opened\.$/,
      );
      expect(await page.locator('#live-state').getAttribute('role')).toBe('status');
    });
  });

  it('is whole without script', async () => {
    await announce('read without script');
    await inBoard({ javaScriptEnabled: false }, async (page) => {
      await page.getByText('Reload the page to see what is new.').waitFor();
      await page.getByRole('link', { name: 'read without script' }).click();
      await page.getByRole('heading', { level: 1, name: 'Work announced: read without script' }).waitFor();
    });
  });
});
