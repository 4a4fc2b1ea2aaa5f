import { sponsorClassAsked } from '../../../contract/fields/registry-words.ts';
import { READING_PARAMETERS, trialFilterParameters } from '../../../contract/trial-filters.ts';
import { MEANT_SPONSOR_CLASSES, SPONSOR_CLASSES } from '../../../contract/vocabularies.ts';
import { bare, readFiltersIn } from '../../../snapshot/format/words/named-filters.ts';
import { saysNothing } from '../../../snapshot/format/words/plain-words.ts';
import { excludedIn, operatorsIn, wordsIn } from '../../../snapshot/format/words/query-syntax.ts';
import { operatorsAsked } from '../concepts/matching-record.ts';
import { differenceOf } from '../concepts/readings.ts';
import { type Changed, type CountedSearch, type Hint, type HintedSearch, type HintQuery, trialsOf } from './hint.ts';
import { BETWEEN_WORDS, isCityIn, trialsWith } from './spelling.ts';

/** Hints that change the words or the filters of a request. */

const WORDS_TRIED = 8;
const FEWER_SHOWN = 6;
/** Filters that take several values. */
const LISTS: readonly string[] = ['status', 'phase', 'sponsorClass'];

/** Counts the request with other parameters; a hint of it where it finds at least so many trials, without `least` more than the request. */
export async function hintOf(
  { query, countOf, total }: CountedSearch,
  changed: Changed,
  sentence: (trials: string) => string,
  least = total + 1,
): Promise<Hint[]> {
  const parsed = Object.entries(changed).map(([name, value]) => [
    name,
    LISTS.includes(name) ? value?.split(',') : value,
  ]);
  const found = await countOf({ ...query, ...(Object.fromEntries(parsed) as HintQuery) });
  return found === null || found < least ? [] : [{ sentence: sentence(trialsOf(found)), changed, total: found }];
}

/** By words, what the caller wants excluded must occur: the opposite of what was meant. */
export function excluded({ query: { q = '', intervention = '', match = 'words' } }: HintedSearch): Hint[] {
  const words = match === 'words' ? [q, intervention].flatMap(excludedIn) : [];
  if (words.length === 0) return [];
  const named = words.map((one) => (one.startsWith('(') ? 'the words in parentheses' : one)).join(', ');
  const sentence = `This answer has only trials with ${named}, the opposite of leaving it out: match=words excludes nothing. To leave it out, send match=concepts.`;
  return [{ sentence, changed: { match: 'concepts' } }];
}

const OTHER_WAYS =
  "inside a longer name, behind a word such as non or without, in the description of an intervention, apart, or in the sponsor's name";

/**
 * Trials of an answer by words that concepts leave out: they have the words of a name only inside a longer one, or apart. What a
 * topic, an operator or a mended slip changes is not named.
 */
export function longerNames({ query, matched }: HintedSearch): Hint[] {
  const read = query.match === 'concepts' ? null : matched.readings();
  if (read === null || read.topic !== null || operatorsAsked(read).length > 0) return [];
  if (read.texts.some((text) => text.query.respelt.length > 0)) return [];
  const names = read.texts
    .filter(({ parameter }) => parameter !== 'condition')
    .flatMap((text) => text.query.clauses.map(({ reading }) => reading))
    .filter(({ kind }) => kind === 'concept' || kind === 'names')
    .map(({ words }) => `“${words}”`);
  const { lost, strict } = differenceOf(read);
  if (names.length === 0 || lost === 0) return [];
  const [have, them] = lost === 1 ? ['has', 'it'] : ['have', 'them'];
  const which = strict === 1 ? 'The one trial here' : `${lost} of these ${strict} trials`;
  const sentence = `${which} ${have} the words of ${names.join(' or ')} only ${OTHER_WAYS}: match=concepts leaves ${them} out.`;
  return [{ sentence, changed: { match: 'concepts' } }];
}

/** Words of `q` that name a country, a status, a phase or a city, as that filter. Any word may be a city, so it is read without cities too. */
export async function filtersNamed(search: CountedSearch): Promise<Hint[]> {
  const { query, image, isFew } = search;
  const { q } = query;
  if (q === undefined || operatorsIn(q).length > 0) return [];
  const given = new Set(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [name])));
  const pieces = wordsIn(q).map(({ piece }) => piece);
  for (const isCity of [isCityIn(image), () => false]) {
    const { rest, filters } = readFiltersIn(pieces, given, isCity);
    // Hardly any text has the words of a phase. Others are as often meant as words.
    if (Object.keys(filters).length === 0 || (!isFew && filters.phase === undefined)) continue;
    const words = rest.filter((word) => !saysNothing(bare(word))).join(' ');
    const changed = { ...filters, q: words === '' ? undefined : words };
    const read = Object.entries(changed).flatMap(([name, value]) => (value === undefined ? [] : `${name}=${value}`));
    const says = `Words of q name a filter and were matched as words: ${read.join(' and ')} has`;
    const found = await hintOf(search, changed, (trials) => `${says} ${trials}.`);
    if (found.length > 0) return found;
  }
  return [];
}

