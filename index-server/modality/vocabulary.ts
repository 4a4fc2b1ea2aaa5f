import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { MODALITY_IDS } from '../../contract/modality.ts';

const words = z.array(z.string().min(2));
const stemSchema = z.strictObject({
  ending: z.string().regex(/^[a-z]+$/),
  minimumLetters: z.int().min(6),
  /** Everyday words and other substances that end so. */
  stop: z.array(z.string().regex(/^[a-z]+$/)),
});
const groupSchema = z.strictObject({
  id: z.enum(MODALITY_IDS),
  title: z.string(),
  why: z.string(),
  terms: words,
  stems: z.array(stemSchema),
  /** The registry's own types, lower case, that stand in where no term of any group matched. */
  types: words,
  /** Within these a term of this group does not match. */
  traps: words,
  /** Whether terms are read in prose too. */
  prose: z.boolean(),
  /** Groups that take this one's label away when both match one intervention. */
  yieldsTo: z.array(z.enum(MODALITY_IDS)),
});
const fileSchema = z.strictObject({
  id: z.string(),
  note: z.string(),
  reviewedOn: z.iso.date(),
  nextReviewOn: z.iso.date(),
  inert: words,
  groups: z.array(groupSchema),
});
export type ModalityVocabulary = z.infer<typeof fileSchema>;
export type ModalityGroup = z.infer<typeof groupSchema>;

/** The reviewed vocabulary; one whose groups are not those of the contract, in its order, is a fault. */
export function loadModalityVocabulary(
  path: URL = new URL('../../data/rules/modality.json', import.meta.url),
): ModalityVocabulary {
  const vocabulary = fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  const ids = vocabulary.groups.map(({ id }) => id);
  if (ids.join() !== MODALITY_IDS.join()) {
    throw new Error(`data/rules/modality.json has the groups ${ids.join(', ')} instead of ${MODALITY_IDS.join(', ')}`);
  }
  return vocabulary;
}
