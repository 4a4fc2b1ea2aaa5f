import { setImmediate } from 'node:timers/promises';
import { phaseAsked, statusAsked } from '../../../contract/fields/registry-words.ts';
import type { FewResultsRecord } from '../../../contract/schemas/trials/few-results.ts';
import { PHASES } from '../../../contract/vocabularies.ts';
import { askedCountry } from '../../../snapshot/format/words/countries.ts';
import { saysNothing } from '../concepts/plain-words.ts';
import type { TrialFilters } from '../filters.ts';

/** A question that finds more, where `q` has words of a filter or more words than any trial. */

export type BetterQuestion = Omit<NonNullable<FewResultsRecord['rather']>, 'call'>;

/** Statuses that people name in a question; others are more often ordinary words. */
const STATUSES_NAMED = [
  'recruiting',
  'not_yet_recruiting',
  'active_not_recruiting',
  'completed',
  'terminated',
  'withdrawn',
  'suspended',
];
/** A country or a status has up to three words; a phase has two. */
const VALUE_MAX_WORDS = 3;
/** Filters that take several values. */
const LISTS: ReadonlySet<string> = new Set(['status', 'phase']);
const WORDS_TRIED = 8;

/** Abbreviations that are no other words, so that they count in any case. Other codes count in capitals alone: "in" and "us" are words. */
const ABBREVIATION = /^(?:the )?(?:uk|usa|uae|nz|u\.k|u\.s)$|^the us$/i;
const CODE = /^(?:the )?[A-Z]{2,3}$/;
/** The length of a code. An article makes no code a name: in "the er" nobody means Eritrea. */
const CODE_ONLY = /^(?:the )?.{1,3}$/i;

type Named = { parameter: 'country' | 'status' | 'phase' | 'sitePlace'; value: string };

/** The filter that these words name; null where they name none, or could as well be ordinary words. */
export function filterNamed(words: string): Named | null {
  const status = statusAsked(words);
  if (STATUSES_NAMED.includes(status)) return { parameter: 'status', value: status };
  const phase = /^phase/i.test(words) ? phaseAsked(words) : '';
  if ((PHASES as readonly string[]).includes(phase)) return { parameter: 'phase', value: phase };
  const isName = !CODE_ONLY.test(words) || CODE.test(words) || ABBREVIATION.test(words);
  const country = isName ? askedCountry(words) : null;
  return country === null ? null : { parameter: 'country', value: country };
}

/** The first words of a query that name a phase. Those of a "phrase" are meant as they stand. */
export function phaseIn(q: string): { words: string; value: string } | null {
  const pieces = q.replace(/["\u201c-\u201f][^"\u201c-\u201f]*["\u201c-\u201f]/gu, ' " ').match(/\S+/gu) ?? [];
  for (const [at] of pieces.entries()) {
    for (let length = VALUE_MAX_WORDS; length > 0; length--) {
      const words = bare(pieces.slice(at, at + length).join(' '));
      const named = filterNamed(words);
      if (named?.parameter === 'phase') return { words, value: named.value };
    }
  }
  return null;
}

interface Read {
  rest: string[];
  filters: Partial<Record<Named['parameter'], string>>;
}

/** The pieces of a query, without those that name a filter that the request does not have yet; cities where they are known. */
export function readFiltersIn(
  pieces: readonly string[],
  given: ReadonlySet<string>,
  isCity: (words: string) => boolean = () => false,
): Read {
  const read: Read = { rest: [], filters: {} };
  for (let at = 0; at < pieces.length; ) {
    let taken = 0;
    for (let length = Math.min(VALUE_MAX_WORDS, pieces.length - at); length > 0 && taken === 0; length--) {
      const words = bare(pieces.slice(at, at + length).join(' '));
      const named = filterNamed(words) ?? (isCity(words) ? ({ parameter: 'sitePlace', value: words } as const) : null);
      if (named === null || given.has(named.parameter) || read.filters[named.parameter] !== undefined) continue;
      read.filters[named.parameter] = named.value;
      taken = length;
    }
    if (taken === 0) read.rest.push(pieces[at]!);
    at += Math.max(taken, 1);
  }
  return read;
}

interface Asked<Query extends TrialFilters> {
  query: Query;
  pieces: readonly string[];
  total: number;
  countOf: (query: Query) => Promise<number>;
  /** Whether a trial has a site in a city of this name. */
  isCity: (words: string) => boolean;
}

/**
 * Words that name a filter become that filter; then, while nothing is found, the words of a question leave, and the words
 * with the fewest trials one after another. Null where this finds no more than the request, or where leaving out one word
 * is all that it does, which `without` says already. The name of a city may be any word, so that it is read as a word too.
 */
export async function betterQuestion<Query extends TrialFilters>(asked: Asked<Query>): Promise<BetterQuestion | null> {
  const { query, pieces, isCity } = asked;
  const given = new Set(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [name])));
  const read = readFiltersIn(pieces, given, isCity);
  const found = await questionOf(asked, read);
  return found !== null || read.filters.sitePlace === undefined
    ? found
    : questionOf(asked, readFiltersIn(pieces, given));
}

async function questionOf<Query extends TrialFilters>(
  asked: Asked<Query>,
  { rest, filters }: Read,
): Promise<BetterQuestion | null> {
  const { query, total } = asked;
  const narrowed = Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [name, LISTS.has(name) ? [value] : value]),
  );
  const countOf = async (words: readonly string[]): Promise<number> => {
    await setImmediate();
    return asked.countOf({ ...query, ...narrowed, q: words.length === 0 ? undefined : words.join(' ') });
  };
  const isFiltered = Object.keys(filters).length > 0;
  // Beside a filter, "trials in" says nothing more.
  const { words, found } = await shortened(isFiltered ? rest.filter((word) => !isEmpty(word)) : rest, countOf);
  const dropped = rest.filter((word) => !words.includes(word));
  const isOther = isFiltered || dropped.length > 1;
  if (!isOther || found <= total || (words.length === 0 && dropped.some((word) => !isEmpty(word)))) return null;
  return { q: words.length === 0 ? null : words.join(' '), filters, dropped, total: found };
}

async function shortened(
  rest: readonly string[],
  countOf: (words: readonly string[]) => Promise<number>,
): Promise<{ words: readonly string[]; found: number }> {
  let words = rest;
  let found = await countOf(words);
  if (found > 0) return { words, found };
  words = words.filter((word) => !isEmpty(word)).slice(0, WORDS_TRIED);
  if (words.length < rest.length) found = await countOf(words);
  if (found > 0) return { words, found };
  const each: { word: string; trials: number }[] = [];
  for (const word of words) each.push({ word, trials: await countOf([word]) });
  each.sort((one, other) => one.trials - other.trials);
  for (const { word } of each) {
    words = words.filter((other) => other !== word);
    if (words.length === 0) break;
    found = await countOf(words);
    if (found > 0) break;
  }
  return { words, found };
}

function isEmpty(word: string): boolean {
  return saysNothing(bare(word));
}

/** Without the signs that end a sentence. */
function bare(words: string): string {
  return words.replace(/(?<![?.,;:!])[?.,;:!]+$/, '');
}
