import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Share } from './measure.ts';
import { type Answered, answers, type JudgedQuery, MODES, sum } from './measures/natural-queries.ts';
import type { Served } from './served.ts';

/** Measures a file of questions with the trials that are right for each: `npm run truth -- --questions FILE`. */

const fileSchema = z.object({
  queries: z
    .array(
      z.object({ q: z.string().min(1), kind: z.string().default('without a kind'), relevant: z.array(z.string()) }),
    )
    .min(1),
});
/** A question below this in precision or recall is listed with its trials. */
const WANTED = 0.95;
const LISTED_MAX = 40;

/** The questions of a file, or what is wrong with it. */
export function readQuestions(path: string): { questions: JudgedQuery[] } | { fault: string } {
  try {
    return { questions: fileSchema.parse(JSON.parse(readFileSync(path, 'utf8'))).queries };
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    return { fault: `${path} holds no questions: ${why}` };
  }
}

export async function measuredQuestions(served: Served, questions: readonly JudgedQuery[]): Promise<string> {
  const all = await answers(served, questions);
  const kinds = [...new Set(questions.map(({ kind }) => kind))];
  const lines = MODES.flatMap((mode) => {
    const of = all.filter((one) => one.mode === mode);
    return [
      lineOf(`all, by ${mode}`, of),
      ...kinds.map((kind) =>
        lineOf(
          `${kind}, by ${mode}`,
          of.filter((one) => one.kind === kind),
        ),
      ),
    ];
  });
  const low = all.filter(
    ({ mode, precision, recall }) => mode === 'concepts' && Math.min(of1(precision), of1(recall)) < WANTED,
  );
  return [...lines, '', ...low.flatMap(missesOf), ''].join('\n');
}

function lineOf(what: string, answered: readonly Answered[]): string {
  const [precision, recall] = [sum(answered.map((one) => one.precision)), sum(answered.map((one) => one.recall))];
  return `${what}: ${answered.length} questions, precision ${shown(precision)}, recall ${shown(recall)}`;
}

function missesOf({ q, precision, recall, wrong, missed }: Answered): string[] {
  return [
    `${q}: precision ${shown(precision)}, recall ${shown(recall)}`,
    `  wrong: ${wrong.slice(0, LISTED_MAX).join(' ')}`,
    `  missed: ${missed.slice(0, LISTED_MAX).join(' ')}`,
  ];
}

function of1({ hits, of }: Share): number {
  return of === 0 ? 1 : hits / of;
}

function shown(share: Share): string {
  return `${of1(share).toFixed(3)} (${share.hits}/${share.of})`;
}
