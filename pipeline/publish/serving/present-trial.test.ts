import { expect, it } from 'vitest';
import { presentTrial } from './present-trial.ts';
import type { RegistrationRow, TrialParts } from './trial-parts.ts';

it('writes the text on eligibility, which comes as JSON, as every other text is written', () => {
  const eligibilityOf = (eligibility: string | null): string => {
    const record = { id: 'NCT00000001', registry: 'clinicaltrials_gov', aliases: [], retrievedAt: '2026-11-20' };
    const common = { title: 'T', dates: { lastUpdated: null } };
    const row = { ...record, common, own: {}, eligibility } as unknown as RegistrationRow;
    const trial = { canonical_id: 'wt_a', aliases: [] };
    const parts: TrialParts = {
      row: 0,
      trial,
      merged: row.common,
      registrations: [row],
      identifiers: [],
      links: [],
      relations: [],
      publications: [],
      superseded: [],
    };
    return presentTrial(parts).eligibility;
  };
  expect(eligibilityOf('"a\\u001Fb \\\\u001F\\n"')).toBe(JSON.stringify('a\u001fb \\u001F\n'));
  expect(eligibilityOf(null)).toBe('null');
});
