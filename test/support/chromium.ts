import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import CHROMIUM_PLACES from '../../tools/chromium.json' with { type: 'json' };

/** A Chromium of this machine; null where there is none. */
export function chromiumPath(): string | null {
  return CHROMIUM_PLACES.find((path) => existsSync(path)) ?? null;
}

export const NO_CHROMIUM = `no Chromium at ${CHROMIUM_PLACES.join(', ')}: \`npm run test:browser-setup\` installs it`;

/** Files that test in Chromium; browser-note.ts names those that a run skipped. */
export const BROWSER_FILES: readonly string[] = [
  'test/browser/errands.deep.test.ts',
  'test/browser/hostile.deep.test.ts',
  'test/browser/live.deep.test.ts',
  'test/browser/pages.deep.test.ts',
  'test/kits/sdk-runtimes.deep.test.ts',
];

export function launchChromium(executablePath: string): Promise<Browser> {
  // Its own sandbox needs privileges that containers do not give; it only ever opens pages of this test.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'], timeout: 0 });
}

/** Far longer than a busy machine takes to show a part of a page; what is not there then is missing. */
const WAIT_MS = 120_000;

/** A page whose waits end after two minutes, so that a missing part is named long before the test's time limit. */
export async function openPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(WAIT_MS);
  return context.newPage();
}
