import type { PageCases } from '../case.ts';
import { press } from '../keyboard.ts';

/** Trials of the sample corpus: one in both registries, with fields that differ, and one with a rejected link. */
const BOTH = 'wt_4jctfhhskd8v';
const REJECTED = 'wt_d5hkcn7x74q2';

export const TRIAL_CASES: PageCases = {
  'trial-both-registries': {
    path: () => `/trials/${BOTH}`,
    async act(page) {
      for (const folded of ['accepted and rejected', 'What these rules say']) {
        await press(page, page.getByText(folded));
      }
      await page.getByText('✓ accepted').first().waitFor();
      await page.getByText('links that record to the').first().waitFor();
      await press(page, page.getByText('The numbers as a table').first());
      await page.getByRole('rowheader', { name: 'First posted' }).first().waitFor();
    },
  },
  'trial-sites': { isState: true, path: () => `/trials/${BOTH}?part=sites` },
  'trial-comparison': { path: () => `/trials/${BOTH}/compare` },
  'trial-comparison-field': { isState: true, path: () => `/trials/${BOTH}/compare?field=sites` },
  'trial-rejected-link': { isState: true, path: () => `/trials/${REJECTED}?part=evidence` },
  'trial-raw': {
    isState: true,
    path: () => `/trials/${BOTH}?raw=true`,
    shows: () => ['What was received', 'Payload of'],
  },
  'trial-unknown': { isState: true, path: () => '/trials/NCT99999999' },
};
