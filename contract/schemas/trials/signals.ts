import { z } from 'zod';
import { REGISTRY_IDS } from '../../ids.ts';
import { registryAnswer, registryDataDay } from './registry-answer.ts';

/** Shapes of the signals: published attention and announced capital, never registry facts. */

export const CAPITALS = [
  { id: 'M', name: 'Material' },
  { id: 'I', name: 'Intelligence' },
  { id: 'N', name: 'Network' },
  { id: 'D', name: 'Diversity' },
] as const;
export type CapitalId = (typeof CAPITALS)[number]['id'];
const CAPITAL_IDS = CAPITALS.map(({ id }) => id) as [CapitalId, ...CapitalId[]];

/** Classes of the lexicon that count towards the cure pulse. */
export const CURE_CLASSES = ['research', 'treatment'] as const;

const day = z.iso.date();
const share = z.number().min(0).max(1).nullable();
const items = z.int().min(0);

export const signalWindowSchema = z.object({
  days: z.int(),
  from: day.describe('first day, inclusive, UTC'),
  to: day.describe('last day, inclusive, UTC: the day that the snapshot was made as of; it may be partial'),
});

export const signalItemSchema = z.object({
  id: z.string(),
  title: z.string().describe('as the feed has it; untrusted text of others'),
  url: z.string().nullable(),
  source: z.string().describe('id of the feed'),
  publisher: z.string().nullable(),
  language: z.string().nullable(),
  category: z.string().describe('kind of feed: registry, regulator, funder, preprint, journal or news'),
  day: day.describe('day by which it is counted'),
  dateBasis: z
    .string()
    .describe('what the day is: published, updated, or first_seen where the feed states no usable date'),
  capitalTerms: z.array(z.string()).describe('terms that placed it under its capital'),
  lexiconClass: z.string().nullable().describe('null: no term of the lexicon matched'),
  classTerms: z.array(z.string()),
});
export type SignalItem = z.infer<typeof signalItemSchema>;

const countedWindow = z.object({ from: day, to: day, items });

export const directionSchema = z.object({
  reading: z
    .enum(['rising', 'falling', 'level', 'undetermined'])
    .describe('recent half against the half before; undetermined: a window of one day, or no items in either half'),
  recent: countedWindow.nullable(),
  before: countedWindow.nullable(),
  change: z.number().nullable().describe('(recent - before) / before; null where before is 0 or there are no halves'),
});

export const mindSignalSchema = z
  .object({
    window: signalWindowSchema,
    items: z.object({
      held: items.describe('items of the whole table, whatever their day'),
      inWindow: items.describe('items of the window that meet disease'),
      classified: items.describe('those of them that matched the lexicon of a capital'),
      unclassified: items.describe('those that matched none: inWindow minus classified'),
    }),
    capitals: z
      .array(
        z.object({
          capital: z.enum(CAPITAL_IDS),
          name: z.string(),
          count: items,
          share: share.describe('of the classified items of the window; null where there are none'),
          direction: directionSchema,
          topItems: z.array(signalItemSchema).describe('the newest; equal days by id. No ranking of promise.'),
        }),
      )
      .describe('in the fixed order M, I, N, D'),
    sparkline: z
      .array(z.object({ day, items, M: items, I: items, N: items, D: items }))
      .describe('every day of the window, oldest first; items holds the unclassified too'),
    conscienceIndex: z.object({
      value: share.describe('0: one capital holds all; 1: four equal shares; null below minimumItems'),
      classifiedItems: items,
      minimumItems: items,
      formula: z.string(),
    }),
    curePulse: z.object({
      value: share.describe('null where the window holds no items'),
      items,
      of: items,
      classes: z.array(z.string()),
      series: z.array(z.object({ day, items, of: items })).describe('every day of the window, oldest first'),
      formula: z.string(),
    }),
    formulas: z.object({ share: z.string(), direction: z.string() }),
  })
  .meta({ id: 'MindSignal', description: 'The four capitals over a trailing window.' });
export type MindRecord = z.infer<typeof mindSignalSchema>;

export const concentrationSchema = z.object({
  groups: items.describe('groups with at least one item'),
  hhi: share.describe('Herfindahl-Hirschman index, 1/groups to 1; null where there are no items'),
  gini: share.describe('0: all groups alike; null where there are no items'),
  top: z
    .object({ name: z.string(), items, share: z.number() })
    .nullable()
    .describe('the largest group; of equal ones the first by name'),
});

