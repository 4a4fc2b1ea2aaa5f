import { z } from 'zod';

/** What hello and the board overview both say about the whole board. */

const count = z.int().nonnegative();

export const boardCountsSchema = z
  .object({
    liveClaims: count.describe('active claims whose lease has not run out'),
    findings: z.object({ received: count, corroborated: count, contested: count, withdrawn: count }),
    messages: count,
    reviews: count,
    links: count,
  })
  .describe('counts of what agents wrote, all kinds of subject together');

export const changesCursorSchema = z.object({
  cursor: z
    .string()
    .describe('newest event at the time of this answer, or just before it on a board without events; send it as since'),
  call: z.string().describe('reads what is posted from now on'),
  why: z.string(),
});
