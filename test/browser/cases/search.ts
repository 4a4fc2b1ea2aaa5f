import { expect } from 'vitest';
import type { PageCase } from '../case.ts';

export const SEARCH_CASES: readonly PageCase[] = [
  {
    name: 'trials',
    path: () => '/trials?q=diabetes',
    async act(page) {
      // A phone folds the filters.
      const filters = page.getByText('Narrow by country, status, phase');
      await filters.focus();
      await page.keyboard.press('Enter');
      const narrow = page.getByRole('complementary').getByRole('link', { name: /^Completed [\d,]+$/ });
      await narrow.focus();
      await page.keyboard.press('Enter');
      const chip = page.getByRole('link', { name: 'Remove Status: Completed' });
      await chip.waitFor();
      expect(new URL(page.url()).search).toBe('?q=diabetes&status=completed');
      await chip.focus();
      await page.keyboard.press('Enter');
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
  {
    name: 'trials-table',
    isState: true,
    path: () => '/trials?view=table&sort=enrollment',
    shows: () => ['Most people first', 'trials found'],
    async act(page) {
      const order = page.locator('summary', { hasText: 'Most people first' });
      await order.focus();
      await page.keyboard.press('Enter');
      const start = page.getByRole('link', { name: 'Latest start first' });
      await start.focus();
      await page.keyboard.press('Enter');
      await page.waitForURL('**/trials?sort=start&view=table');
    },
  },
  {
    name: 'trials-none',
    isState: true,
    path: () => '/trials?q=zyzzyva&status=completed',
  },
  {
    name: 'trials-concepts',
    isState: true,
    path: () => '/trials?q=T1D&match=concepts',
  },
  {
    name: 'trials-named-filters',
    isState: true,
    path: () => '/trials?q=completed+trials+in+the+UK',
    async act(page) {
      await page.getByRole('link', { name: 'Read as: status Completed, country United Kingdom' }).focus();
      await page.keyboard.press('Enter');
      await page.waitForURL('**/trials?status=completed&country=United+Kingdom');
      await page.getByText('Country: United Kingdom').waitFor();
    },
  },
  {
    name: 'trials-refused',
    isState: true,
    path: () => '/trials?startedAfter=yesterday',
  },
  {
    name: 'trials-by-country',
    path: () => '/trials/by/country?status=completed',
  },
  {
    name: 'sponsors',
    path: () => '/sponsors',
    async act(page) {
      await page.getByRole('searchbox').fill('university');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/sponsors/university');
    },
  },
  {
    name: 'sponsor',
    path: () => '/sponsors/university',
  },
  { name: 'conditions', path: () => '/conditions' },
  {
    name: 'condition',
    path: () => '/conditions/Asthma',
    async act(page) {
      const numbers = page.getByText('The numbers as a table');
      await numbers.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('table', { name: 'Trials by year of start and phase' }).waitFor();
    },
  },
  { name: 'countries', path: () => '/countries' },
  {
    name: 'country',
    path: () => '/countries/United%20Kingdom',
  },
  {
    name: 'country-unknown',
    isState: true,
    path: () => '/countries/Germoney',
  },
];
