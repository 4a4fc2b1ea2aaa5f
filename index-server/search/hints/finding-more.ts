import { sponsorClassAsked } from '../../../contract/fields/registry-words.ts';
import { QUERY_MAX_CHARACTERS } from '../../../contract/limits/limits.ts';
import { READING_PARAMETERS, TEXTS_READ, trialFilterParameters } from '../../../contract/trial-filters.ts';
import { MEANT_SPONSOR_CLASSES, SPONSOR_CLASSES } from '../../../contract/vocabularies.ts';
import { foldPlace, POSTING } from '../../../snapshot/format/serving-columns.ts';
import { bare, readFiltersIn } from '../../../snapshot/format/words/named-filters.ts';
import { saysNothing } from '../../../snapshot/format/words/plain-words.ts';
import { operatorsIn, wordsIn } from '../../../snapshot/format/words/query-syntax.ts';
import { indexKeys, textUnits, tokenKey, unitKeys } from '../../../snapshot/format/words/tokens.ts';
import type { Terminology } from '../../../snapshot/terminology/terminology.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { isShortEnough } from '../concepts/answer.ts';
import { terminologyOf } from '../concepts/image-terminology.ts';
import type { ReadText } from '../concepts/readings.ts';
import { document } from '../documents.ts';
import { type NearKey, nearKeys } from '../near-words.ts';
import { pageOf } from '../row-set.ts';
import { type CountedSearch, FEW_TRIALS, type Hint, type HintQuery } from './hint.ts';
import { isIdentifier } from './identifier.ts';

/** Causes of hints that count other requests: what was meant by a word, and what finds more where few trials are found. */

const WORDS_TRIED = 8;
const HINTS_SHOWN = 6;
const NEAREST_SHOWN = 3;
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}'’-]+/u;
const WORD = /[\p{L}\p{M}\p{N}'’-]+/gu;

function trialsOf(count: number): string {
  return count === 1 ? '1 trial' : `${count} trials`;
}

/** Counts the request with other parameters; a hint of it where it finds more than the request itself. */
async function ifMore(
  { query, total, countOf }: CountedSearch,
  changed: Record<string, string | undefined>,
  sentence: (trials: string) => string,
): Promise<Hint[]> {
  const lists = Object.entries(changed).map(([name, value]) => [
    name,
    LISTS.has(name) && value ? value.split(',') : value,
  ]);
  const found = await countOf({ ...query, ...(Object.fromEntries(lists) as HintQuery) });
  return found === null || found <= total ? [] : [{ sentence: sentence(trialsOf(found)), changed, total: found }];
}

/** Filters that take several values. */
const LISTS: ReadonlySet<string> = new Set(['status', 'phase', 'sponsorClass']);

/** Words of `q` that name a country, a status, a phase or a city, as that filter. Any word may be a city, so it is read without cities too. */
export async function filtersNamed(search: CountedSearch): Promise<Hint[]> {
  const { query, image, isFew } = search;
  const { q } = query;
  if (q === undefined || operatorsIn(q).length > 0) return [];
  const given = new Set(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [name])));
  const pieces = wordsIn(q).map(({ piece }) => piece);
  const isCity = (words: string): boolean => image.posting(POSTING.siteCity + foldPlace(words)) !== null;
  for (const cities of [isCity, () => false]) {
    const { rest, filters } = readFiltersIn(pieces, given, cities);
    // Hardly any text has the words of a phase. Others are as often meant as words.
    if (Object.keys(filters).length === 0 || (!isFew && filters.phase === undefined)) continue;
    const words = rest.filter((word) => !saysNothing(bare(word))).join(' ');
    const changed = { ...filters, q: words === '' ? undefined : words };
    const read = Object.entries(changed).flatMap(([name, value]) => (value === undefined ? [] : `${name}=${value}`));
    const found = await ifMore(
      search,
      changed,
      (trials) => `Words of q name a filter and were matched as words: ${read.join(' and ')} has ${trials}.`,
    );
    if (found.length > 0) return found;
  }
  return [];
}

