import { CTGOV_SPONSOR_CLASSES, phaseAsked } from '../../contract/fields/registry-words.ts';
import type { RegistryId } from '../../contract/ids.ts';
import { PHASES } from '../../contract/vocabularies.ts';
import type {
  Phase,
  PublicationKind,
  RegistrationFields,
  SponsorClass,
  StudyType,
} from '../../snapshot/format/registration.ts';
import { isFiller } from './not-stated.ts';
import { distinct } from './values.ts';

/**
 * One function for each concept that both registries state in words of their own. The table of fields has where each
 * states it. Sources of the words: ClinicalTrials.gov API v2 enumerations, ISRCTN definitions.
 */

type Allocation = RegistrationFields['allocation'];
type Masking = RegistrationFields['masking'];
type Sex = RegistrationFields['sex'];

/** A registry's word as this index shows it: `SUPPORTIVE_CARE` and `Supportive care` are both `supportive care`. */
export function plainWord(raw: string): string {
  return raw.toLowerCase().replace(/[\s_-]+/g, ' ');
}

export function plainWords(raw: readonly string[]): string[] {
  return distinct(raw.map(plainWord));
}

/**
 * ClinicalTrials.gov gives a combined phase as a list without meaningful order; ISRCTN gives one for each intervention:
 * a numbered phase goes before `Not Applicable`, and different ones give `not-stated`, with every raw value kept.
 */
export function phaseOf(registry: RegistryId, stated: readonly string[]): { phase: Phase; phaseRaw: string | null } {
  const isList = registry === 'clinicaltrials_gov';
  const distinctPhases = distinct(stated);
  const raw = (isList ? stated : distinctPhases).join(isList ? '+' : '; ');
  const words = isList && stated.length > 0 ? [distinctPhases.toSorted().join('/')] : distinctPhases;
  const read = new Set(words.map(phaseAsked).filter(isPhase));
  read.delete('not-stated');
  if (read.size > 1) read.delete('not-applicable');
  const [only] = read;
  return { phase: read.size === 1 && only ? only : 'not-stated', phaseRaw: raw === '' ? null : raw };
}

function isPhase(word: string): word is Phase {
  return (PHASES as readonly string[]).includes(word);
}

const STUDY_TYPES: ReadonlyMap<string, StudyType> = new Map<string, StudyType>([
  ['INTERVENTIONAL', 'interventional'],
  ['OBSERVATIONAL', 'observational'],
  ['EXPANDED_ACCESS', 'expanded_access'],
]);

/** ClinicalTrials.gov studyType or ISRCTN primaryStudyDesign, whose list is open. */
export function studyTypeOf(raw: string | null): StudyType {
  return STUDY_TYPES.get(raw?.toUpperCase() ?? '') ?? 'unknown';
}

const ISRCTN_SPONSOR_CLASSES: ReadonlyMap<string, SponsorClass> = new Map<string, SponsorClass>([
  ['industry', 'industry'],
  ['commercial', 'industry'],
  ['government', 'government'],
  ['university/education', 'other'],
  ['hospital/treatment centre', 'other'],
  ['research organisation', 'other'],
  ['research council', 'other'],
  ['charity', 'other'],
  ['other', 'other'],
  ['non-commercial', 'other'],
]);

/** ClinicalTrials.gov class; ISRCTN sponsorType, or commercialStatus where current records leave the type blank. */
export function sponsorClassOf(raw: string | null): SponsorClass {
  if (raw === null) return 'unknown';
  return CTGOV_SPONSOR_CLASSES.get(raw) ?? ISRCTN_SPONSOR_CLASSES.get(raw.toLowerCase()) ?? 'unknown';
}

const CTGOV_REFERENCE_KINDS: ReadonlyMap<string, PublicationKind> = new Map<string, PublicationKind>([
  ['BACKGROUND', 'background'],
  ['RESULT', 'results'],
  ['DERIVED', 'derived'],
]);

/** ISRCTN's kinds are free text (`Results article`, `Preprint results`, `protocolarticle`); the noun decides. */
export function publicationKindOf(raw: string | null): PublicationKind {
  if (raw === null) return 'other';
  const kind = CTGOV_REFERENCE_KINDS.get(raw);
  if (kind !== undefined) return kind;
  if (/protocol/i.test(raw)) return 'protocol';
  return /result/i.test(raw) ? 'results' : 'other';
}

const NOT_RANDOMIZED = /\bnon[ -]?randomi[sz]ed\b/i;
const RANDOMIZED = /\brandomi[sz]ed\b/i;

/** `RANDOMIZED` and `NON_RANDOMIZED` at ClinicalTrials.gov, `Randomised controlled trial` at ISRCTN. */
export function allocationOf(raw: string | null): Allocation {
  if (raw === null) return 'not-stated';
  const word = plainWord(raw);
  if (word === 'na' || word === 'n/a' || word === 'not applicable') return 'not-applicable';
  if (NOT_RANDOMIZED.test(word)) return 'non-randomized';
  return RANDOMIZED.test(word) ? 'randomized' : 'not-stated';
}

const MASKINGS: ReadonlyMap<string, Masking> = new Map<string, Masking>([
  ['none', 'none'],
  ['single', 'single'],
  ['double', 'double'],
  ['triple', 'triple'],
  ['quadruple', 'quadruple'],
  ['open (masking not used)', 'none'],
  ['blinded (masking used)', 'masked'],
]);

export function maskingOf(raw: string | null): Masking {
  return (raw === null ? undefined : MASKINGS.get(plainWord(raw))) ?? 'not-stated';
}

const SEXES: ReadonlyMap<string, Sex> = new Map<string, Sex>([
  ['all', 'all'],
  // ISRCTN's older word.
  ['both', 'all'],
  ['female', 'female'],
  ['male', 'male'],
]);

export function sexOf(raw: string | null): Sex {
  return (raw === null ? undefined : SEXES.get(plainWord(raw))) ?? 'not-stated';
}

const AGE = /^(\d{1,6}(?:\.\d{1,6})?) ?(year|month|week|day|hour|minute)s?$/i;
const DAYS_PER_YEAR = 365.25;
const UNITS_PER_YEAR: Record<string, number> = {
  year: 1,
  month: 12,
  week: DAYS_PER_YEAR / 7,
  day: DAYS_PER_YEAR,
  hour: DAYS_PER_YEAR * 24,
  minute: DAYS_PER_YEAR * 24 * 60,
};
/** Nobody is older; a form that demands a limit is filled with 999. */
const MAX_AGE_YEARS = 150;

/** An age as the registries write it (`18 Years`, `6 Months`), in years to three decimals; null for any other text. */
export function ageInYears(raw: string | null): number | null {
  const match = raw === null ? null : AGE.exec(raw);
  if (!match) return null;
  const years = Number(match[1]) / (UNITS_PER_YEAR[(match[2] as string).toLowerCase()] as number);
  return years > MAX_AGE_YEARS ? null : Math.round(years * 1000) / 1000;
}

/** `No` is an answer here; other texts that only fill the field are none. */
export function sharingPlanOf(raw: string | null): string | null {
  if (raw === null) return null;
  const word = plainWord(raw);
  return word !== 'no' && isFiller(raw) ? null : word;
}
