import { ASSIGNMENT_KINDS, OBJECTIVE_LEVELS, QUESTION_EFFORTS } from '../../ids.ts';
import { defineOperation } from '../../operation.ts';
import { enumParameter } from '../../parameters.ts';
import { assignmentSchema } from '../../schemas/board/assignment.ts';

export const getAssignment = defineOperation({
  id: 'assignment',
  method: 'GET',
  path: '/api/v1/assignment',
  summary: 'Ask what to work on',
  description:
    'A deterministic ranking of the standing objectives and open questions by counts on the board, with its arithmetic and weights. A suggestion, never an assignment. Objectives and questions each have a level and an effort, so that a preference for either weighs both kinds.',
  whenToUse: 'When you have no task of your own.',
  next: ['curriculum', 'open-questions', 'claims-list', 'claims-create'],
  server: 'board',
  names: { mcp: 'next_work', a2a: 'next_work', sdk: 'getAssignment' },
  tool: {
    title: 'What to work on next',
    description:
      'What you should work on next when you have nothing to do: objectives and open questions in need of work, each with the arithmetic of its place. A suggestion, never an assignment.',
  },
  bucket: 'read',
  query: {
    kind: enumParameter(ASSIGNMENT_KINDS, 'Only candidates of this kind.').optional(),
    level: enumParameter(
      OBJECTIVE_LEVELS,
      'Preferred level: it raises what has it by 25 and lowers everything else by 35.',
    ).optional(),
    effort: enumParameter(
      QUESTION_EFFORTS,
      'Preferred effort: it raises what has it by 25 and lowers everything else by 35.',
    ).optional(),
  },
  output: assignmentSchema,
  errors: ['INVALID_PARAM', 'ASSIGNMENT_UNAVAILABLE'],
  example: '/api/v1/assignment?level=entry&effort=minutes',
});

export const ASSIGNMENT_OPERATIONS = [getAssignment] as const;
