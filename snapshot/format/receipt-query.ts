import type { ParameterShape } from '../../contract/operation.ts';
import { READING_PARAMETERS, trialFilterParameters } from '../../contract/trial-filters.ts';
import { filtersAsRead } from './filters-as-read.ts';
import type { Receipt } from './receipt.ts';
import { VOCABULARY_NAME } from './receipt-claim.ts';
import { readAskable } from './receipt-parameters.ts';
import { foldPlace, foldTerm } from './serving-columns.ts';
import { askedCountry } from './words/countries.ts';

/** What a trend is counted by. The set of trials does not depend on it; the claim does. */
const TREND_PARAMETERS = ['by', 'split'] as const;
/** Values that say what is meant without them. */
const DEFAULTS: Readonly<Record<string, string>> = { ...READING_PARAMETERS, by: 'year' };

const known: ParameterShape = trialFilterParameters;

/** The query of a request in its normal form: the parameters that decide what is counted, each as it was read, without defaults. */
export function normalQuery(applied: Readonly<Record<string, string>>, vocabulary: string | null): Receipt['query'] {
  const filters = Object.entries(filtersAsRead(applied)).filter(([name]) => Object.hasOwn(known, name));
  const shown = TREND_PARAMETERS.flatMap((name): [string, string][] =>
    applied[name] === undefined ? [] : [[name, applied[name].trim().toLowerCase()]],
  );
  const named: [string, string][] = vocabulary === null ? [] : [[VOCABULARY_NAME, vocabulary]];
  const asked = new Map([...filters, ...shown, ...named].filter(([name, value]) => DEFAULTS[name] !== value));
  return [...asked]
    .filter(([name]) => isRead(name, asked))
    .map(([name, value]) => [name, inOrder(name, spelledPlainly(name, value, asked))]);
}

/** Filters by which others are read, and which of these must be asked for so that they mean anything. */
const READS: Readonly<Record<keyof typeof READING_PARAMETERS, readonly string[]>> = {
  match: ['q', 'topic', 'condition', 'intervention'],
  phaseMatch: ['phase'],
  sponsorMatch: ['sponsor'],
  conditionMatch: ['condition'],
  sexMatch: ['sex'],
  gapClock: ['resultsGap', 'resultsDue', 'resultsDueAfter', 'resultsDueBefore'],
  gapMonths: ['resultsGap', 'resultsDue', 'resultsDueAfter', 'resultsDueBefore'],
};

/** A parameter that reads nothing in this query does not decide what is counted. */
function isRead(name: string, asked: ReadonlyMap<string, string>): boolean {
  const needs = Object.hasOwn(READS, name) ? READS[name as keyof typeof READS] : [];
  if (name === 'conditionMatch' && asked.get('match') !== 'concepts') return false;
  return needs.length === 0 || needs.some((one) => asked.has(one));
}

/** Filters by words. By concepts an abbreviation and an operator stand in capitals, so only a capital at the start of a word is folded. */
const BY_CONCEPTS: readonly string[] = ['q', 'intervention', 'condition'];
const WORDS: readonly string[] = [...BY_CONCEPTS, 'sponsor', 'anySponsor', 'keyword', 'country', 'siteCountry'];
const CAPITALISED = /(?<![\p{L}\p{N}])\p{Lu}\p{Ll}+(?![\p{L}\p{N}])/gu;

/** Equal for texts that ask for the same: without regard to case, white space, kinds of quotation marks and accents of a place. */
function spelledPlainly(name: string, value: string, asked: ReadonlyMap<string, string>): string {
  if (name === 'sitePlace') return foldPlace(value);
  // A country is named by its own name, unless nobody knows it.
  if (!WORDS.includes(name) || askedCountry(value) === value) return value;
  const quoted = value.replaceAll(/[\u201c-\u201f]/gu, '"');
  const isTerm = name === 'condition' && asked.get('conditionMatch') === 'exact';
  if (asked.get('match') !== 'concepts' || !BY_CONCEPTS.includes(name) || isTerm) return foldTerm(quoted);
  const spaced = quoted.normalize('NFC').trim().replaceAll(/\s+/gu, ' ');
  return spaced.replaceAll(CAPITALISED, (word) => word.toLowerCase());
}

/** The order of the values of a list means nothing. */
function inOrder(name: string, value: string): string {
  const read = known[name]?.safeParse(value).data;
  return Array.isArray(read) ? [...read].sort().join(',') : value;
}

/**
 * Equal for every spelling of one receipt: packed or not, a country by its code or its name, a default said or left out. A text that
 * cannot be read stands for itself.
 */
export function spelledOnce(text: string): string {
  const receipt = readAskable(text);
  if ('fault' in receipt) return text;
  const { word, version, identity, count, sum, vocabulary } = receipt;
  const { [VOCABULARY_NAME]: _vocabulary, ...applied } = Object.fromEntries(receipt.query);
  const query = normalQuery(applied, vocabulary).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([word, version, identity, count, sum, query]);
}
