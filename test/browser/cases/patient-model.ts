import { expect } from 'vitest';
import type { PageCase } from '../case.ts';

export const PATIENT_MODEL_CASES: readonly PageCase[] = [
  {
    name: 'patient-model',
    path: () => '/patient-model',
    shows: () => ['This page takes no data about a person.', 'The keys of the inventory', 'Open tasks'],
    act: async (page) => {
      await page.locator('a[href="#reference-ramzy-2021"]').focus();
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => location.hash === '#reference-ramzy-2021');
      expect(await page.locator('#reference-ramzy-2021').isVisible()).toBe(true);
    },
  },
  {
    name: 'patient-model-refused',
    isState: true,
    path: () => '/patient-model?clinical=available',
    shows: () => ['INVALID_PARAM', 'nothing of it was kept'],
  },
];
