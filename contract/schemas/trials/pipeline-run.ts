import { z } from 'zod';
import { REGISTRY_IDS } from '../../ids.ts';
import { RECORDED_COMMANDS, RUN_OUTCOME_CODES } from '../../run-outcomes.ts';

/** What the record of runs tells in public: paths of the machine by their last part. */

const count = z.int();
const instant = z.iso.datetime();

/** A run's id: its beginning in UTC and six hex digits. */
export const RUN_ID_PATTERN = /^\d{8}T\d{6}Z-[0-9a-f]{6}$/;

export const pipelineRunSchema = z.object({
  run: z.string(),
  command: z
    .string()
    .describe(
      `${RECORDED_COMMANDS.join(', ')}: the commands that can change what is served, what can be asked for, or what gc keeps`,
    ),
  arguments: z.array(z.string()).describe('as given; paths by their last part'),
  startedAt: instant,
  endedAt: instant.nullable().describe('null where it stated no end'),
  seconds: z.number().nullable().describe('from its beginning to its end; null where it stated no end'),
  outcome: z.enum(RUN_OUTCOME_CODES).describe('branch on this'),
  exitCode: count
    .nullable()
    .describe('0 done, 3 published with a registry missing or kept, 4 refused, 1 failed, 2 wrong usage'),
  meaning: z.string().describe('the outcome in words'),
  message: z.string().nullable().describe('what the program said of it; paths by their last part'),
  next: z.string().nullable().describe('what the operator does next; null where there is nothing to do'),
  stages: z
    .array(z.object({ stage: z.string(), seconds: z.number() }))
    .describe('in their order; a stage that failed is the last'),
  rows: z
    .object({
      registries: z.array(
        z.object({
          registry: z.enum(REGISTRY_IDS),
          read: count.nullable().describe('records; null when unanswered; never to be summed across registries'),
        }),
      ),
      trials: count.describe('distinct trials in the tables'),
    })
    .nullable()
    .describe('null where the tables were not finished'),
  served: z
    .object({ version: z.string(), bytes: count })
    .nullable()
    .describe('the version that is served after it; null where it published nothing and found nothing unchanged'),
  checks: z
    .object({ passed: count, accepted: count, refused: count, notCompared: count })
    .nullable()
    .describe('checks of the publication gate by verdict; null where the gate was not reached'),
  program: z.object({
    version: z.string(),
    commit: z.string().nullable(),
    node: z.string(),
    duckdb: z.string(),
  }),
});

export const pipelineRunDetailSchema = pipelineRunSchema.extend({
  gate: z
    .object({
      checks: z.array(
        z.object({
          name: z.string().describe('check, registry and column; what --accept takes'),
          figure: z.number().nullable().describe('null where there was nothing to compare'),
          affected: count.nullable().describe('records; null where the check counts none'),
          limit: z.number(),
          verdict: z.enum(['passed', 'accepted', 'refused', 'not-compared']),
        }),
      ),
      accepted: z.array(z.string()).describe('breaches that the operator accepted by name'),
      reason: z.string().nullable().describe('who accepted them and why, in the words of the operator'),
    })
    .nullable()
    .describe('what the publication gate found; null where it was not reached'),
});