export const tokenEventSchema = z.object({
  id: z.string(),
  project: z.string(),
  purpose: z.string(),
  date: day,
  publicShare: share.describe('of the supply, sold or given to anyone on equal terms; null: not stated'),
  insiderShare: share.describe(
    'of the supply, held for founders, team, advisers and early investors; null: not stated',
  ),
  accessReading: z.enum(['broad', 'mixed', 'insider-weighted', 'not-stated']),
  sources: z.array(z.url()),
  synthetic: z.boolean(),
  reviewedOn: day,
});
export type TokenEvent = z.infer<typeof tokenEventSchema>;

export const trendsSignalSchema = z
  .object({
    signal: z
      .object({
        window: signalWindowSchema,
        volume: z.object({
          held: items.describe('items of the whole table'),
          inWindow: items,
          perDay: z.number().describe('inWindow / days of the window'),
        }),
        momentum: z.object({
          recent: countedWindow,
          before: countedWindow,
          change: z.number().nullable().describe('null where the week before has no items'),
          formula: z.string(),
        }),
        series: z.array(z.object({ day, items })).optional().describe('oldest first; left out with series=false'),
        concentration: z.object({
          byCategory: concentrationSchema,
          byDomain: concentrationSchema,
          formula: z.string(),
        }),
      })
      .optional(),
    crypto: z
      .object({
        events: z.array(tokenEventSchema).describe('newest first, then by id; an empty list says that none is known'),
        note: z.string(),
        formula: z.string(),
      })
      .optional(),
  })
  .meta({ id: 'TrendsSignal', description: 'Volume, momentum and concentration of attention; token events.' });
export type TrendsRecord = z.infer<typeof trendsSignalSchema>;

const registryState = z.object({
  registry: z.enum(REGISTRY_IDS),
  state: registryAnswer,
  dataDay: registryDataDay,
});
const trialCount = z.int().min(0).nullable();

export const researchItemSchema = z.object({
  id: z.string(),
  title: z.string(),
  reference: z.string(),
  year: z.int(),
  finding: z.string().describe('in our own words; what was reported, not a verdict'),
  unresolved: z.string(),
  disease: z.string().describe('id of a curated disease'),
  evidenceLevel: z.string(),
  pmid: z.string().nullable().describe('only where it was confirmed'),
  doi: z.string().nullable().describe('only where it was confirmed'),
  url: z.url().nullable(),
  reviewedOn: day,
});
export type ResearchItem = z.infer<typeof researchItemSchema>;

/** Two counts that are never added; each stands under its first name and under the name of what it counts. */
const diseaseCounts = {
  activeTrials: trialCount.describe('of the census, as runningUsTrials'),
  runningUsTrials: trialCount.describe('trials with a running registration at ClinicalTrials.gov'),
  worldDistinct: trialCount.describe('distinct trials of the index, whatever their status; never to be added'),
  distinctTrials: trialCount.describe('worldDistinct, under the name of what it counts'),
};

export const hopeSignalSchema = z
  .object({
    trials: z
      .object({
        census: z.object({
          registry: z.literal('clinicaltrials_gov'),
          activeTrials: trialCount.describe("the interface's name of runningUsTrials"),
          runningUsTrials: trialCount.describe(
            'trials with a running registration of this registry; null when it is unknown',
          ),
          definition: z.string(),
        }),
        diseases: z
          .array(
            z.object({
              id: z.string(),
              title: z.string(),
              ...diseaseCounts,
            }),
          )
          .describe('the curated diseases that meet disease, by id; never ranked'),
        keyword: z
          .object({ disease: z.string(), ...diseaseCounts })
          .nullable()
          .describe('the same two counts for the word itself; null where disease was not given'),
      })
      .optional(),
    world: z
      .object({
        distinct: trialCount.describe(
          'distinct trials that the index holds, all statuses; null when no registry answered',
        ),
        distinctTrials: trialCount.describe('distinct, under the name of what it counts'),
        running: trialCount.describe('those that run'),
        runningTrials: trialCount.describe(
          'running, under the name of what it counts: distinct trials, of either registry',
        ),
        registries: z.array(registryState),
        note: z.string(),
      })
      .describe('the multi-registry index, beside the census and never added to it'),
    research: z
      .object({ total: items, items: z.array(researchItemSchema).describe('newest year first, then by id') })
      .optional(),
    stats: z
      .object({
        canonicalTrials: trialCount,
        crossRegistryTrials: trialCount.describe('distinct trials in both registries; null unless both answered'),
        byRegistry: z
          .array(registryState.extend({ registrations: trialCount }))
          .describe('never to be summed: registrations of one trial are in both'),
        cureResearchItems: items.describe('curated research items'),
        curatedDiseases: items,
        snapshotCreatedAt: z.iso.datetime(),
      })
      .optional(),
  })
  .meta({ id: 'HopeSignal', description: 'Active trials, curated research and the index beside them.' });
export type HopeRecord = z.infer<typeof hopeSignalSchema>;
