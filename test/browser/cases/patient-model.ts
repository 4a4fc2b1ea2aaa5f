import { expect } from 'vitest';
import type { PageCase } from '../case.ts';

export const PATIENT_MODEL_CASES: readonly PageCase[] = [
  {
    name: 'patient-model',
    path: () => '/patient-model',
    shows: () => ['This page takes no data about a person.', 'What kinds of data a model would need', 'Open tasks'],
    act: async (page) => {
      const link = page.locator('a[href="#reference-ramzy-2021"]').first();
      await page.locator('details', { has: link }).locator('summary').focus();
      await page.keyboard.press('Enter');
      await link.focus();
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => location.hash === '#reference-ramzy-2021');
      expect(await page.locator('#reference-ramzy-2021').isVisible()).toBe(true);
    },
  },
  {
    name: 'patient-model-refused',
    isState: true,
    path: () => '/patient-model?clinical=available',
  },
];
