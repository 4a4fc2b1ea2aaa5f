import { z } from 'zod';
import { FIELD_VERDICTS, type FieldVerdict, NORMALISATIONS, type Normalisation } from '../../fields/field-verdicts.ts';
import { REGISTRY_IDS } from '../../ids.ts';
import { registrationBriefSchema } from './trial.ts';

/** The registrations of a trial, field by field: an addition to the interface. */

const count = z.int().min(0);
const keysOf = <Key extends string>(table: Record<Key, string>) => Object.keys(table) as [Key, ...Key[]];
const textOf = (table: Record<string, string>): string =>
  Object.entries(table)
    .map(([key, meaning]) => `${key}: ${meaning}`)
    .join('; ');

export const registrationComparisonSchema = z.object({
  canonicalId: z.string(),
  registrations: z.array(registrationBriefSchema).describe('those that the trial holds, at most one of each registry'),
  absentFrom: z
    .array(z.enum(REGISTRY_IDS))
    .describe('absent from this index, which does not prove that it was never registered'),
  verdicts: z
    .object({
      equal: count,
      equalAfter: count,
      differs: count,
      onlyIn: count,
      notHeld: count,
      notStated: count,
    })
    .describe('how many fields have each verdict'),
  fields: z.array(
    z.object({
      field: z.string().describe('as `conflicts` names it: its place in the record of a registration'),
      verdict: z.enum(keysOf<FieldVerdict>(FIELD_VERDICTS)).describe(textOf(FIELD_VERDICTS)),
      normalisations: z
        .array(z.enum(keysOf<Normalisation>(NORMALISATIONS)))
        .describe(`empty but for equal-after; ${textOf(NORMALISATIONS)}`),
      onlyIn: z.enum(REGISTRY_IDS).nullable().describe('null but for only-in'),
      noFieldIn: z
        .array(z.enum(REGISTRY_IDS))
        .describe('registries that have no such field, so that they cannot state it'),
      notHeldIn: z
        .array(z.enum(REGISTRY_IDS))
        .describe(
          'registries whose record is held in a form that lacks the field, as a row of a CSV export: it is unknown here, and not left blank',
        ),
      inConflicts: z
        .boolean()
        .describe(
          'of the field, not of this trial: whether it is one of those that `conflicts` names where they differ; namedInConflicts says whether it does here',
        ),
      namedInConflicts: z
        .boolean()
        .describe('whether `conflicts` of this trial names the field: inConflicts is true and the verdict is differs'),
      values: z
        .array(z.object({ registry: z.enum(REGISTRY_IDS), id: z.string(), value: z.json() }))
        .describe('what each registration states; one that states nothing is left out'),
    }),
  ),
});
export type RegistrationComparison = z.infer<typeof registrationComparisonSchema>;
