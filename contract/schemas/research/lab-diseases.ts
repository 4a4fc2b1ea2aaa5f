import { z } from 'zod';
import { CURE_TRACKS, DISEASE_STAGES, EVIDENCE_CLASSES, EVIDENCE_DIRECTIONS } from '../../declared/research.ts';
import { nextCallSchema } from '../board/assignment.ts';
import { coverageSchema } from '../trials/counts.ts';
import { labDiseaseIdSchema } from './cure-lab.ts';

/** Diseases with the counts of their trials, from the index, beside those of their evidence, from the board. */

const count = z.int().nonnegative();
const reasons = z.record(z.string(), z.string()).describe('why a part is null, by its name');

const talliedSchema = z.object({
  claims: count,
  cohorts: count.describe('a cohortKey counts once; claims without one count once for each source'),
});

/** Evidence counts of one disease. Cohorts of the directions do not add up to `cohorts`: one can stand on several sides. */
export const evidenceTotalsSchema = talliedSchema.extend({
  supports: talliedSchema,
  contradicts: talliedSchema,
  neutral: talliedSchema,
});
export type EvidenceTotals = z.output<typeof evidenceTotalsSchema>;

export const evidenceCellSchema = talliedSchema.extend({
  track: z.enum(CURE_TRACKS),
  stage: z.enum(DISEASE_STAGES),
  direction: z.enum(EVIDENCE_DIRECTIONS),
  evidenceClass: z.enum(EVIDENCE_CLASSES),
});
export type EvidenceCell = z.output<typeof evidenceCellSchema>;

export const topicTrialsSchema = z.object({
  topic: labDiseaseIdSchema.describe('curated topic of the index; its queries stand in searchTerms'),
  distinct: count.describe('distinct trials: the only number to quote as a total'),
  running: count.nullable().describe('running trials among these; null where the snapshot changed during the read'),
  inBoth: count.nullable().describe('trials that both registries hold; null while one of them is unanswered'),
  byRegistry: coverageSchema.shape.registries.describe('each registry apart; never to be summed'),
});
export type TopicTrials = z.output<typeof topicTrialsSchema>;

const cellsSchema = z
  .array(evidenceCellSchema)
  .describe('claims by track, stage, direction and class; a combination that is not listed has none');

const parts = {
  trials: topicTrialsSchema.nullable(),
  evidence: evidenceTotalsSchema.nullable(),
  cells: cellsSchema.nullable(),
  reasons,
  resultsGap: nextCallSchema,
};

export const t1dLandscapeSchema = z.object({
  disease: z.literal('type-1-diabetes'),
  ...parts,
  notes: z.array(z.string()),
  nextCalls: z.array(nextCallSchema),
});

export const labDiseasesSchema = z.object({
  diseases: z
    .array(
      z.object({
        id: labDiseaseIdSchema,
        title: z.string(),
        trials: count.nullable().describe('distinct trials of its topic; null is unknown, never none'),
        evidence: evidenceTotalsSchema.nullable(),
        module: z.string().describe('call that reads the whole module'),
      }),
    )
    .describe('alphabetical by id; the order says nothing else'),
  reasons,
  notes: z.array(z.string()),
});

export const labModuleSchema = z.object({
  id: labDiseaseIdSchema,
  title: z.string(),
  cureWouldBe: z.string().describe('what would count as a cure, in our own words'),
  notYetCure: z.string().describe('good outcomes that would not count as a cure'),
  reviewedOn: z.string().describe('when these words were last reviewed'),
  searchTerms: z
    .array(z.string())
    .describe('queries, in the syntax of q, by which the topic finds trials: any of them'),
  ...parts,
  notes: z.array(z.string()),
  nextCalls: z.array(nextCallSchema),
});
