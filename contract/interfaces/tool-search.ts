import type { Operation } from '../operation.ts';
import { argumentsOf, listedArguments } from './arguments.ts';

/**
 * Plain BM25 over what a list of tools shows: name, title, description and names of arguments. Clients that search tools
 * rank them so, and the texts are written to be found by it. `list_capabilities` and A2A also read, at half the weight, what a list leaves
 * out: when to use an operation and what its arguments mean; names and titles count twice there, and "trials of ..." means a search.
 */

/** The usual constants: how soon a repeated word stops counting, and how much a long text is held against it. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;

interface Entry {
  readonly id: string;
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

interface Index {
  readonly entries: readonly Entry[];
  readonly meanLength: number;
  /** In how many entries a word occurs. */
  readonly holders: ReadonlyMap<string, number>;
}

/** Weight of a word of the name and title, which say what a tool is for. */
const NAMED_WEIGHT = 2;
/** Weight of a word that a list of tools does not show. */
const UNLISTED_WEIGHT = 0.5;
/** Weight of the words that say what trials are sought, as "disease", which is no sign of a tool. */
const SUBJECT_WEIGHT = 0.3;
/** "Trials of heart failure" has no verb and means a search; the words of the disease are not those of any tool. */
const TRIALS_SOUGHT =
  /^(?!how many )(?:(?:find|show|list|get|me|all) )*(?:(?!of )[\p{L}\p{N}]+ ){0,2}trials (?:of|for|on|about|in|with)\b/iu;

type Reading = 'listed' | 'whole';
const indexes: Record<Reading, WeakMap<readonly Operation[], Index>> = { listed: new WeakMap(), whole: new WeakMap() };

/** Ids of the operations that hold a word of the query, the likeliest first; of equal ones the earlier in the list. */
export function searchTools(query: string, operations: readonly Operation[], reading: Reading = 'listed'): string[] {
  const index = indexes[reading].get(operations) ?? indexed(operations, reading);
  indexes[reading].set(operations, index);
  const words = reading === 'whole' ? wordsOfWish(query) : new Map(wordsOf(query).map((word) => [word, 1]));
  return index.entries
    .map((entry) => ({ id: entry.id, score: scoreOf(entry, words, index) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ id }) => id);
}

function indexed(operations: readonly Operation[], reading: Reading): Index {
  const entries = operations.map((operation): Entry => {
    const counts = new Map<string, number>();
    const add = (text: string, weight: number): number => {
      const words = wordsOf(text);
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + weight);
      return words.length * weight;
    };
    const nameWeight = reading === 'whole' ? NAMED_WEIGHT : 1;
    const listed = add(nameOf(operation), nameWeight) / nameWeight + add(textOf(operation), 1);
    const unlisted = reading === 'listed' ? 0 : add(unlistedText(operation), UNLISTED_WEIGHT);
    return { id: operation.id, counts, length: listed + unlisted };
  });
  const holders = new Map<string, number>();
  for (const { counts } of entries) for (const word of counts.keys()) holders.set(word, (holders.get(word) ?? 0) + 1);
  const meanLength = entries.reduce((sum, { length }) => sum + length, 0) / Math.max(entries.length, 1);
  return { entries, meanLength, holders };
}

/** An operation that is no tool is searched by its id, summary and description. */
function nameOf({ id, names, tool, summary }: Operation): string {
  return [names?.mcp ?? id, tool?.title ?? summary].join(' ');
}

function textOf(operation: Operation): string {
  const argumentNames = listedArguments(operation).map(({ name }) => name);
  return [operation.tool?.description ?? operation.description, ...argumentNames].join(' ');
}

/** Words of a query as the texts of the tools have them, each with its weight. */
function wordsOfWish(query: string): ReadonlyMap<string, number> {
  const plain = query.trim().replaceAll(/\b(?:clinical trials|studies)\b/giu, 'trials');
  const sought = TRIALS_SOUGHT.exec(plain)?.[0];
  if (sought === undefined) return new Map(wordsOf(plain).map((word) => [word, 1]));
  const subject = wordsOf(plain.slice(sought.length)).map((word) => [word, SUBJECT_WEIGHT] as const);
  return new Map([...subject, ...wordsOf(`search find ${sought}`).map((word) => [word, 1] as const)]);
}

function unlistedText(operation: Operation): string {
  const meanings = argumentsOf(operation).map(({ schema }) => schema.description ?? '');
  return [operation.summary, operation.whenToUse ?? '', ...meanings].join(' ');
}

function scoreOf(
  { counts, length }: Entry,
  words: ReadonlyMap<string, number>,
  { entries, meanLength, holders }: Index,
): number {
  const lengthFactor = 1 - LENGTH_SHARE + (LENGTH_SHARE * length) / meanLength;
  return [...words].reduce((sum, [word, weight]) => {
    const count = counts.get(word) ?? 0;
    if (count === 0) return sum;
    const holding = holders.get(word)!;
    const rarity = Math.log(1 + (entries.length - holding + 0.5) / (holding + 0.5));
    return sum + (weight * rarity * count * (SATURATION + 1)) / (count + SATURATION * lengthFactor);
  }, 0);
}

/** Words in lower case, split at everything that is no letter. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}
