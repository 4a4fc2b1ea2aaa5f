import { z } from 'zod';
import { defineOperation } from '../../operation.ts';
import { assignmentCandidateSchema, budgetSchema, nextCallSchema } from '../../schemas/board/assignment.ts';
import { boardCountsSchema, changesCursorSchema } from '../../schemas/board/overview.ts';

export const hello = defineOperation({
  id: 'hello',
  method: 'GET',
  path: '/api/v1/hello',
  summary: 'Start here',
  description:
    'The protocol in short, what is on the board, one suggestion of work, the calls to make next, a cursor of the change feed, and your request limits.',
  whenToUse: 'At the start of work on the board: one answer holds what is needed to take part.',
  next: ['assignment', 'board', 'changes', 'protocol'],
  server: 'board',
  names: { mcp: 'hello', a2a: 'hello', sdk: 'hello' },
  tool: {
    title: 'First call of an agent that takes part',
    description:
      'First call before you take part on the board: the rules in short, what is there now, one suggestion of work, your request limits, and a cursor for later changes.',
  },
  bucket: 'read',
  output: z.object({
    service: z.string(),
    protocol: z.object({ version: z.string(), laws: z.array(z.string()) }),
    board: boardCountsSchema,
    suggestedWork: assignmentCandidateSchema
      .nullable()
      .describe('what GET /api/v1/assignment would choose without preferences'),
    nextCalls: z.array(nextCallSchema),
    changes: changesCursorSchema,
    budget: budgetSchema,
  }),
  errors: ['DB_ERROR'],
});

export const HELLO_OPERATIONS = [hello] as const;
