import { z } from 'zod';
import { REGISTRY_IDS } from '../../ids.ts';
import { registryAnswer, registryDataDay } from './registry-answer.ts';

/** Counts of trials by the period of their start: an addition to the interface. */

export const TREND_PERIODS = ['year', 'quarter'] as const;
export type TrendPeriod = (typeof TREND_PERIODS)[number];
export const TREND_SPLITS = ['phase', 'modality', 'status', 'country'] as const;
export type TrendSplit = (typeof TREND_SPLITS)[number];

/** Values that have a series of their own; the others share one. */
export const TREND_MAX_SERIES = 12;
/** Two and a half centuries of quarters: registries hold wrong years, and one must not make an answer of megabytes. */
export const TREND_MAX_PERIODS = 1000;

const count = z.int().min(0);
const known = count
  .nullable()
  .describe('null: none is held, but a registry that the query covers never answered; never zero');

const series = z.object({
  trials: count.describe('distinct trials, with or without a start'),
  withoutStart: count.describe('those of them that state no start'),
  counts: z.array(known).describe('distinct trials in each period, in the order of periods'),
});

export const trendSchema = z.object({
  asOf: z.iso.date().describe('the day of the snapshot: later starts are planned'),
  by: z.enum(TREND_PERIODS),
  split: z.enum(TREND_SPLITS).nullable().describe('null where the trials are not split'),
  trials: count.describe('distinct trials that match, as the coverage of the same query counts them'),
  withStart: count.describe('those that state a start, by day or by month'),
  withoutStart: count.describe('those that state none: they are in no period'),
  registries: z.array(
    z.object({
      registry: z.enum(REGISTRY_IDS),
      state: registryAnswer,
      dataDay: registryDataDay,
      trials: count
        .nullable()
        .describe('matching trials that hold a registration of it; never to be summed across registries'),
    }),
  ),
  periods: z
    .array(
      z.object({
        period: z.string().describe('2024, or 2024-Q3'),
        from: z.iso.date(),
        to: z.iso.date(),
        ended: z
          .boolean()
          .describe(
            'whether it ended before asOf and before the data of every registry that the query covers; where not, its count is not whole, and some of its starts are planned',
          ),
        planned: z
          .boolean()
          .describe(
            'whether it begins after asOf, so that all its starts are planned and none has happened; an addition to the interface',
          ),
        trials: known,
      }),
    )
    .describe('every period from the first start to the last, without gaps; their trials sum to withStart'),
  series: z
    .object({
      exclusive: z
        .boolean()
        .describe('true: a trial is in exactly one series, so they sum; false: it may be in several, so they do not'),
      basis: z.enum(['registry', 'derived']).describe('derived: inferred, a judgement and no registry fact'),
      shown: z
        .array(series.extend({ value: z.string() }))
        .describe(`at most ${TREND_MAX_SERIES}: the values with the most trials, most first`),
      others: series
        .extend({ values: count.describe('how many values are behind it') })
        .nullable()
        .describe('trials with any further value, each once; null where every value is shown'),
      withoutValue: series.nullable().describe('trials without any value; null where there are none'),
    })
    .nullable()
    .describe('null where the trials are not split'),
});
export type TrendRecord = z.infer<typeof trendSchema>;
