import { expect } from 'vitest';
import type { PageCase } from '../case.ts';

export const SEARCH_CASES: readonly PageCase[] = [
  {
    name: 'trials',
    path: () => '/trials?q=diabetes',
    shows: () => ['trials found', 'Showing only', 'Words: diabetes', 'Take away', 'Newest update first'],
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
    shows: () => ['0 trials found', 'No trial held here matches all of this', 'What finds more'],
  },
  {
    name: 'trials-concepts',
    isState: true,
    path: () => '/trials?q=T1D&match=concepts',
    shows: () => ['20 trials found', 'Also searched', 'Found by: its'],
  },
  {
    name: 'trials-named-filters',
    isState: true,
    path: () => '/trials?q=completed+trials+in+the+UK',
    shows: () => ['Read as: status Completed, country United Kingdom'],
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
    shows: () => ['The search did not run', 'Write a date as year, month and day'],
  },
  {
    name: 'trials-by-country',
    path: () => '/trials/by/country?status=completed',
    shows: () => ['Trials by country', 'Find among these countries'],
  },
  {
    name: 'sponsors',
    path: () => '/sponsors',
    shows: () => ['Name of a sponsor'],
    async act(page) {
      await page.getByRole('searchbox').fill('university');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/sponsors/university');
    },
  },
  {
    name: 'sponsor',
    path: () => '/sponsors/university',
    shows: () => ['Phases over time', 'Newest trials', 'Results'],
  },
  { name: 'conditions', path: () => '/conditions', shows: () => ['Topics', 'Name of a condition'] },
  {
    name: 'condition',
    path: () => '/conditions/Asthma',
    shows: () => [
      'by any of its names or as a narrower kind',
      'Phases over time',
      'trials whose results were due have none posted',
    ],
    async act(page) {
      const numbers = page.getByText('The numbers as a table');
      await numbers.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('table', { name: 'Trials by year of start and phase' }).waitFor();
    },
  },
  { name: 'countries', path: () => '/countries', shows: () => ['Name or code of a country'] },
  {
    name: 'country',
    path: () => '/countries/United%20Kingdom',
    shows: () => ['Phases over time', 'What kinds of trials', 'Take away'],
  },
  {
    name: 'country-unknown',
    isState: true,
    path: () => '/countries/Germoney',
    shows: () => ['No such country here', 'Near names'],
  },
];
