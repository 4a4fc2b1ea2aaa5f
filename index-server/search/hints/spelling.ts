import { TEXTS_READ } from '../../../contract/trial-filters.ts';
import { foldPlace, POSTING } from '../../../snapshot/format/serving-columns.ts';
import { readFiltersIn } from '../../../snapshot/format/words/named-filters.ts';
import { indexKeys, textUnits, tokenKey, unitKeys } from '../../../snapshot/format/words/tokens.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { terminologyOf } from '../concepts/image-terminology.ts';
import { document } from '../documents.ts';
import { type NearKey, nearKeys } from '../near-words.ts';
import { pageOf } from '../row-set.ts';
import { sitesOfTrial } from '../trial-sites.ts';
import { readTrial } from './held-trial.ts';
import { type CountedSearch, FEW_TRIALS, type Hint, trialsOf } from './hint.ts';
import { isIdentifier } from './identifier.ts';

export const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}'’-]+/u;
const WORD = /[\p{L}\p{M}\p{N}'’-]+/gu;
const NEAREST_SHOWN = 3;

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
const OPERATORS: readonly string[] = ['AND', 'OR', 'NOT'];
/** One typo in a record makes it a known word: a near word that so many times as many trials have is offered all the same. */
const TIMES_AS_OFTEN = 20;

/** Near spellings of words that no trial has, or far fewer than the near one. The name of a concept or of a filter is no slip. */
export function spellings(search: CountedSearch): Hint[] {
  const { image, query } = search;
  const ofWords = SPELT.flatMap(([parameter, kind]) => {
    const value = query[parameter];
    // The words of a number are no slips of other words.
    if (value === undefined || (parameter === 'q' && isIdentifier(value))) return [];
    const isName = parameter === 'sponsor' ? () => false : conceptWords(image, value);
    const pieces = value.split(BETWEEN_WORDS);
    const spelt = parameter === 'q' ? readFiltersIn(pieces, new Set(), isCityIn(image)).rest : pieces;
    const rare = [...new Set(spelt)].filter((word) => {
      const trials = trialsWith(image, word);
      return trials !== null && trials < FEW_TRIALS && !OPERATORS.includes(word) && !isName(word);
    });
    return rare.slice(0, WORDS_SPELT).flatMap((word) => {
      const trials = trialsWith(image, word) ?? 0;
      const from = tokenKey(word);
      const near = nearTo(image, kind, from)
        .filter((one) => one.trials >= trials * TIMES_AS_OFTEN && isMeant(image, from, one))
        .slice(0, NEAREST_SHOWN)
        .map(({ key, trials: others }) => ({ word: writtenWord(image, kind, key), trials: others }));
      const mended = (instead: string): string => value.replaceAll(WORD, (one) => (one === word ? instead : one));
      return nearHints(search, parameter, word, near, { isUnknown: trials === 0, mended });
    });
  });
  const { sitePlace } = query;
  if (sitePlace === undefined || isCityIn(image)(sitePlace)) return ofWords;
  const cities = nearTo(image, POSTING.siteCity, foldPlace(sitePlace))
    .slice(0, NEAREST_SHOWN)
    .map(({ key, trials }) => ({ word: writtenCity(image, key), trials }));
  return [
    ...ofWords,
    ...nearHints(search, 'sitePlace', sitePlace, cities, { isUnknown: true, mended: (city) => city }),
  ];
}

function nearTo(image: SnapshotImage, kind: string, key: string): NearKey[] {
  return nearKeys(image, kind, key, key.length > ONE_EDIT_UP_TO ? 2 : 1);
}

function nearHints(
  { query }: CountedSearch,
  parameter: string,
  word: string,
  near: readonly { word: string; trials: number }[],
  { isUnknown, mended }: { isUnknown: boolean; mended: (instead: string) => string },
): Hint[] {
  const where = TEXTS_READ[query.match ?? 'words'][parameter] ?? 'its text';
  const has = `${isUnknown ? 'No trial has' : 'Few trials have'} “${word}” in ${where}`;
  if (near.length === 0 && isUnknown) return [{ sentence: `${has}, and no known word is near.` }];
  return near.map((one) => ({
    sentence: `${has}; “${one.word}” is near, which ${trialsOf(one.trials)} ${one.trials === 1 ? 'has' : 'have'} by itself.`,
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

/** Says of a word whether it belongs to the name of a concept in the text: such a word is no slip, though no trial may have it. */
function conceptWords(image: SnapshotImage, text: string): (word: string) => boolean {
  const units = textUnits(text);
  const named = terminologyOf(image).recognise(units, text);
  const keys = new Set(named.flatMap(({ from, to }) => unitKeys(units.slice(from, to))));
  return (word) => indexKeys(word).every((key) => keys.has(key));
}

/** Trials that have the word; of a compound, its joined form or the most common of its parts. Null for no word. */
export function trialsWith(image: SnapshotImage, word: string): number | null {
  const keys = indexKeys(word);
  return keys.length === 0 ? null : Math.max(...keys.map((key) => image.posting(POSTING.text + key)?.count ?? 0));
}

/** The word with this key as the first trial that has it writes it; the key itself where it is part of a compound. */
function writtenWord(image: SnapshotImage, kind: string, key: string): string {
  const record = document(image, firstRow(image, kind + key), { detail: 'full', eligibility: false });
  const words = record.toString('utf8').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.find((word) => tokenKey(word) === key)?.toLowerCase() ?? key;
}

/** The city with this key as the first trial with a site there writes it. */
function writtenCity(image: SnapshotImage, key: string): string {
  const sites = sitesOfTrial(readTrial(image, firstRow(image, POSTING.siteCity + key)));
  return sites.find(({ city }) => city !== null && foldPlace(city) === key)?.city ?? key;
}

function firstRow(image: SnapshotImage, key: string): number {
  return pageOf(image.posting(key)!, 0, 1)[0] as number;
}

/** Says of words whether a city with sites has them as its name. */
export function isCityIn(image: SnapshotImage): (words: string) => boolean {
  return (words) => image.posting(POSTING.siteCity + foldPlace(words)) !== null;
}
