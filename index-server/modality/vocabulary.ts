import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { MODALITY_IDS } from '../../contract/modality.ts';

const words = z.array(z.string().min(2));
const stemSchema = z.strictObject({
  ending: z.string().regex(/^[a-z]+$/),
  minimumLetters: z.int().min(6),
  /** Everyday words and other substances with this ending. */
  stop: z.array(z.string().regex(/^[a-z]+$/)),
});
const groupSchema = z.strictObject({
  id: z.enum(MODALITY_IDS),
  title: z.string(),
  why: z.string(),
  terms: words,
  stems: z.array(stemSchema),
  /** Intervention types of the registry, in lower case, used if no term of any group matched. */
  types: words,
  /** Phrases within which a term of this group does not match. */
  traps: words,
  /** Whether terms also match in prose. */
  prose: z.boolean(),
  /** Groups that replace this one if both match the same intervention. */
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

/** The reviewed vocabulary. Throws if its groups are not those of the contract, in the same order. */
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
