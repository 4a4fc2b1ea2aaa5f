/**
 * Registry numbers of the sample, recognisable by their first digit: NCT90000001 and up (multiples of 13, as real
 * numbers are) and PubMed ids from 990000000 lie far above the numbers in use. ISRCTN numbers are random by nature, so
 * no range of theirs is free: a made-up ISRCTN9xxxxxxx may by chance be the number of a real trial. One record alone
 * has a real number on purpose: clver-study.ts.
 */
const NCT_FIRST = 90_000_001 / 13;
const NCT_COUNT = 769_230;
/** Numbers kept back from studies: superseded ones first, then ones that no record ever holds. */
const NCT_SPARE = 20_000;
export const MAX_CTGOV = NCT_COUNT - NCT_SPARE;
/** Bounded by the EudraCT numbers that trials of both registries may share. */
export const MAX_ISRCTN = 800_000;

/** The study at this place of the corpus. */
export function nctId(index: number): string {
  return `NCT${(NCT_FIRST + index) * 13}`;
}

/** A superseded number that now resolves to another study; never the main number of one. */
export function nctAlias(index: number): string {
  return nctId(MAX_CTGOV + (index % 10_000));
}

/** A well-formed number that no record of any sample holds. */
export function nctAbsent(index: number): string {
  return nctId(MAX_CTGOV + 10_000 + (index % 9_000));
}

/** The trial at this place; numbers look random, as the registry's do, and never repeat (the step is prime to 10^7). */
export function isrctnId(index: number): string {
  return `ISRCTN${90_000_000 + (((index + 1) * 7_368_787 + 9_999_999) % 10_000_000)}`;
}

export function isrctnAbsent(index: number): string {
  return isrctnId(MAX_ISRCTN + index);
}

/** A PubMed id in a range far above those in use. */
export function pmid(number: number): string {
  return String(990_000_000 + (number % 9_000_000));
}

/**
 * EudraCT number of a place below 900,000; none repeats. Serials from 080000 are kept for these, so that the numbers
 * that other records draw at random never meet them.
 */
export function eudractNumber(place: number): string {
  return `${year(2006, place)}-0${80_000 + (place % 20_000)}-${lastPair(place)}`;
}

/** EU CT number without its resubmission part; none repeats below 900,000. */
export function euctNumber(place: number): string {
  return `${year(2022, place)}-5${80_000 + (place % 20_000)}-${lastPair(place)}`;
}

/** A place beyond the serials moves on to the next last pair, which runs from 10 to 54 in steps that leave none out. */
function lastPair(place: number): number {
  return 10 + (Math.floor(place / 20_000) % 45);
}

/** The year is colour only: it follows from the place, so it makes no two numbers equal. */
function year(first: number, place: number): number {
  return first + (place % 5);
}

/** Universal trial number; none repeats below 10,000,000. */
export function utn(place: number): string {
  return `U1111-9${String(Math.floor(place / 10_000) % 1000).padStart(3, '0')}-${String(place % 10_000).padStart(4, '0')}`;
}
