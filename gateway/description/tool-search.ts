import { argumentsOf } from '../../contract/arguments.ts';
import type { Operation } from '../../contract/operation.ts';
import { namesOf } from './tool-names.ts';

/**
 * Finds operations by what they do: BM25 over names, titles, descriptions and arguments, as clients that search tools rank
 * them. The names count more than once, since they are chosen for what an agent asks.
 */

/** The usual constants of BM25: how soon a repeated word stops counting, and how much a long text is held against it. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.6;
const NAME_WEIGHT = 3;
const TITLE_WEIGHT = 3;
const DESCRIPTION_WEIGHT = 2;
/** What is no tool, files and probes and keys, is seldom what an agent means. */
const NO_TOOL_SHARE = 0.6;

interface Entry {
  operation: Operation;
  counts: Map<string, number>;
  length: number;
}

interface Index {
  entries: Entry[];
  meanLength: number;
  /** In how many entries a word occurs. */
  holders: Map<string, number>;
}

const indexes = new WeakMap<readonly Operation[], Index>();

/** The operations that fit the words best, the likeliest first; none that holds no word of them. */
export function searchTools(operations: readonly Operation[], wish: string, most: number): Operation[] {
  const index = indexes.get(operations) ?? indexed(operations);
  indexes.set(operations, index);
  const words = [...new Set(wordsOf(wish))];
  return index.entries
    .map((entry) => ({ entry, score: scoreOf(entry, words, index) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ entry }) => entry.operation);
}

function indexed(operations: readonly Operation[]): Index {
  const entries = operations.map((operation): Entry => {
    const counts = new Map<string, number>();
    for (const [text, weight] of textsOf(operation)) {
      for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + weight);
    }
    return { operation, counts, length: [...counts.values()].reduce((sum, count) => sum + count, 0) };
  });
  const holders = new Map<string, number>();
  for (const { counts } of entries) for (const word of counts.keys()) holders.set(word, (holders.get(word) ?? 0) + 1);
  const meanLength = entries.reduce((sum, { length }) => sum + length, 0) / Math.max(entries.length, 1);
  return { entries, meanLength, holders };
}

function textsOf(operation: Operation): [text: string, weight: number][] {
  const { summary, description, whenToUse = '', tool } = operation;
  return [
    [namesOf(operation).join(' '), NAME_WEIGHT],
    [tool?.title ?? summary, TITLE_WEIGHT],
    [tool?.description ?? description, DESCRIPTION_WEIGHT],
    [tool === undefined ? whenToUse : `${summary} ${description} ${whenToUse}`, 1],
    ...argumentsOf(operation).map(({ name, schema }): [string, number] => [`${name} ${schema.description ?? ''}`, 1]),
  ];
}

function scoreOf(
  { operation, counts, length }: Entry,
  words: readonly string[],
  { entries, meanLength, holders }: Index,
): number {
  const lengthFactor = 1 - LENGTH_SHARE + (LENGTH_SHARE * length) / meanLength;
  const share = operation.names?.mcp === undefined ? NO_TOOL_SHARE : 1;
  const score = words.reduce((sum, word) => {
    const count = counts.get(word) ?? 0;
    if (count === 0) return sum;
    const holding = holders.get(word)!;
    const rarity = Math.log(1 + (entries.length - holding + 0.5) / (holding + 0.5));
    return sum + (rarity * count * (SATURATION + 1)) / (count + SATURATION * lengthFactor);
  }, 0);
  return share * score;
}

/** Words in lower case, `searchTrials` as two, plurals as singulars. */
function wordsOf(text: string): string[] {
  const spaced = text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return (spaced.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !NOT_TELLING.has(word)).map(singular);
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

const NOT_TELLING: ReadonlySet<string> = new Set(
  'a an and are as at be by can do for from have how i in is it its me my of on or that the their them there this to was what when where which who with you your'.split(
    ' ',
  ),
);