/** A name that is also a class of sponsors: few sponsors have it as a word of their name. */
export async function classesNamed({ query }: CountedSearch): Promise<Hint[]> {
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

/** Concepts and words of one text that are looked at. */
const PARTS_LOOKED_AT = 3;
/** How far up broader concepts are looked for, and how many of one step are counted. */
const STEPS_UP = 3;
const BROADER_COUNTED = 3;

/**
 * What words may mean instead: each thing that an ambiguous abbreviation stands for, what is broader than a concept of few trials, and
 * concepts that people take for one another. By words, only an answer with few trials is given any.
 */
export async function otherNames(search: CountedSearch): Promise<Hint[]> {
  const { query, matched, isFew, total, image } = search;
  const read = isFew || query.match === 'concepts' ? matched.readings() : null;
  if (read === null) return [];
  const hints: Hint[] = [];
  const terminology = terminologyOf(image);
  for (const text of read.texts) {
    const counted = async (words: string, instead: string | null, least: number, says: string): Promise<Hint[]> => {
      const value = instead === null ? null : withInstead(text.value, words, instead);
      if (value === null || value.length > QUERY_MAX_CHARACTERS || !isShortEnough(value)) return [];
      const changed = { [text.parameter]: value, match: 'concepts' };
      const found = await search.countOf({ ...query, ...(changed as HintQuery) });
      if (found === null || found < least) return [];
      return [{ sentence: `“${words}” ${says} “${instead}”: ${trialsOf(found)} by concepts.`, changed, total: found }];
    };
    for (const { words, means } of meaningsIn(text, terminology)) {
      for (const instead of means)
        hints.push(...(await counted(words, instead, 0, 'was matched as a word and may mean')));
    }
    const concepts = text.query.clauses.flatMap(({ reading }) => (reading.kind === 'concept' ? [reading] : []));
    for (const { words, concept } of concepts.slice(0, PARTS_LOOKED_AT)) {
      for (const step of isFew ? stepsAbove(concept, terminology) : []) {
        const found = [];
        for (const one of step)
          found.push(...(await counted(words, nameOf(one, terminology), total + 1, 'is a kind of')));
        hints.push(...found);
        if (found.length > 0) break;
      }
      // What is narrower than the concept is found by it already.
      const related = terminology.relatedTo(concept).filter((one) => !terminology.broaderOf(one).includes(concept));
      for (const one of related) {
        const hint = await counted(words, nameOf(one, terminology), 1, 'is often taken for or filed under');
        hints.push(...hint.filter(({ changed }) => !hints.some((known) => isSame(known.changed, changed))));
      }
    }
  }
  return hints;
}

function isSame(one: Hint['changed'], other: Hint['changed']): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Words that no concept has because they mean several; in small letters only where they are all that is asked for. */
function meaningsIn({ query: { clauses } }: ReadText, terminology: Terminology) {
  return clauses.slice(0, PARTS_LOOKED_AT).flatMap(({ reading: { kind, words } }) => {
    if (kind !== 'words' && kind !== 'names') return [];
    const exact = terminology.meaningsOf(words);
    return [
      { words, means: exact.length > 0 || clauses.length > 1 ? exact : terminology.meaningsOf(words.toUpperCase()) },
    ];
  });
}

/** The nearest broader concepts, then those above them, and so on. */
function stepsAbove(concept: number, terminology: Terminology): number[][] {
  const steps: number[][] = [];
  let left = terminology.broaderOf(concept);
  while (steps.length < STEPS_UP && left.length > 0) {
    const above = new Set(left.flatMap((one) => terminology.broaderOf(one)));
    steps.push(left.filter((one) => !above.has(one)).slice(0, BROADER_COUNTED));
    left = left.filter((one) => above.has(one));
  }
  return steps;
}

/** The heading, or another name of the concept that is read as it; null where no name is. */
function nameOf(concept: number, terminology: Terminology): string | null {
  const names = [terminology.concepts[concept]!.heading, ...terminology.namesOf(concept).map(({ term }) => term)];
  const isRead = (name: string): boolean => {
    const units = textUnits(name);
    const [found] = terminology.recognise(units, name);
    return found?.concept === concept && found.from === 0 && found.to === units.length;
  };
  return names.find(isRead) ?? null;
}

/** The text with other words in place of some; null where they do not stand in it as they were read. */
function withInstead(text: string, words: string, instead: string): string | null {
  if (text.trim() === words) return instead;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(words)}(?![\\p{L}\\p{N}])`, 'u');
  if (!pattern.test(text)) return null;
  const grouped = operatorsIn(text).length > 0 && /\s/.test(instead) ? `(${instead})` : instead;
  return text.replace(pattern, () => grouped);
}

/** Parameters made of words, with the keys under which the image has them. */
const SPELT = [
  ['q', POSTING.text],
  ['intervention', POSTING.intervention],
  ['sponsor', POSTING.sponsor],
  // A condition is matched as a whole term; its words are those of the texts.
  ['condition', POSTING.text],
] as const;
/** Up to this length one edit is near, beyond it two. */
const ONE_EDIT_UP_TO = 5;
const WORDS_SPELT = 3;
const OPERATORS: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT']);
/** One typo in a record makes it a known word: a near word that so many times as many trials have is offered all the same. */
const TIMES_AS_OFTEN = 20;

/** Near spellings of words that no trial has, or far fewer than the near one. The name of a concept is no slip. */
export function spellings(search: CountedSearch): Hint[] {
  const { image, query } = search;
  const ofWords = SPELT.flatMap(([parameter, kind]) => {
    const value = query[parameter];
    // The words of a number are no slips of other words.
    if (value === undefined || (parameter === 'q' && isIdentifier(value))) return [];
    const isName = parameter === 'sponsor' ? () => false : conceptWords(image, value);
    // A word that names a filter is offered as one.
    const spelt =
      parameter === 'q' ? readFiltersIn(value.split(BETWEEN_WORDS), new Set()).rest : value.split(BETWEEN_WORDS);
    const words = [...new Set(spelt)].flatMap((word) => {
      const trials = trialsWith(image, word);
      return trials === null || trials >= FEW_TRIALS || OPERATORS.has(word) || isName(word) ? [] : [{ word, trials }];
    });
    return words.slice(0, WORDS_SPELT).flatMap(({ word, trials }) => {
      const from = tokenKey(word);
      const near = nearKeys(image, kind, from, from.length > ONE_EDIT_UP_TO ? 2 : 1).filter(
        (one) => one.trials >= trials * TIMES_AS_OFTEN && isMeant(image, from, one),
      );
      const written = near.slice(0, NEAREST_SHOWN).map((one) => ({ ...one, word: wordOf(image, kind, one.key) }));
      const mended = (instead: string): string => value.replaceAll(WORD, (one) => (one === word ? instead : one));
      return nearHints(search, parameter, word, written, mended, trials === 0);
    });
  });
  const { sitePlace } = query;
  const city = sitePlace === undefined ? '' : foldPlace(sitePlace);
  if (sitePlace === undefined || image.posting(POSTING.siteCity + city) !== null) return ofWords;
  const cities = nearKeys(image, POSTING.siteCity, city, city.length > ONE_EDIT_UP_TO ? 2 : 1);
  const written = cities.slice(0, NEAREST_SHOWN).map((one) => ({ ...one, word: cityOf(image, one.key) }));
  return [...ofWords, ...nearHints(search, 'sitePlace', sitePlace, written, (instead) => instead, true)];
}

function nearHints(
  { query }: CountedSearch,
  parameter: string,
  word: string,
  near: readonly (NearKey & { word: string })[],
  mended: (instead: string) => string,
  isUnknown: boolean,
): Hint[] {
  const has = isUnknown ? 'No trial has' : 'Few trials have';
  const where = TEXTS_READ[query.match ?? 'words'][parameter] ?? 'its text';
  if (near.length === 0 && isUnknown) return [{ sentence: `${has} “${word}” in ${where}, and no known word is near.` }];
  return near.map((one) => ({
    sentence: `${has} “${word}” in ${where}; “${one.word}” is near, which ${trialsOf(one.trials)} ${one.trials === 1 ? 'has' : 'have'} by itself.`,
    changed: { [parameter]: mended(one.word) },
  }));
}

/** Up to this length a word two edits away must have the same letters: of "crispr" crisis is no spelling, of "athsma" asthma is. */
const SHORT_LETTERS = 6;

/** Two edits lead to many words: such a one must begin alike and belong to the name of a disease or substance. */
function isMeant(image: SnapshotImage, from: string, { key, edits }: NearKey): boolean {
  if (edits === 1) return true;
  if (from.length <= SHORT_LETTERS && [...from].sort().join('') !== [...key].sort().join('')) return false;
  return key[0] === from[0] && terminologyOf(image).hasWord(key);
}

/** Tells of a word whether it belongs to the name of a concept in the text: such a word is no slip, though no trial may have it. */
function conceptWords(image: SnapshotImage, text: string): (word: string) => boolean {
  const units = textUnits(text);
  const named = terminologyOf(image).recognise(units, text);
  const keys = new Set(named.flatMap(({ from, to }) => unitKeys(units.slice(from, to))));
  return (word) => indexKeys(word).every((key) => keys.has(key));
}

/** Trials that have the word; of a compound, its joined form or the most common of its parts. Null for no word. */
function trialsWith(image: SnapshotImage, word: string): number | null {
  const keys = indexKeys(word);
  return keys.length === 0 ? null : Math.max(...keys.map((key) => image.posting(POSTING.text + key)?.count ?? 0));
}

/** The word with this key as the first trial that has it writes it; the key itself where it is part of a compound. */
function wordOf(image: SnapshotImage, kind: string, key: string): string {
  const words = firstRecord(image, kind + key).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.find((word) => tokenKey(word) === key)?.toLowerCase() ?? key;
}

/** The city with this key as the first trial with a site there writes it. */
function cityOf(image: SnapshotImage, key: string): string {
  const found = firstRecord(image, POSTING.siteCity + key).matchAll(/"city":("(?:[^"\\]|\\.)*")/gu);
  const cities = [...found].map(([, city]) => JSON.parse(city!) as string);
  return cities.find((city) => foldPlace(city) === key) ?? key;
}

function firstRecord(image: SnapshotImage, key: string): string {
  const [row] = pageOf(image.posting(key)!, 0, 1);
  return document(image, row as number, { detail: 'full', eligibility: false }).toString('utf8');
}

/** A filter or a word of `q` less, and a question without the words that say nothing. */
export async function fewer(search: CountedSearch): Promise<Hint[]> {
  const { query, applied } = search;
  const hints: Hint[] = [];
  const pieces = query.q === undefined ? [] : wordsIn(query.q);
  for (const { piece, rest } of pieces.slice(0, WORDS_TRIED)) {
    if (!isLetters(rest))
      hints.push(...(await ifMore(search, { q: rest }, (trials) => `Without “${piece}” in q: ${trials}.`)));
  }
  const empty = pieces.filter(({ piece }) => saysNothing(bare(piece))).map(({ piece }) => piece);
  const rest = pieces.map(({ piece }) => piece).filter((piece) => !empty.includes(piece));
  if (empty.length > 1 && rest.length > 0 && operatorsIn(query.q ?? '').length === 0) {
    const named = empty.map((word) => `“${word}”`).join(', ');
    hints.push(...(await ifMore(search, { q: rest.join(' ') }, (trials) => `Without ${named} in q: ${trials}.`)));
  }
  const given = new Map<string, unknown>(Object.entries(query));
  const filters = Object.keys(trialFilterParameters).filter(
    (name) => given.get(name) !== undefined && !Object.hasOwn(READING_PARAMETERS, name),
  );
  // Without the only filter every trial is found, which says nothing of it.
  for (const name of filters.length > 1 ? filters : []) {
    hints.push(
      ...(await ifMore(search, { [name]: undefined }, (trials) => `Without ${name}=${applied[name]}: ${trials}.`)),
    );
  }
  return hints.sort((one, other) => (other.total ?? 0) - (one.total ?? 0)).slice(0, HINTS_SHOWN);
}

/** Only single letters, as A of "hemophilia A", which ask for nothing by themselves. */
function isLetters(text: string): boolean {
  return text.split(BETWEEN_WORDS).every((word) => [...word].length < 2);
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
        ...(await ifMore(search, changed, (trials) => `Among the keywords of a registry, ${says}: ${trials}.`)),
      );
    }
  }
  return hints;
}
