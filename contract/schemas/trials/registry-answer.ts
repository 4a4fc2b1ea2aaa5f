import { z } from 'zod';

/** What stands behind a registry's part of an answer. `kept` and `dataDay` are additions to the interface. */
export const REGISTRY_ANSWERS = ['answered', 'kept', 'unanswered'] as const;
export type RegistryAnswer = (typeof REGISTRY_ANSWERS)[number];

export const registryAnswer = z
  .enum(REGISTRY_ANSWERS)
  .describe(
    'kept: the latest attempt failed, or the run did not ask it, so the last good set counts, as of dataDay; unanswered: nothing is known of it; never zero',
  );

/** How the day of a dump is known, in words. */
export const DUMP_DAY_FROM = {
  given: 'given by the operator',
  stated: 'stated by its records',
  'newest-update': 'the newest update of any record, and other records can be far older',
} as const;

export const registryDumpDay = z
  .object({ day: z.iso.date(), from: z.enum(['given', 'stated', 'newest-update']) })
  .optional()
  .describe(
    'the day of a dump: given by the operator, stated by its records as the day of the data, or of the newest update in it',
  );

export const registryDataDay = z.iso
  .date()
  .nullable()
  .describe(
    'day of the data that is held of it; of a dump, its own day and not that of its reading; null when unanswered',
  );
