import type { Download, Locator, Page } from 'playwright-core';

/** More stops than any page of an errand has before what is wanted. */
const MOST_STOPS = 400;

/** Presses Tab until an element has the focus, as a reader without a mouse does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`no Tab reaches ${target}`);
}

/** Goes to a link by Tab and follows it by Enter to a page of this path. */
export async function follow(page: Page, link: Locator, path: RegExp | string): Promise<void> {
  await tabTo(page, link);
  await enter(page, path);
}

/** Presses Enter on what has the focus, and waits for the page of this path. */
export async function enter(page: Page, path: RegExp | string): Promise<void> {
  const arrived = page.waitForURL((url) => {
    const reached = url.pathname + url.search;
    return typeof path === 'string' ? reached === path : path.test(reached);
  });
  await page.keyboard.press('Enter');
  await arrived;
}

/** Goes to a link by Tab, presses Enter, and gives the file that the browser saves. */
export async function take(page: Page, link: Locator): Promise<Download> {
  await tabTo(page, link);
  const [saved] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  return saved;
}

/** Presses Enter on an element that is found at once, where the way to it by Tab is not the point. */
export async function press(page: Page, target: Locator): Promise<void> {
  await target.focus();
  await page.keyboard.press('Enter');
}

/** Opens what a summary folds. */
export async function unfold(page: Page, summary: Locator): Promise<void> {
  await tabTo(page, summary);
  await page.keyboard.press('Enter');
}
