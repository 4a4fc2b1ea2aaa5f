import { setImmediate } from 'node:timers/promises';
import type { RegistryId } from '../../../contract/ids.ts';
import type { FewResultsRecord } from '../../../contract/schemas/trials/few-results.ts';
import { READING_PARAMETERS, trialFilterParameters } from '../../../contract/trial-filters.ts';
import { registryStates } from '../../../snapshot/format/registry-answer.ts';
import { type CompletenessField, foldPlace, POSTING } from '../../../snapshot/format/serving-columns.ts';
import type { Manifest } from '../../../snapshot/format/versions/manifest.ts';
import { parseQuery } from '../../../snapshot/format/words/query.ts';
import { operatorsIn, type QueryPiece, wordsIn } from '../../../snapshot/format/words/query-syntax.ts';
import { textUnits, tokenKey, unitKeys } from '../../../snapshot/format/words/tokens.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { terminologyOf } from '../concepts/image-terminology.ts';
import { statedCount } from '../counting/stated-fields.ts';
import { type DocumentOptions, document } from '../documents.ts';
import type { TrialFilters } from '../filters.ts';
import { ImageCache } from '../image-cache.ts';
import { pageOf } from '../row-set.ts';
import { nearPlaces, nearWords } from '../vocabulary.ts';
import { betterQuestion } from './better-question.ts';
import { otherAddress, type SentRequest } from './other-address.ts';

/** An answer with fewer trials says what each filter costs. */
export const FEW_TRIALS = 10;
const WORDS_TRIED = 8;
const WORDS_SPELT = 3;
const NEAREST_SHOWN = 3;
const NEAREST_TRIED = 12;
/** One typo in a record makes it a known word: a near word that so many times as many trials have is offered all the same. */
const TIMES_AS_OFTEN = 20;
const KEPT_ANSWERS = 500;
const HOW = Object.keys(READING_PARAMETERS);

/** Filters, and how `q` is read. */
type AskedFilters = TrialFilters & { match?: 'words' | 'concepts' | undefined };

export interface FewAsked<Asked extends AskedFilters> extends SentRequest {
  image: SnapshotImage;
  manifest: Manifest;
  /** As parsed. */
  query: Asked;
  total: number;
  /** Trials of the same request by concepts, where it is one by words. */
  byConcepts?: number | undefined;
  /** Trials of the same request with other filters. */
  countOf: (query: Asked) => Promise<number>;
}

const kept = new ImageCache<FewResultsRecord>(KEPT_ANSWERS);

/** What an answer with fewer than FEW_TRIALS trials adds to `_meta`; nothing where there are enough. */
export async function fewResults<Asked extends AskedFilters>(
  asked: FewAsked<Asked>,
): Promise<{ fewResults?: FewResultsRecord }> {
  const { image, manifest, query, total, path, applied } = asked;
  if (total >= FEW_TRIALS) return {};
  const given = new Map<string, unknown>(Object.entries(query));
  const filters = Object.keys(trialFilterParameters).filter((name) => given.get(name) !== undefined);
  const key = JSON.stringify([path, applied]);
  const known = kept.get(image, key);
  if (known !== undefined) return { fewResults: known };
  const without = await withoutEach(asked, filters);
  const rather = await ratherOf(asked, without);
  const made = {
    total,
    without,
    ...(rather && { rather }),
    ...(await keywordOf(asked)),
    spelling: [
      ...SPELT.flatMap(([parameter, prefix]) => spellingOf(asked, parameter, prefix)),
      ...placeSpellingOf(asked),
    ],
    text: textOf(image, manifest),
  };
  kept.set(image, key, made);
  return { fewResults: made };
}

/** Other requests are served between two counts. */
async function withoutEach<Asked extends AskedFilters>(
  asked: FewAsked<Asked>,
  filters: readonly string[],
): Promise<FewResultsRecord['without']> {
  const { query, applied, countOf } = asked;
  const found: FewResultsRecord['without'] = [];
  const add = async (parameter: string, dropped: string, value: string | undefined): Promise<void> => {
    const total = await countOf({ ...query, [parameter]: value });
    found.push({ parameter, dropped, total, call: otherAddress(asked, { [parameter]: value }) });
    await setImmediate();
  };
  const { q, match } = query;
  const pieces = q === undefined ? [] : match === 'concepts' ? wordsIn(q) : piecesOf(q);
  if (pieces.length > 1) {
    for (const { piece, rest } of pieces.slice(0, WORDS_TRIED)) if (!isLetters(rest)) await add('q', piece, rest);
  }
  const asking = filters.filter((name) => !HOW.includes(name));
  // Without the only filter every trial is found, which says nothing of it.
  if (asking.length > 1) for (const name of asking) await add(name, applied[name] ?? '', undefined);
  return found;
}

