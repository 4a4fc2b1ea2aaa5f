import { z } from 'zod';

/** How an answer in the order of relevance was scored: an addition to the interface. */
export const relevanceSchema = z.object({
  formula: z.string().describe('how a trial is scored: by its text alone, which says nothing of its promise'),
  parts: z.int().min(1).describe('parts of q that are scored; a repeated one counts once'),
  highest: z.int().min(1).describe('score of a trial that has each part in its title'),
  scores: z.array(z.int().min(0)).describe('score of each trial of the page, in its order'),
});
export type RelevanceRecord = z.infer<typeof relevanceSchema>;
