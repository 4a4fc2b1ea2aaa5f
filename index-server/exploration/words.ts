import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { EXPLORE_AGE_BANDS, EXPLORE_STAGES } from '../../contract/declared/research.ts';
import { parseQuery } from '../../snapshot/format/words/query.ts';

const entry = z.strictObject({
  anyOf: z.array(z.string().refine((query) => parseQuery(query).length > 0)).min(1),
  why: z.string(),
});
const fileSchema = z.strictObject({
  id: z.string(),
  note: z.string(),
  reviewed: z.iso.date(),
  nextReview: z.iso.date(),
  stage: z.record(z.enum(EXPLORE_STAGES), entry),
  ageBand: z.record(z.enum(EXPLORE_AGE_BANDS), entry),
});

/** Searches for each stage and age band; a trial must match one of them. */
export type ExplorationWords = Pick<z.infer<typeof fileSchema>, 'id' | 'reviewed' | 'stage' | 'ageBand'>;

/** Reads data/rules/exploration.json. Throws if it does not fit the schema. */
export function loadExplorationWords(
  file: URL = new URL('../../data/rules/exploration.json', import.meta.url),
): ExplorationWords {
  return fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}