/** A question that finds more. Where one word less does, no more words need to leave, and none where concepts find as much. */
async function ratherOf<Asked extends AskedFilters>(
  asked: FewAsked<Asked>,
  without: FewResultsRecord['without'],
): Promise<FewResultsRecord['rather'] | null> {
  const { image, query, total, byConcepts = 0, countOf } = asked;
  if (typeof query.q !== 'string' || operatorsIn(query.q).length > 0) return null;
  const pieces = piecesOf(query.q).map(({ piece }) => piece);
  const isCity = (words: string): boolean => image.posting(POSTING.siteCity + foldPlace(words)) !== null;
  const found = await betterQuestion({ query, pieces, total, countOf, isCity });
  if (found === null || found.total <= byConcepts || (found.q !== null && isLetters(found.q))) return null;
  const oneLess = without.some((one) => one.parameter === 'q' && one.dropped !== query.q && one.total > total);
  if (Object.keys(found.filters).length === 0 && oneLess) return null;
  return { ...found, call: otherAddress(asked, { ...found.filters, q: found.q ?? undefined }) };
}

/** Filters whose words may stand among the keywords of a registry instead. */
const WORDS_ELSEWHERE = ['q', 'condition', 'intervention'] as const;

/** The words of a filter as keywords: all of them, else those that no trial has in the texts that the filter reads. */
async function keywordOf<Asked extends AskedFilters>(
  asked: FewAsked<Asked>,
): Promise<Pick<FewResultsRecord, 'keyword'>> {
  const { image, query, countOf } = asked;
  if (query.keyword !== undefined) return {};
  for (const parameter of WORDS_ELSEWHERE) {
    const text = query[parameter];
    if (text === undefined || operatorsIn(text).length > 0) continue;
    const pieces = piecesOf(text).map(({ piece }) => piece);
    const isKnown = (piece: string): boolean =>
      piece.split(BETWEEN_WORDS).every((word) => trialsWith(image, word) !== 0);
    const unknown = pieces.filter((piece) => !isKnown(piece));
    const known = pieces.filter(isKnown);
    for (const [words, rest] of [
      [pieces, []],
      [unknown, known],
    ] as const) {
      if (words.length === 0) continue;
      const value = words.join(' ');
      const changed = { [parameter]: rest.length === 0 ? undefined : rest.join(' '), keyword: value };
      const total = await countOf({ ...query, ...changed });
      const further = total - (total === 0 ? 0 : await countOf({ ...query, keyword: value }));
      await setImmediate();
      if (further <= 0) continue;
      const call = otherAddress(asked, changed);
      return { keyword: { parameter, value, ...(rest.length > 0 && { rest: rest.join(' ') }), total, further, call } };
    }
  }
  return {};
}

