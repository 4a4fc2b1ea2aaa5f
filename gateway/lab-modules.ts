import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { LAB_DISEASE_IDS, type LabDiseaseId } from '../contract/research.ts';

/** The reviewed description of a disease of the lab. */
export interface LabModule {
  id: LabDiseaseId;
  title: string;
  cureWouldBe: string;
  notYetCure: string;
  reviewedOn: string;
  /** Queries that find the trials of its topic. */
  searchTerms: string[];
}

const curesSchema = z.strictObject({
  note: z.string(),
  reviewed: z.iso.date(),
  nextReview: z.iso.date(),
  diseases: z.array(
    z.strictObject({
      id: z.enum(LAB_DISEASE_IDS),
      title: z.string(),
      cureWouldBe: z.string(),
      notYetCure: z.string(),
      reviewedOn: z.iso.date(),
    }),
  ),
});
const topicsSchema = z.object({ topics: z.array(z.object({ id: z.string(), anyOf: z.array(z.string()).min(1) })) });

/**
 * Reads data/curated/cures.json and data/topics.json, in alphabetical order of id; throws if either lacks a disease.
 */
export function loadLabModules(folder: URL = new URL('../data/', import.meta.url)): readonly LabModule[] {
  const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
  const { diseases } = curesSchema.parse(read('curated/cures.json'));
  const { topics } = topicsSchema.parse(read('topics.json'));
  return LAB_DISEASE_IDS.map((id) => {
    const [words, ...others] = diseases.filter((disease) => disease.id === id);
    const topic = topics.find((one) => one.id === id);
    if (!words || others.length > 0 || !topic) throw new Error(`data/ does not describe ${id} exactly once`);
    return { ...words, searchTerms: topic.anyOf };
  });
}
