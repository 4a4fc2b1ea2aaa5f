import type { RegistryId } from '../ids.ts';
import { PHASES, type SPONSOR_CLASSES } from '../vocabularies.ts';

/** The registries' own words for statuses, phases and classes of sponsors, as filters take them beside the words of this index. */

// Maps, because a caller's text such as `constructor` is a property of every plain object.
const DIGITS: ReadonlyMap<string, string> = new Map([
  ['I', '1'],
  ['II', '2'],
  ['III', '3'],
  ['IV', '4'],
]);
const PHASE_WORDS: ReadonlyMap<string, string> = new Map([
  ['NA', 'not-applicable'],
  ['NOTAPPLICABLE', 'not-applicable'],
  ['NOTSTATED', 'not-stated'],
  ['EARLY1', 'early-1'],
  ['0', 'early-1'],
]);

/** `PHASE1/PHASE2`, `Phase I/II` and `phase1|phase2` are 1-2, `EARLY_PHASE1` is early-1, `NA` is not-applicable. */
export function phaseAsked(text: string): string {
  if ((PHASES as readonly string[]).includes(text)) return text;
  const bare = text.toUpperCase().replaceAll(/PHASE|[\s_]/g, '');
  const parts = bare.split(/[/|+-]/).map((part) => DIGITS.get(part) ?? part);
  return PHASE_WORDS.get(parts.join('')) ?? parts.join('-');
}

/** ISRCTN's words that differ by more than capitals and blanks. */
const STATUS_WORDS: ReadonlyMap<string, string> = new Map([
  ['ongoing', 'running'],
  ['stopped', 'terminated'],
  ['no_longer_recruiting', 'active_not_recruiting'],
]);

/** `RECRUITING`, `Active, not recruiting` and `Not yet recruiting` are this index's words in other spellings. */
export function statusAsked(text: string): string {
  const word = text.toLowerCase().replaceAll(/[\s,_-]+/g, '_');
  return STATUS_WORDS.get(word) ?? word;
}

/** Classes of ClinicalTrials.gov. */
export const CTGOV_SPONSOR_CLASSES: ReadonlyMap<string, (typeof SPONSOR_CLASSES)[number]> = new Map([
  ['INDUSTRY', 'industry'],
  ['NIH', 'nih'],
  ['FED', 'federal'],
  ['OTHER_GOV', 'government'],
  ['NETWORK', 'network'],
  ['INDIV', 'individual'],
  ['OTHER', 'other'],
]);

/** `OTHER_GOV` is government, `INDUSTRY` and `Industry` are industry. */
export function sponsorClassAsked(text: string): string {
  return CTGOV_SPONSOR_CLASSES.get(text.toUpperCase().replaceAll(/[\s_-]+/g, '_')) ?? text.toLowerCase();
}

/** What people call ClinicalTrials.gov. */
const REGISTRY_WORDS: ReadonlyMap<string, RegistryId> = new Map(
  ['clinicaltrials', 'clinicaltrialsgov', 'ctgov', 'nct'].map((name) => [name, 'clinicaltrials_gov']),
);

/** `ctgov`, `ClinicalTrials.gov` and `NCT` are clinicaltrials_gov, `ISRCTN` is isrctn. */
export function registryAsked(text: string): string {
  return REGISTRY_WORDS.get(text.toLowerCase().replaceAll(/[^a-z]/g, '')) ?? text;
}

/** `Type 1 diabetes` and `TYPE_1_DIABETES` are type-1-diabetes, as ids of topics are written. */
export function topicAsked(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_-]+/g, '-');
}
