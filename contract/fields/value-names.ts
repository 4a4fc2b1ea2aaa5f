import { TOPIC_TITLES } from '../declared/topics.ts';
import type { RegistryId } from '../ids.ts';

/** Values of closed vocabularies in people's words. */

export const REGISTRY_NAMES: Record<RegistryId, string> = {
  clinicaltrials_gov: 'ClinicalTrials.gov',
  isrctn: 'ISRCTN registry',
};

const VALUE_NAMES: Record<string, string> = {
  ...REGISTRY_NAMES,
  ...TOPIC_TITLES,
  'early-1': 'Early phase 1',
  '1': 'Phase 1',
  '1-2': 'Phase 1/2',
  '2': 'Phase 2',
  '2-3': 'Phase 2/3',
  '3': 'Phase 3',
  '3-4': 'Phase 3/4',
  '4': 'Phase 4',
  active_not_recruiting: 'Active, not recruiting',
  mrna: 'mRNA',
  nih: 'NIH',
  'protein-peptide': 'Protein or peptide',
  true: 'Yes',
  false: 'No',
};

/** One value of a closed vocabulary. */
export function named(value: string): string {
  if (Object.hasOwn(VALUE_NAMES, value)) return VALUE_NAMES[value]!;
  const words = value.replaceAll(/[_-]/g, ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** How an answer begins to say that registries of a country are not held. */
export const ABROAD = 'Other registries of';