/** The "phrases" and words of a query as they were sent, each with the query without it. */
function piecesOf(q: string): QueryPiece[] {
  const found = q.match(/["\u201c-\u201f][^"\u201c-\u201f]*["\u201c-\u201f]|\S+/gu) ?? [];
  const pieces = found.filter((piece) => parseQuery(piece).length > 0);
  return pieces.map((piece, place) => ({ piece, rest: pieces.filter((_, other) => other !== place).join(' ') }));
}

/** Only single letters, as A of "hemophilia A", which ask for nothing by themselves. */
function isLetters(text: string): boolean {
  return text.split(BETWEEN_WORDS).every((word) => [...word].length < 2);
}

const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}'’-]+/u;
const WORD = /[\p{L}\p{M}\p{N}'’-]+/gu;

/** Parameters made of words, with the keys under which the image has them. */
const SPELT = [
  ['q', POSTING.text],
  ['intervention', POSTING.intervention],
  ['sponsor', POSTING.sponsor],
  // A condition is matched as a whole term; its words are those of the texts.
  ['condition', POSTING.text],
] as const;

function spellingOf<Asked extends AskedFilters>(
  asked: FewAsked<Asked>,
  parameter: (typeof SPELT)[number][0],
  prefix: string,
): FewResultsRecord['spelling'] {
  const { image, query } = asked;
  const value = query[parameter];
  if (value === undefined) return [];
  const isName = parameter === 'sponsor' ? () => false : conceptWords(image, value);
  const words = [...new Set(value.split(BETWEEN_WORDS))].map((word) => ({ word, trials: trialsWith(image, word) }));
  const found = words
    .filter(({ word, trials }) => trials !== null && trials < FEW_TRIALS && !isName(word))
    .slice(0, WORDS_SPELT)
    .map(({ word, trials }) => {
      const least = (trials ?? 0) * TIMES_AS_OFTEN;
      const from = tokenKey(word);
      const nearest = nearWords(image, from, NEAREST_TRIED, least).flatMap(({ key, edits }) => {
        const posting = image.posting(prefix + key);
        if (posting === null || posting.count < least || !isMeant(image, { from, key, edits })) return [];
        const [first] = pageOf(posting, 0, 1);
        const near = wordOf(image, first as number, key);
        const mended = value.replaceAll(WORD, (one) => (one === word ? near : one));
        return [{ word: near, edits, trials: posting.count, call: otherAddress(asked, { [parameter]: mended }) }];
      });
      return { parameter, word, nearest: nearest.slice(0, NEAREST_SHOWN), known: trials };
    });
  // A word that some trials have is a slip only where a near one is far more common.
  return found.flatMap(({ known, ...one }) => (known === 0 || one.nearest.length > 0 ? [one] : []));
}

/** Up to this length a word two edits away must have the same letters: of "crispr" crisis is no spelling, of "athsma" asthma is. */
const SHORT_LETTERS = 6;

/** Two edits lead to many words: such a one must begin alike and belong to the name of a disease or substance. */
function isMeant(image: SnapshotImage, { from, key, edits }: { from: string; key: string; edits: number }): boolean {
  if (edits === 1) return true;
  if (from.length <= SHORT_LETTERS && [...from].sort().join('') !== [...key].sort().join('')) return false;
  return key[0] === from[0] && terminologyOf(image).hasWord(key);
}

/** Whether a word belongs to the name of a concept in the text: such a word is no slip, though no trial may have it. */
function conceptWords(image: SnapshotImage, text: string): (word: string) => boolean {
  const units = textUnits(text);
  const named = terminologyOf(image).recognise(units, text);
  const keys = new Set(named.flatMap(({ from, to }) => unitKeys(units.slice(from, to))));
  return (word) => unitKeys(textUnits(word)).every((key) => keys.has(key));
}

/** A city is matched by its whole name. */
function placeSpellingOf<Asked extends AskedFilters>(asked: FewAsked<Asked>): FewResultsRecord['spelling'] {
  const { image, query } = asked;
  const { sitePlace } = query;
  if (sitePlace === undefined || image.posting(POSTING.siteCity + foldPlace(sitePlace)) !== null) return [];
  const nearest = nearPlaces(image, foldPlace(sitePlace), NEAREST_SHOWN).map(({ key, edits, trials }) => {
    const [first] = pageOf(image.posting(POSTING.siteCity + key)!, 0, 1);
    const word = cityOf(image, first as number, key);
    return { word, edits, trials, call: otherAddress(asked, { sitePlace: word }) };
  });
  return [{ parameter: 'sitePlace', word: sitePlace, nearest }];
}

/** The city with this key as the first trial with a site there writes it. */
function cityOf(image: SnapshotImage, row: number, key: string): string {
  const record = document(image, row, { detail: 'full', eligibility: false }).toString('utf8');
  const cities = record.matchAll(/"city":("(?:[^"\\]|\\.)*")/gu).map(([, city]) => JSON.parse(city!) as string);
  return cities.find((city) => foldPlace(city) === key) ?? key;
}

/** Trials that have the word; of a compound, its joined form or the most common of its parts. Null for no word. */
function trialsWith(image: SnapshotImage, word: string): number | null {
  const keys = unitKeys(textUnits(word));
  return keys.length === 0 ? null : Math.max(...keys.map((key) => image.posting(POSTING.text + key)?.count ?? 0));
}

/** The word with this key as the first trial that has it writes it; the key itself where it is part of a compound. */
function wordOf(image: SnapshotImage, row: number, key: string): string {
  const fields: DocumentOptions = { detail: 'full', eligibility: false };
  // The record begins with its head, and most words stand there: the rest is long, and part of it is packed.
  const found = writtenIn(image.slice(row, 'head'), key) ?? writtenIn(document(image, row, fields), key);
  return found?.toLowerCase() ?? key;
}

/** The first word of a text with this key. */
function writtenIn(text: Buffer, key: string): string | undefined {
  return text
    .toString('utf8')
    .match(/[\p{L}\p{M}\p{N}]+/gu)
    ?.find((word) => tokenKey(word) === key);
}

function textOf(image: SnapshotImage, manifest: Manifest): FewResultsRecord['text'] {
  return registryStates(manifest).map(({ registry, state }) => ({
    registry,
    state,
    ...(state === 'unanswered' ? { registrations: null, withText: null } : withText(image, registry)),
  }));
}

function withText(image: SnapshotImage, registry: RegistryId) {
  const stated = (field: CompletenessField) => statedCount(image, registry, [field]);
  return {
    registrations: stated('title').registrations,
    withText: {
      title: stated('title').stated,
      conditions: stated('conditions').stated,
      interventions: stated('interventionNames').stated,
      sponsor: stated('sponsor').stated,
    },
  };
}
