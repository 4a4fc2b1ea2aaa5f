import { z } from 'zod';
import { TWIN_BENCHMARK_EXAMPLE, TWIN_EXPERIMENT_EXAMPLE } from '../../contract/declared/twin-examples.ts';
import { MODEL_RUN_BODY_MAX_BYTES } from '../../contract/limits/limits.ts';
import * as limits from '../../contract/limits/twin.ts';
import { BETA_CELL_EXAMPLE } from '../../contract/operations/research/twin-beta-cell.ts';
import { betaCellGuideSchema } from '../../contract/schemas/research/beta-cell.ts';
import { twinGuideSchema } from '../../contract/schemas/research/twin-result.ts';
import { BETA_CELL_MODULE_VERSION, TWIN_BENCHMARK_VERSION, TWIN_EXPERIMENT_VERSION } from '../../contract/version.ts';
import betaCell from '../../data/declared/beta-cell.json' with { type: 'json' };
import experiments from '../../data/declared/twin-experiments.json' with { type: 'json' };
import * as fit from '../../twin/beta-cell/fit.ts';
import { BENCHMARK_LIMITS, DISAGREEMENT_SHARE } from '../../twin/reactions/benchmark.ts';
import { EXPERIMENT_LIMITS } from '../../twin/reactions/experiment.ts';
import { RELATIVE_TOLERANCE } from '../../twin/reactions/plan.ts';

/** Guides of the models and the fixed texts of their results, from data/declared/. */

/** Numbers that the texts name in braces. */
const NUMBERS: Readonly<Record<string, unknown>> = {
  ...limits,
  ...fit,
  MODEL_RUN_BODY_MAX_BYTES,
  DISAGREEMENT_SHARE,
  RELATIVE_TOLERANCE,
};

function withNumbers(texts: unknown): unknown {
  const filled = JSON.stringify(texts).replaceAll(
    /\{([A-Z_]+)(?:\.(\w+))?\}/g,
    (place, name: string, part?: string) => {
      const named = NUMBERS[name];
      const number = part === undefined ? named : (named as Record<string, unknown> | undefined)?.[part];
      if (typeof number !== 'number') throw new Error(`a text of data/declared/ names the unknown number ${place}`);
      return String(number);
    },
  );
  return JSON.parse(filled);
}

const text = z.string();
const betaCellSchema = z.strictObject({
  guide: betaCellGuideSchema
    .omit({ version: true, limits: true, dataset: true, example: true, inputSchema: true })
    .strict(),
  limits: z.array(text),
  limitsOfClver: z.array(text),
  limitOfSynthetic: text,
  doesNotSay: z.array(text),
  honesty: z.array(text),
  clver: z.strictObject({ population: text, populationOfSynthetic: text, assay: text }),
});
const guideSchema = twinGuideSchema.omit({ version: true, limits: true, example: true }).extend({ exampleSays: text });
const experimentsSchema = z.strictObject({
  honesty: z.array(text),
  experiment: guideSchema.strict(),
  benchmark: guideSchema.strict(),
});

export const BETA_CELL_TEXTS = betaCellSchema.parse(withNumbers(betaCell));

/** The parts of the guide that do not depend on the served snapshot. */
export const BETA_CELL_GUIDE = {
  version: BETA_CELL_MODULE_VERSION,
  ...BETA_CELL_TEXTS.guide,
  example: { call: 'POST /api/v1/twin/beta-cell', body: BETA_CELL_EXAMPLE },
};

const { honesty, experiment, benchmark } = experimentsSchema.parse(withNumbers(experiments));

export const TWIN_HONESTY: readonly string[] = honesty;
export const TWIN_EXPERIMENT_GUIDE = guide(
  experiment,
  TWIN_EXPERIMENT_VERSION,
  EXPERIMENT_LIMITS,
  TWIN_EXPERIMENT_EXAMPLE,
);
export const TWIN_BENCHMARK_GUIDE = guide(benchmark, TWIN_BENCHMARK_VERSION, BENCHMARK_LIMITS, TWIN_BENCHMARK_EXAMPLE);

function guide(
  { exampleSays, ...texts }: z.output<typeof guideSchema>,
  version: string,
  limitsOfResult: string[],
  input: Record<string, unknown>,
): z.output<typeof twinGuideSchema> {
  return { version, ...texts, limits: limitsOfResult, example: { synthetic: true, says: exampleSays, input } };
}
