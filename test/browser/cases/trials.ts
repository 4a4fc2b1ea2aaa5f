import type { PageCase } from '../case.ts';

/** Trials of the sample corpus: one in both registries, with fields that differ, and one with a rejected link. */
const BOTH = 'wt_4jctfhhskd8v';
const REJECTED = 'wt_d5hkcn7x74q2';

export const TRIAL_CASES: readonly PageCase[] = [
  {
    name: 'trial-both-registries',
    path: () => `/trials/${BOTH}`,
    shows: () => [
      'Who can take part',
      'Compare every field of the registrations',
      'Where it came from',
      '≠ differs',
      '✓ accepted',
      'Permanent address',
    ],
    async act(page) {
      const rules = page.getByText('What these rules say');
      await rules.focus();
      await page.keyboard.press('Enter');
      await page.getByText('links that record to the').first().waitFor();
    },
  },
  {
    name: 'trial-comparison',
    path: () => `/trials/${BOTH}/compare`,
    shows: () => ['What differs', 'Stated by one registry', 'Not stated at all'],
  },
  {
    name: 'trial-rejected-link',
    isState: true,
    path: () => `/trials/${REJECTED}`,
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
    shows: () => ['No such trial', 'TRIAL_NOT_FOUND', 'The address of a trial takes'],
  },
];
