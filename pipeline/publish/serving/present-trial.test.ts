import { expect, it } from 'vitest';
import { presentTrial } from './present-trial.ts';
import type { RegistrationRow, TrialParts } from './trial-parts.ts';

it('writes the text on eligibility, which comes as JSON, as every other text is written', () => {
  const lists = {
    aliases: [],
    countries: [],
    countries_raw: [],
    conditions: [],
    interventions: [],
    primary_endpoints: [],
  };
  const eligibilityOf = (eligibility: string | null): string => {
    const registration = { ...lists, id: 'NCT00000001', registry: 'clinicaltrials_gov', retrieved_at: '2026-11-20' };
    const row = { ...registration, title: 'T', last_updated_date: null, eligibility } as unknown as RegistrationRow;
    const trial = { canonical_id: 'wt_a', aliases: [] };
    const parts: TrialParts = {
      row: 0,
      trial,
      merged: row,
      registrations: [row],
      identifiers: [],
      links: [],
      relations: [],
    };
    return presentTrial(parts).eligibility;
  };
  expect(eligibilityOf('"a\\u001Fb \\\\u001F\\n"')).toBe(JSON.stringify('a\u001fb \\u001F\n'));
  expect(eligibilityOf(null)).toBe('null');
});
