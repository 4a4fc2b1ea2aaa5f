import { expect } from 'vitest';
import type { PageCase } from '../case.ts';

export const SIGNAL_CASES: readonly PageCase[] = [
  {
    name: 'signals',
    path: () => '/signals',
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
  },
  {
    name: 'signals-refused',
    isState: true,
    path: () => '/signals?days=900&disease=islets',
    act: async (page) => {
      const field = page.getByLabel('Days', { exact: true });
      expect(await field.getAttribute('aria-invalid')).toBe('true');
    },
  },
];
