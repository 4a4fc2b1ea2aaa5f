import { documents } from '../../index-server/search/documents.ts';
import type { SnapshotImage } from '../../index-server/snapshot/snapshot-image.ts';

/** Questions as people ask them, drawn from the conditions, interventions and titles of trials; equal corpora give equal questions. */

/** Trials that the words are taken from, spread evenly over the corpus. */
const TRIALS = 1000;
const LAY_NAMES = [
  ...['heart attack', 'high blood pressure', 'kidney failure', 'cancer', 'stroke', 'diabetes', 'T2D', 'blood thinners'],
  ...['breast cancer', 'lung disease', 'depression', 'infection', 'pain', 'children with cancer', 'liver disease'],
];

interface Named {
  title: string | null;
  conditions: string[];
  interventions: { name: string | null }[];
}

/** `count` different questions for match=concepts: names, two names, lay names, OR, and what is excluded. */
export function naturalQueries(image: SnapshotImage, count: number): string[] {
  const trials = spread(image);
  const conditions = trials.flatMap((trial) => trial.conditions);
  const interventions = trials.flatMap((trial) => trial.interventions.flatMap(({ name }) => name ?? []));
  const words = trials.flatMap(({ title }) => title?.match(/[A-Za-z]{4,}/g) ?? []);
  const found = new Set<string>();
  // Prime strides keep the names of a question apart.
  for (let place = 0; found.size < count && place < count * LAY_NAMES.length; place++) {
    const pick = (from: readonly string[], stride: number): string => from[(place * stride) % from.length] ?? 'trial';
    const [condition, other] = [pick(conditions, 31), pick(conditions, 17)];
    const [intervention, word, lay] = [pick(interventions, 13), pick(words, 101), pick(LAY_NAMES, 7)];
    const questions = [
      condition,
      `${intervention} for ${condition}`,
      `${lay} ${word}`,
      `${condition} OR ${other}`,
      `${condition} -${word}`,
      `${lay} OR ${condition} OR ${other}`,
      `${intervention} ${word}`,
    ];
    found.add(questions[place % questions.length] as string);
  }
  return [...found];
}

/** `count` different questions that few trials answer or none: a word with a letter left out beside another word. */
export function misspeltQueries(image: SnapshotImage, count: number): string[] {
  const words = [...new Set(spread(image).flatMap(({ title }) => title?.match(/[A-Za-z]{6,}/g) ?? []))];
  const found = new Set<string>();
  for (let place = 0; found.size < count && place < count * 4; place++) {
    const [word, other] = [words[(place * 31) % words.length] ?? 'trials', words[(place * 17 + 5) % words.length]];
    const at = 1 + (place % (word.length - 2));
    found.add(`${word.slice(0, at)}${word.slice(at + 1)} ${other}`);
  }
  return [...found];
}

function spread(image: SnapshotImage): Named[] {
  const step = Math.max(1, Math.floor(image.trials / TRIALS));
  const rows = Array.from({ length: Math.min(TRIALS, image.trials) }, (_, place) => place * step);
  return JSON.parse(documents(image, rows, { detail: 'brief', eligibility: false }).toString('utf8'));
}
