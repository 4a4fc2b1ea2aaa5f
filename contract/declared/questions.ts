import { z } from 'zod';
import texts from '../../data/declared/questions.json' with { type: 'json' };
import {
  CATALOGUE_IDS,
  GRAPH_NODE_IDS,
  OBJECTIVE_IDS,
  OBJECTIVE_LEVELS,
  QUESTION_EFFORTS,
  QUESTION_IDS,
} from '../ids.ts';

/** A question that the index cannot answer by itself. */
const OpenQuestion = z.strictObject({
  id: z.enum(QUESTION_IDS),
  question: z.string(),
  effort: z.enum(QUESTION_EFFORTS),
  /** Experience that it needs, in the words of objectives; the interface gives questions none. */
  level: z.enum(OBJECTIVE_LEVELS),
  /** Cost of working on it, in words. */
  computeProfile: z.string(),
  whyUnanswered: z.string(),
  endpoints: z.array(z.enum(CATALOGUE_IDS)),
  approach: z.array(z.string()),
  answerLooksLike: z.string(),
  falsifiedBy: z.string(),
  relatedObjective: z.enum(OBJECTIVE_IDS).exactOptional(),
  /** Node of the abstraction graph that the question is about. */
  relatedNode: z.enum(GRAPH_NODE_IDS),
});
export type OpenQuestion = z.infer<typeof OpenQuestion>;

/** The seven open questions, in their published order. */
export const QUESTIONS: readonly OpenQuestion[] = z.array(OpenQuestion).parse(texts);
