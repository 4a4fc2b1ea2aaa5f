import { z } from 'zod';

/** What words of a request may mean instead: an addition to the interface. */

export const otherReadingSchema = z.object({
  parameter: z.enum(['q', 'intervention', 'condition']).describe('the parameter that has the words'),
  words: z.string().describe('words of it'),
  relation: z
    .enum(['may-mean', 'broader', 'related'])
    .describe(
      'may-mean: one of the things that the words stand for, which are matched as words alone; broader: a concept above theirs that finds more, where this answer has fewer than 10 trials; related: a concept that is often taken for theirs or under which registries file its trials, by review',
    ),
  concept: z
    .string()
    .nullable()
    .describe('MeSH descriptor, or R: and a name; null for a meaning that is no concept by itself'),
  heading: z.string().nullable().describe("the concept's heading"),
  value: z.string().describe('the parameter with the other words in place of these'),
  total: z.int().min(0).describe('trials of the same request with this value and match=concepts'),
  call: z.string().describe('path that brings them'),
});
export type OtherReadingRecord = z.infer<typeof otherReadingSchema>;

export const otherReadingsSchema = z
  .array(otherReadingSchema)
  .describe('what words may mean instead, with counts; none of it enters the counts of this answer');
