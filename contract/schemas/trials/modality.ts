import { z } from 'zod';
import { MODALITY_FIELDS, MODALITY_IDS } from '../../declared/modality.ts';

/** What is inferred about the modality of a trial: never stored, and no registry states it. */

const basis = z.literal('derived').describe('inferred at query time from the intervention text; no registry states it');
const vocabulary = z.string().describe('id of the reviewed vocabulary that it was inferred with');

export const modalitySchema = z.object({
  basis,
  vocabulary,
  labels: z
    .array(
      z.object({
        id: z.enum(MODALITY_IDS),
        matchedTerms: z.array(
          z.object({
            term: z.string().describe('as the vocabulary has it; -mab is an ending of a name'),
            text: z.string().describe('as the record has it'),
            field: z
              .enum(MODALITY_FIELDS)
              .describe('of an intervention; type is weaker evidence, used only where no term matched'),
          }),
        ),
      }),
    )
    .describe('in the order of the vocabulary, the most specific first; several may hold; empty when nothing matched'),
});
export type ModalityRecord = z.infer<typeof modalitySchema>;

export const modalityMixSchema = z.object({
  basis,
  vocabulary,
  groups: z
    .array(
      z.object({
        id: z.enum(MODALITY_IDS),
        trials: z.int().min(0),
        share: z.number().min(0).max(1).nullable().describe('of all matching trials; null when there are none'),
      }),
    )
    .describe('a trial counts in each group that it has a label of, so these do not sum to the trials'),
  withoutLabel: z.int().min(0).describe('trials in whose interventions nothing was recognised; not trials without one'),
  severalLabels: z.int().min(0).describe('trials that count in more than one group'),
});
export type ModalityMixRecord = z.infer<typeof modalityMixSchema>;
