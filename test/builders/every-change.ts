import type { CorpusSpec } from './working-database.ts';

const nct = (n: number) => `NCT0000000${n}`;
const isrctn = (n: number) => `ISRCTN0000000${n}`;

/** A number that the changed registration states. */
const stated = (value: string, role: string) => ({
  ...{ registry: 'clinicaltrials_gov', registration_id: nct(2), type: 'nct', value, role },
  ...{ field: 'secondaryIdInfos.id', raw_value: value, suspect: false, in_index: false },
});

/** Two corpora that follow each other, with a change of every kind between them. */
export const EVERY_CHANGE_BEFORE: CorpusSpec = {
  trials: [
    { canonicalId: 'wt_same00000000', members: [{ id: nct(1) }] },
    { canonicalId: 'wt_changed00000', members: [{ id: nct(2), title: 'Old <b>title</b>', enrollment_count: 10 }] },
    { canonicalId: 'wt_removed00000', members: [{ id: nct(3) }] },
    { canonicalId: 'wt_joins0000000', members: [{ id: nct(4) }] },
    { canonicalId: 'wt_merges000000', members: [{ id: isrctn(4) }] },
    { canonicalId: 'wt_parts0000000', members: [{ id: nct(5) }, { id: isrctn(5) }] },
  ],
  identifiers: [stated('NCT00000012', 'declared'), stated('NCT00000013', 'declared')],
  links: [{ link_id: 'ln_kept' }, { link_id: 'ln_lost', from_id: isrctn(5), to_id: nct(5) }, { link_id: 'ln_turned' }],
};
export const EVERY_CHANGE_AFTER: CorpusSpec = {
  trials: [
    { canonicalId: 'wt_same00000000', members: [{ id: nct(1), retrieved_at: '2030-01-01T00:00:00.000Z' }] },
    {
      canonicalId: 'wt_changed00000',
      members: [{ id: nct(2), title: 'New title', enrollment_count: 20, countries: ['Peru'], payload: '{"v":2}' }],
    },
    { canonicalId: 'wt_joins0000000', members: [{ id: nct(4) }, { id: isrctn(4) }] },
    { canonicalId: 'wt_parts0000000', members: [{ id: nct(5) }] },
    { canonicalId: 'wt_split0000000', members: [{ id: isrctn(5) }] },
    { canonicalId: 'wt_added0000000', members: [{ id: nct(6) }] },
  ],
  identifiers: [stated('NCT00000014', 'declared'), stated('NCT00000013', 'related')],
  formerIds: [
    ['wt_merges000000', 'alias', 'wt_joins0000000'],
    ['wt_removed00000', 'retired', null],
  ],
  links: [
    { link_id: 'ln_kept' },
    { link_id: 'ln_gained', from_id: isrctn(4), to_id: nct(4) },
    { link_id: 'ln_turned', verdict: 'rejected', reason: 'ambiguous' },
  ],
};
