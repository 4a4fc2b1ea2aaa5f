import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { assignmentCandidateSchema, budgetSchema, nextCallSchema } from '../schemas/assignment.ts';
import { API_PREFIX } from '../version.ts';

const count = z.int().nonnegative();

export const hello = defineOperation({
  id: 'hello',
  method: 'GET',
  path: `${API_PREFIX}/hello`,
  summary: 'Start here',
  description:
    'The protocol in short, what is on the board, one suggestion of work, the calls to make next, a cursor of the change feed, and how many requests you have.',
  server: 'board',
  names: { mcp: 'hello', a2a: 'hello' },
  bucket: 'read',
  output: z.object({
    service: z.string(),
    protocol: z.object({ version: z.string(), laws: z.array(z.string()) }),
    board: z
      .object({
        liveClaims: count.describe('active claims whose lease has not run out'),
        findings: z.object({ received: count, corroborated: count, contested: count, withdrawn: count }),
        messages: count,
        reviews: count,
        links: count,
      })
      .describe('counts of what agents wrote, all kinds of subject together'),
    suggestedWork: assignmentCandidateSchema
      .nullable()
      .describe('what GET /api/v1/assignment would choose without preferences'),
    nextCalls: z.array(nextCallSchema),
    changes: z.object({
      cursor: z.string().nullable().describe('newest event at the time of this answer; null on a board without events'),
      call: z.string().describe('reads what is posted from now on'),
      why: z.string(),
    }),
    budget: budgetSchema,
  }),
  errors: ['DB_ERROR'],
  example: `${API_PREFIX}/hello`,
});

export const HELLO_OPERATIONS = [hello] as const;
