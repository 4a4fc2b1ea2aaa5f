import { expect } from 'vitest';
import type { PageCases } from '../case.ts';
import { press } from '../keyboard.ts';

export const SEARCH_CASES: PageCases = {
  trials: {
    path: () => '/trials?q=diabetes',
    async act(page) {
      // A phone folds the filters.
      const filters = page.getByText('Narrow by country, status, phase');
      await press(page, filters);
      const narrow = page.getByRole('complementary').getByRole('link', { name: /^Completed [\d,]+$/ });
      await press(page, narrow);
      const chip = page.getByRole('link', { name: 'Remove Status: Completed' });
      await chip.waitFor();
      expect(new URL(page.url()).search).toBe('?q=diabetes&status=completed');
      await press(page, chip);
      await chip.waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).toBe('?q=diabetes');
      await page.getByRole('searchbox').fill('asthma');
      await page.getByRole('checkbox', { name: 'Also find other names and narrower kinds' }).focus();
      await page.keyboard.press('Space');
      await page.keyboard.press('Enter');
      await page.getByText('Words: asthma').waitFor();
      expect(new URL(page.url()).search).toBe('?q=asthma&match=concepts');
    },
  },
  'trials-table': {
    isState: true,
    path: () => '/trials?view=table&sort=enrollment',
    shows: () => ['Most people first', 'trials found'],
    async act(page) {
      const order = page.locator('summary', { hasText: 'Most people first' });
      await press(page, order);
      const start = page.getByRole('link', { name: 'Latest start first' });
      await press(page, start);
      await page.waitForURL('**/trials?sort=start&view=table');
    },
  },
  'trials-none': { isState: true, path: () => '/trials?q=zyzzyva&status=completed' },
  'trials-concepts': { isState: true, path: () => '/trials?q=T1D&match=concepts' },
  'trials-named-filters': {
    isState: true,
    path: () => '/trials?q=completed+trials+in+the+UK',
    async act(page) {
      await press(page, page.getByRole('link', { name: 'Read as: status Completed, country United Kingdom' }));
      await page.waitForURL('**/trials?status=completed&country=United+Kingdom');
      await page.getByText('Country: United Kingdom').waitFor();
    },
  },
  'trials-refused': { isState: true, path: () => '/trials?startedAfter=yesterday' },
  'trials-by-country': { path: () => '/trials/by/country?status=completed' },
  sponsors: {
    path: () => '/sponsors',
    async act(page) {
      await page.getByRole('searchbox').fill('university');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/sponsors/university');
    },
  },
  sponsor: { path: () => '/sponsors/university' },
  conditions: { path: () => '/conditions' },
  condition: {
    path: () => '/conditions/Asthma',
    async act(page) {
      const numbers = page.getByText('The numbers as a table');
      await press(page, numbers);
      await page.getByRole('table', { name: 'Trials by year of start and phase' }).waitFor();
    },
  },
  countries: { path: () => '/countries' },
  country: { path: () => '/countries/United%20Kingdom' },
  'country-unknown': { isState: true, path: () => '/countries/Germoney' },
};
