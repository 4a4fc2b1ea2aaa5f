import type { RegistrationFields } from '../../snapshot/format/registration.ts';
import { distinct } from './values.ts';

/** The registries' words about the design of a study, and ages. Source: ClinicalTrials.gov API v2, ISRCTN definitions. */

type Allocation = RegistrationFields['allocation'];
type Masking = RegistrationFields['masking'];
type Sex = RegistrationFields['sex'];

/** A registry's word as this index shows it: `SUPPORTIVE_CARE` and `Supportive care` are both `supportive care`. */
export function plainWord(raw: string): string {
  return raw.toLowerCase().replace(/[\s_-]+/g, ' ');
}

export function plainWords(raw: string[]): string[] {
  return distinct(raw.map(plainWord));
}

const NOT_RANDOMIZED = /\bnon[ -]?randomi[sz]ed\b/i;
const RANDOMIZED = /\brandomi[sz]ed\b/i;

/** Whether the text says how participants are assigned: ISRCTN's design names do, others do not. */
export function saysRandomized(text: string): boolean {
  return RANDOMIZED.test(text);
}

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

/** Sex and ages as read, each with the registry's own text beside it. */
export function sexAndAges(sexRaw: string | null, minimumAgeRaw: string | null, maximumAgeRaw: string | null) {
  return {
    sex: sexOf(sexRaw),
    sexRaw,
    minimumAge: ageInYears(minimumAgeRaw),
    minimumAgeRaw,
    maximumAge: ageInYears(maximumAgeRaw),
    maximumAgeRaw,
  };
}