/** A name that is also a class of sponsors: few sponsors have it as a word of their name. */
export function classesNamed({ query }: CountedSearch): Hint[] {
  return Object.entries({ sponsor: query.sponsor, anySponsor: query.anySponsor }).flatMap(([parameter, asked = '']) => {
    const word = asked.trim().toLowerCase();
    const read = sponsorClassAsked(asked.trim());
    const meant = Object.hasOwn(MEANT_SPONSOR_CLASSES, word) ? (MEANT_SPONSOR_CLASSES[word] ?? []) : [];
    const classes = (SPONSOR_CLASSES.some((one) => one === read) ? [read] : meant).join(',');
    if (classes === '') return [];
    const sentence = `${parameter}=${asked} asks for sponsors with this word in their name; sponsorClass=${classes} asks for the class.`;
    return [{ sentence, changed: { [parameter]: undefined, sponsorClass: classes } }];
  });
}

/** A filter or a word of `q` less, and a question without the words that say nothing. */
export async function fewer(search: CountedSearch): Promise<Hint[]> {
  const { query, applied } = search;
  const pieces = query.q === undefined ? [] : wordsIn(query.q);
  const tried: [string, Changed][] = pieces
    .slice(0, WORDS_TRIED)
    // Single letters, as A of "hemophilia A", ask for nothing by themselves.
    .filter(({ rest }) => rest.split(BETWEEN_WORDS).some((word) => [...word].length > 1))
    .map(({ piece, rest }) => [`“${piece}” in q`, { q: rest }]);
  const [empty = [], others = []] = [true, false].map((isEmpty) =>
    pieces.map(({ piece }) => piece).filter((piece) => saysNothing(bare(piece)) === isEmpty),
  );
  if (empty.length > 1 && others.length > 0 && operatorsIn(query.q ?? '').length === 0) {
    tried.push([`${empty.map((word) => `“${word}”`).join(', ')} in q`, { q: others.join(' ') }]);
  }
  const given = new Map<string, unknown>(Object.entries(query));
  const filters = Object.keys(trialFilterParameters).filter(
    (name) => given.get(name) !== undefined && !Object.hasOwn(READING_PARAMETERS, name),
  );
  // Without the only filter every trial is found, which says nothing of it.
  if (filters.length > 1)
    tried.push(...filters.map((name): [string, Changed] => [`${name}=${applied[name]}`, { [name]: undefined }]));
  const hints: Hint[] = [];
  for (const [what, changed] of tried) {
    hints.push(...(await hintOf(search, changed, (trials) => `Without ${what}: ${trials}.`)));
  }
  return hints.sort((one, other) => (other.total ?? 0) - (one.total ?? 0)).slice(0, FEWER_SHOWN);
}

/** The words of a filter as keywords of a registry: all of them, else those that no trial has in the texts that it reads. */
export async function keywords(search: CountedSearch): Promise<Hint[]> {
  const { image, query } = search;
  if (query.keyword !== undefined) return [];
  const hints: Hint[] = [];
  for (const parameter of ['q', 'condition', 'intervention'] as const) {
    const text = query[parameter];
    if (text === undefined || operatorsIn(text).length > 0) continue;
    const pieces = wordsIn(text).map(({ piece }) => piece);
    const unknown = pieces.filter((piece) => piece.split(BETWEEN_WORDS).some((word) => trialsWith(image, word) === 0));
    for (const moved of [pieces, unknown]) {
      if (moved.length === 0 || hints.length > 0) continue;
      const rest = pieces.filter((piece) => !moved.includes(piece)).join(' ');
      const keyword = moved.join(' ');
      const changed = { [parameter]: rest === '' ? undefined : rest, keyword };
      const says = `keyword=${keyword}${rest === '' ? '' : ` with ${parameter}=${rest}`}`;
      hints.push(
        ...(await hintOf(search, changed, (trials) => `Among the keywords of a registry, ${says}: ${trials}.`)),
      );
    }
  }
  return hints;
}
