import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { nearWords, type WordSource } from '../../index-server/search/vocabulary.ts';
import { POSTING } from '../../snapshot/format/serving-columns.ts';
import { Random } from '../generator/random.ts';
import { type Latency, latencyOf } from './latency.ts';
import { machine, note, number, writeResults } from './report.ts';

export const SPELLING_HELP = `       npm run bench -- spelling [--words 600000] [--seed 1] [--json]

Makes that many words by chains of letters of the MeSH headings and looks up the near spellings of 300 of them with one or two
slips: one word, and three, as many as a request has of a parameter. Each is asked nine times and its fastest call counts, so
that a busy machine tells nearly what a quiet one does.
`;

const HEADINGS = new URL('../../data/terminology/mesh.tsv.gz', import.meta.url);
const ASKED = 300;
const TOGETHER = 3;
const ROUNDS = 9;
const NEAREST = 3;
const STREAM = 1;
/** A chain of letters goes on by its last ones. */
const CONTEXT = 3;
const [SHORTEST, LONGEST] = [3, 24];
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const END = ' ';

interface Results {
  machine: ReturnType<typeof machine>;
  words: number;
  firstMs: number;
  calls: Record<string, Latency>;
}

export async function benchSpelling(words: number, seed: number, json: boolean): Promise<void> {
  note(`making ${words} words`);
  const random = new Random(seed, STREAM, 0);
  const known = wordsLike(headingWords(), words, random);
  const source = sourceOf(known);
  const slips = Array.from({ length: ASKED }, () => misspelt(random.pick(known), random));
  const lookUp = (word: string): unknown => nearWords(source, word, NEAREST);
  const firstMs = elapsedMs(() => lookUp(slips[0]!));

  const one = fastestOf(slips, lookUp);
  const three = Array.from({ length: ASKED / TOGETHER }, (_, place) =>
    one.slice(place * TOGETHER, (place + 1) * TOGETHER).reduce((sum, ms) => sum + ms, 0),
  );
  const calls = { 'one word': latencyOf(one), 'three words, one after the other': latencyOf(three) };
  const results: Results = { machine: machine(), words, firstMs, calls };
  await writeResults('spelling', results);
  process.stdout.write(json ? `${JSON.stringify(results)}\n` : table(results));
}

function headingWords(): string[] {
  const headings = gunzipSync(readFileSync(HEADINGS)).toString('utf8').split('\n').slice(1);
  return headings.flatMap(
    (line) =>
      line
        .split('\t')[1]
        ?.toLowerCase()
        .match(/[a-z]+/g) ?? [],
  );
}

/** Different words whose letters follow on each other as in these; sorted. */
function wordsLike(examples: readonly string[], count: number, random: Random): string[] {
  const following = new Map<string, string[]>();
  for (const word of examples) {
    const text = END.repeat(CONTEXT) + word + END;
    for (let at = CONTEXT; at < text.length; at++) {
      const before = text.slice(at - CONTEXT, at);
      const letters = following.get(before) ?? [];
      following.set(before, letters);
      letters.push(text.charAt(at));
    }
  }
  const found = new Set<string>();
  while (found.size < count) {
    let text = END.repeat(CONTEXT);
    while (text.length <= LONGEST + CONTEXT && (text.length === CONTEXT || !text.endsWith(END))) {
      text += random.pick(following.get(text.slice(-CONTEXT)) ?? [END]);
    }
    const word = text.trim();
    if (word.length >= SHORTEST && word.length <= LONGEST) found.add(word);
  }
  return [...found].sort();
}

/** What an image shows of these words; each has as many trials as its key has letters. */
function sourceOf(words: readonly string[]): WordSource {
  const keys = words.map((word) => POSTING.text + word);
  const offsets = new Int32Array(keys.length + 1);
  keys.forEach((key, place) => {
    offsets[place + 1] = (offsets[place] as number) + key.length;
  });
  return {
    keys: { offsets, bytes: Buffer.from(keys.join('')) },
    keysWith: () => ({ from: 0, to: keys.length }),
    countAt: (place) => keys[place]!.length,
  };
}

function misspelt(word: string, random: Random): string {
  let slipped = word;
  for (let slips = random.between(1, 2); slips > 0; slips--) {
    const at = random.below(slipped.length);
    const [before, after] = [slipped.slice(0, at), slipped.slice(at)];
    const letter = random.pick(LETTERS);
    slipped = random.pick([before + letter + after, before + letter + after.slice(1), before + after.slice(1)]);
  }
  return slipped.length > 3 ? slipped : word + word;
}

function fastestOf<T>(subjects: readonly T[], work: (subject: T) => unknown): number[] {
  const fastest = subjects.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    subjects.forEach((subject, place) => {
      fastest[place] = Math.min(
        fastest[place] as number,
        elapsedMs(() => work(subject)),
      );
    });
  }
  return fastest;
}

function elapsedMs(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function table({ words, firstMs, calls, machine: { cpu, cores, node } }: Results): string {
  const rows = Object.entries(calls).map(
    ([name, { p50Ms, p99Ms, maxMs, count }]) =>
      `| ${name} | ${number(p50Ms, 2)} | ${number(p99Ms, 2)} | ${number(maxMs, 2)} | ${count} |`,
  );
  return `near spellings among ${words} words; the first look-up, which reads them all, took ${number(firstMs)} ms
${cores} x ${cpu}, Node ${node}

| look-up | p50, ms | p99, ms | longest, ms | asked |
|---|---|---|---|---|
${rows.join('\n')}
`;
}
