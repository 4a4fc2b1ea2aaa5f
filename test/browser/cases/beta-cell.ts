import { expect } from 'vitest';
import type { PageCases } from '../case.ts';
import { press } from '../keyboard.ts';

/** The model's form: empty, run on the built-in data, run on custom data, and refused; the patient model. */
export const BETA_CELL_CASES: PageCases = {
  'beta-cell-form': {
    path: () => '/beta-cell',
    act: async (page) => {
      await page.getByLabel('Recovery rate r').focus();
      await page.keyboard.press('Control+A');
      await page.keyboard.type('0.25');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'A run of the cited data' }).waitFor();
      expect(new URL(page.url()).searchParams.get('recoveryRate')).toBe('0.25');
      expect(await page.getByLabel('Recovery rate r').inputValue()).toBe('0.25');
    },
  },
  'beta-cell-result': {
    path: () => '/beta-cell?dataset=clver',
    act: async (page) => {
      const smallest = await page.evaluate(() => {
        const sizes = [...document.querySelectorAll('figure svg text')].map((text) => {
          const svg = text.closest('svg')!;
          return (
            (Number.parseFloat(getComputedStyle(text).fontSize) * svg.getBoundingClientRect().width) /
            svg.viewBox.baseVal.width
          );
        });
        return Math.min(...sizes);
      });
      expect(smallest).toBeGreaterThanOrEqual(10);
    },
  },
  'beta-cell-refused': {
    isState: true,
    path: () =>
      '/beta-cell?dataset=custom&recoveryRate=9&id=ab&control=0+0.6%0D%0A13+much%0D%0A26&comparator=0+0.6%0D%0A13+0.7',
    act: async (page) => {
      await press(page, page.getByRole('alert').getByRole('link', { name: 'Control arm: visits' }));
      expect(new URL(page.url()).hash).toBe('#control');
      expect(await page.locator('#control').inputValue()).toBe('0 0.6\n13 much\n26');
    },
  },
  'patient-model': {
    path: () => '/patient-model',
    shows: () => ['This page takes no data about a person.', 'What kinds of data a model would need', 'Open tasks'],
    act: async (page) => {
      const link = page.locator('a[href="#reference-ramzy-2021"]').first();
      await press(page, page.locator('details', { has: link }).locator('summary'));
      await press(page, link);
      await page.waitForFunction(() => location.hash === '#reference-ramzy-2021');
      expect(await page.locator('#reference-ramzy-2021').isVisible()).toBe(true);
    },
  },
  'patient-model-refused': { isState: true, path: () => '/patient-model?clinical=available' },
};
