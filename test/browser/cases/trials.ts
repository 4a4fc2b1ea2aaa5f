import { expect } from 'vitest';
import type { PageCase } from '../case.ts';

/** Trials of the sample corpus: one in both registries, with fields that differ, and one with a rejected link. */
const BOTH = 'wt_4jctfhhskd8v';
const REJECTED = 'wt_d5hkcn7x74q2';

export const TRIAL_CASES: readonly PageCase[] = [
  {
    name: 'trials',
    path: () => '/trials?q=diabetes',
    shows: () => ['trials found', 'Applied filters', 'Words: diabetes', 'Narrow by', 'Status and phase'],
    async act(page) {
      const narrow = page.getByRole('complementary').getByRole('link', { name: 'Completed', exact: true });
      await narrow.focus();
      await page.keyboard.press('Enter');
      const chip = page.getByRole('link', { name: 'Remove the filter Status: Completed' });
      await chip.waitFor();
      expect(new URL(page.url()).search).toBe('?q=diabetes&status=completed');
      await chip.focus();
      await page.keyboard.press('Enter');
      await chip.waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).toBe('?q=diabetes');
      await page.getByRole('searchbox').fill('asthma');
      await page.getByRole('checkbox', { name: 'Match by concepts' }).focus();
      await page.keyboard.press('Space');
      await page.keyboard.press('Enter');
      await page.getByText('Words: asthma').waitFor();
      expect(new URL(page.url()).searchParams.get('match')).toBe('concepts');
    },
  },
  {
    name: 'trials-none',
    isState: true,
    path: () => '/trials?q=zyzzyva&status=completed',
    shows: () => ['0 trials found', 'No trial of this index matches all of this'],
  },
  {
    name: 'trials-concepts',
    isState: true,
    path: () => '/trials?q=T1D&match=concepts',
    shows: () => ['20 trials by concepts', 'Matched: “T1D” means Diabetes Mellitus, Type 1'],
  },
  {
    name: 'trials-near',
    isState: true,
    path: () => '/trials?q=diabetis+OR+asthma&status=completed',
    shows: () => ['What finds more', 'Near spellings', 'q takes no operators (OR)', 'By concepts'],
  },
  {
    name: 'trials-refused',
    isState: true,
    path: () => '/trials?startedAfter=yesterday',
    shows: () => ['INVALID_PARAM', 'Expected a calendar day as YYYY-MM-DD'],
  },
  {
    name: 'trial-both-registries',
    path: () => `/trials/${BOTH}`,
    shows: () => [
      'Who can take part',
      'Timeline',
      'Compare every field of the registrations',
      'shown above',
      'Why these registrations are one trial',
      'What agents wrote',
      'Address to keep',
    ],
    async act(page) {
      for (const folded of ['accepted and rejected', 'What these rules say']) {
        await page.getByText(folded).focus();
        await page.keyboard.press('Enter');
      }
      await page.getByText('✓ accepted').first().waitFor();
      await page.getByText('links that record to the').first().waitFor();
      await page.getByText('The numbers as a table').first().focus();
      await page.keyboard.press('Enter');
      await page.getByRole('rowheader', { name: 'First posted' }).first().waitFor();
    },
  },
  {
    name: 'trial-sites',
    isState: true,
    path: () => `/trials/${BOTH}?part=sites`,
    shows: () => ['The whole trial', 'Where it takes place', 'Every site by name'],
  },
  {
    name: 'trial-comparison',
    path: () => `/trials/${BOTH}/compare`,
    shows: () => ['What differs', 'Stated by one registry', 'Not stated at all'],
  },
  {
    name: 'trial-comparison-field',
    isState: true,
    path: () => `/trials/${BOTH}/compare?field=sites`,
    shows: () => ['Every field of the registrations'],
  },
  {
    name: 'trial-rejected-link',
    isState: true,
    path: () => `/trials/${REJECTED}?part=evidence`,
    shows: () => ['✗ rejected', 'Related trials'],
  },
  {
    name: 'trial-raw',
    isState: true,
    path: () => `/trials/${BOTH}?raw=true`,
    shows: () => ['What was received', 'Payload of'],
  },
  {
    name: 'trial-unknown',
    isState: true,
    path: () => '/trials/NCT99999999',
    shows: () => ['No such trial', 'The address of a trial takes'],
  },
];
