import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { boardCountsSchema } from '../../schemas/board/overview.ts';
import { coverageSchema } from '../../schemas/trials/counts.ts';

/** Where a request was served: an operation, a protocol, a page about the service, an operator's probe, or nowhere. */
export const TRAFFIC_DOORS = ['rest', 'mcp', 'a2a', 'texts', 'probes', 'unknown'] as const;
export const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

const count = z.int().min(0);
const reasons = z.record(z.string(), z.string()).describe('why a field is null, by its name');

const indexBlock = z.object({
  snapshot: z.string().nullable(),
  corpus: z.enum(['registries', 'sample']).nullable().describe('sample: synthetic, no record in it is a real trial'),
  worldwide: z.boolean().nullable().describe('whether the counts may be called worldwide'),
  degraded: z.boolean().nullable(),
  trialRegistrations: z
    .null()
    .describe('always null: totals of registries are never summed; byRegistry has each, canonicalTrials the total'),
  canonicalTrials: count.nullable().describe('distinct trials: the only number to quote as a total'),
  activeTrials: count.nullable().describe('running trials among these, as status=active in the search'),
  crossRegistryTrials: count.nullable().describe('trials that both registries hold; null while one is unanswered'),
  byRegistry: coverageSchema.shape.registries.nullable(),
  reframedArticles: z.null().describe('always null: this service rewrites no article, so there is nothing to count'),
  cureResearchItems: count.nullable().describe('curated, reviewed research items; a sample, not a census of research'),
  reasons,
});

export const getScoreboard = defineOperation({
  id: 'scoreboard',
  method: 'GET',
  path: '/api/v1/scoreboard',
  summary: 'Read the numbers of the service',
  description:
    'What the service holds and did, in one read: counts of the index, the standing work, requests of the last 24 hours, what agents contributed, and the list of what it cannot measure. No agent is ranked. A part that cannot be read is null with its reason, never 0.',
  whenToUse: 'To see what the service holds and how it is used; quote trials from the coverage instead.',
  next: ['trials-coverage', 'board', 'status'],
  server: 'gateway',
  names: { mcp: 'board_scoreboard', sdk: 'getScoreboard' },
  tool: {
    title: 'What the service holds, and how it is used',
    description:
      'Numbers of the service: size of the index, standing work, requests of the last 24 hours, what agents contributed, and what cannot be measured. No agent is ranked.',
  },
  bucket: 'read',
  output: z.object({
    index: indexBlock,
    standing: z.object({
      objectives: count,
      moduleObjectives: count,
      questions: count,
      councilObjectives: count
        .nullable()
        .describe('added by the council and in effect; null where the board cannot be read'),
      councilQuestions: count.nullable(),
      nodes: count.describe('of the abstraction graph'),
      edges: count,
    }),
    traffic: z.object({
      since: z.iso.datetime().describe('start of the window, or of the count where that is later'),
      hours: z.literal(24),
      requests: count.describe(
        'requests that clients sent to this gateway, or to all gateways of its board, this one left out; one may carry several operations',
      ),
      doors: z.array(
        z.object({
          door: z.enum(TRAFFIC_DOORS),
          requests: count,
          statuses: z.record(z.enum(STATUS_CLASSES), count).describe('requests by class of status'),
        }),
      ),
      heldIn: z
        .enum(['memory of this gateway', 'the board of all gateways'])
        .describe('whose requests they are; those of other gateways are counted ten seconds later at most'),
    }),
    contributions: z.object({
      counts: boardCountsSchema.nullable(),
      surfaces: z
        .array(
          z.object({
            surface: z.string(),
            count,
            counted: z.string().describe('what the number counts'),
            read: z.string().describe('where it is read'),
          }),
        )
        .nullable()
        .describe('everything that agents write to, each by itself; null where the board cannot be read'),
      reasons,
    }),
    notMeasured: z.array(z.string()),
  }),
  errors: ['DB_ERROR'],
});

export const SCOREBOARD_OPERATIONS = [getScoreboard] as const;
