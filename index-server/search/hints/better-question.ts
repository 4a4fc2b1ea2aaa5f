import { setImmediate } from 'node:timers/promises';
import type { FewResultsRecord } from '../../../contract/schemas/trials/few-results.ts';
import { bare, type ReadFilters, readFiltersIn } from '../../../snapshot/format/words/named-filters.ts';
import { saysNothing } from '../../../snapshot/format/words/plain-words.ts';
import type { TrialFilters } from '../filters.ts';

/** A question that finds more, where `q` has words of a filter or more words than any trial. */

export type BetterQuestion = Omit<NonNullable<FewResultsRecord['rather']>, 'call'>;

/** Filters that take several values. */
const LISTS: ReadonlySet<string> = new Set(['status', 'phase']);
const WORDS_TRIED = 8;

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
  { rest, filters }: ReadFilters,
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
