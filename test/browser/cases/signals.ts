import { expect } from 'vitest';
import type { PageCase } from '../case.ts';

export const SIGNAL_CASES: readonly PageCase[] = [
  {
    name: 'signals',
    path: () => '/signals',
    shows: () => ['What research gets', 'How much is published', 'Curated research', 'The feeds'],
    act: async (page) => {
      await page.getByLabel('Keyword').focus();
      await page.keyboard.type('diabetes');
      await page.keyboard.press('Enter');
      await page.waitForURL(/disease=diabetes/);
      expect(await page.getByLabel('Keyword').inputValue()).toBe('diabetes');
    },
  },
  {
    name: 'signals-research',
    path: () => '/signals/research',
    shows: () => ['Published work on restoring', 'Running trials, beside the index'],
  },
  {
    name: 'signals-refused',
    isState: true,
    path: () => '/signals?days=900&disease=islets',
    shows: () => ['expected a whole number from 1 to 120'],
    act: async (page) => {
      const field = page.getByLabel('Days', { exact: true });
      expect(await field.getAttribute('aria-invalid')).toBe('true');
    },
  },
];
