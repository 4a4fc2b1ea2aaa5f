import type { ParameterShape } from '../../contract/operation.ts';
import { checkReceipt } from '../../contract/operations/trials/receipts.ts';
import { getTrialTrend } from '../../contract/operations/trials/trial-trend.ts';
import { getTrialCoverage, getTrialLandscape, searchTrials } from '../../contract/operations/trials/trials.ts';
import { expectedOfFault } from '../../contract/parameters.ts';
import { RECEIPT_OPERATIONS, type ReceiptWord } from '../../contract/receipts.ts';
import type { ReceiptClaim } from '../../contract/schemas/trials/receipt.ts';
import { READING_PARAMETERS, trialFilterParameters } from '../../contract/trial-filters.ts';
import { filtersAsRead } from './filters-as-read.ts';
import { type Receipt, type ReceiptHead, readReceipt } from './receipt.ts';
import { foldPlace, foldTerm } from './serving-columns.ts';
import { askedCountry } from './words/countries.ts';

/** The query of a receipt: how it is written, how strictly it is read, and how it is put in words. */

/** In the query of a receipt: the vocabulary by which labels of modalities were inferred, which no snapshot binds. */
const VOCABULARY_NAME = 'modalityVocabulary';

const filters: ParameterShape = trialFilterParameters;
/** A trend is counted by these too. The set of trials does not depend on them; the claim does. */
const trend = { by: getTrialTrend.query.by, split: getTrialTrend.query.split };
const { resultsGap, topic, match } = trialFilterParameters;

interface Kind {
  path: string;
  /** What its number counts. */
  counted: string;
  /** Parameters that its query may have. */
  shape: ParameterShape;
}

const KINDS: Readonly<Record<ReceiptWord, Kind>> = {
  search: { path: searchTrials.path, counted: 'trials that a search found', shape: filters },
  coverage: { path: getTrialCoverage.path, counted: 'distinct trials', shape: filters },
  landscape: {
    path: getTrialLandscape.path,
    counted: 'all trials of a landscape (the set of trials, not each of its counts)',
    shape: filters,
  },
  trend: {
    path: getTrialTrend.path,
    counted: 'all trials of a trend (the set of trials, not the count of each period)',
    shape: { ...filters, ...trend },
  },
  // The population of the results gap, whole or of a topic, is one filter of the index.
  gap: { path: getTrialCoverage.path, counted: 'trials in the results gap', shape: { resultsGap, topic, match } },
};

/** A vocabulary's id goes into sentences of this service, so it must be one and no text of an author. */
const VOCABULARY_ID = /^modality-\d{1,6}(\+substances-\d{1,6})?$/;

/** A receipt whose query consists of parameters of its operation, each with a value that the operation takes. */
export interface AskableReceipt extends Receipt {
  /** The parameters as the operation reads them, with defaults. */
  values: Record<string, unknown>;
  /** Vocabulary of the labels that it rests on; null without the filter modality. */
  vocabulary: string | null;
}

/**
 * Reads a receipt and its query, as strictly as its operation reads a request; or says what is wrong with it, in words that follow
 * "expected" and repeat nothing of the receipt. Whether the served snapshot knows the topic or country is for the index.
 */
export function readAskable(text: string): AskableReceipt | { fault: string } {
  const receipt = readReceipt(text);
  if ('fault' in receipt) return receipt;
  const { word, query } = receipt;
  const { shape } = KINDS[word];
  const sent = new Map(query);
  const vocabulary = sent.get(VOCABULARY_NAME) ?? null;
  sent.delete(VOCABULARY_NAME);
  const values = valuesOf(shape, sent);
  if (values === null) {
    const names = Object.keys(shape).join(', ');
    return { fault: `a query of ${RECEIPT_OPERATIONS[word]} with no parameter but ${names}` };
  }
  if ('fault' in values) return values;
  const { read } = values;
  if ((vocabulary === null) !== (read.modality === undefined)) {
    return { fault: `a query with ${VOCABULARY_NAME} where it has modality, and only there` };
  }
  if (vocabulary !== null && !VOCABULARY_ID.test(vocabulary)) {
    return { fault: `a query whose ${VOCABULARY_NAME} is the id of a vocabulary` };
  }
  if (word === 'gap' && read.resultsGap !== true) return { fault: 'a query of the results gap with resultsGap=true' };
  return { ...receipt, values: read, vocabulary };
}

/** Null where a parameter was sent that the shape does not have. */
function valuesOf(
  shape: ParameterShape,
  sent: ReadonlyMap<string, string>,
): { read: Record<string, unknown> } | { fault: string } | null {
  if ([...sent.keys()].some((name) => !Object.hasOwn(shape, name))) return null;
  const read: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(shape)) {
    const { success, data, error } = schema.safeParse(sent.get(name));
    if (!success) {
      return { fault: `a query that can be asked; its parameter ${name} expects ${expectedOfFault(schema, error)}` };
    }
    if (data !== undefined) read[name] = data;
  }
  return { read };
}

/** Values that say what is meant without them. */
const DEFAULTS: Readonly<Record<string, string>> = { ...READING_PARAMETERS, by: 'year' };

/** The query of a request in its normal form: the parameters that decide what is counted, each as it was read, without defaults. */
export function normalQuery(applied: Readonly<Record<string, string>>, vocabulary: string | null): Receipt['query'] {
  const sent = Object.entries(filtersAsRead(applied)).filter(([name]) => Object.hasOwn(filters, name));
  const shown = Object.keys(trend).flatMap((name): [string, string][] =>
    applied[name] === undefined ? [] : [[name, applied[name].trim().toLowerCase()]],
  );
  const named: [string, string][] = vocabulary === null ? [] : [[VOCABULARY_NAME, vocabulary]];
  const asked = new Map([...sent, ...shown, ...named].filter(([name, value]) => DEFAULTS[name] !== value));
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
  const read = filters[name]?.safeParse(value).data;
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

/** What a receipt says, as it is shown: a text alone tells it. */
export function claimOf({ word, query, count, sum, version, identity }: Receipt): ReceiptClaim {
  const { path, counted } = KINDS[word];
  const asked = query.filter(([name]) => name !== VOCABULARY_NAME);
  const address = String(new URLSearchParams(asked));
  const shown = asked.filter(([name]) => !(word === 'gap' && name === 'resultsGap'));
  const filters = shown.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(', ');
  return {
    operation: RECEIPT_OPERATIONS[word],
    inWords: shown.length === 0 ? `${counted}, without a filter` : `${counted}, by ${filters}`,
    call: `GET ${path}${address && `?${address}`}`,
    query: Object.fromEntries(query),
    match: asked.some(([name, value]) => name === 'match' && value === 'concepts') ? 'concepts' : 'words',
    count,
    sum,
    snapshot: version,
    identity,
  };
}

/** What is shown of a receipt that was stored although its query cannot be read: nothing that stands in the query. */
export function unreadableClaim(receipt: string, head: ReceiptHead, fault: string): ReceiptClaim {
  return {
    ...claimOf({ ...head, query: [] }),
    inWords: `${KINDS[head.word].counted}, by a query that cannot be read`,
    call: `GET ${checkReceipt.path.replace('{receipt}', receipt)}`,
    fault: `expected ${fault}`,
  };
}
