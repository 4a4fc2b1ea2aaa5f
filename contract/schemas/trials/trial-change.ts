import { z } from 'zod';
import { REGISTRY_IDS } from '../../ids.ts';
import { CHANGE_KINDS } from '../../vocabularies.ts';

/** What changed about trials from version to version, as the stored changes tell it (docs/following.md). */

/** Longest JSON text of a value that is shown whole. */
export const CHANGED_VALUE_MAX_CHARACTERS = 400;
/** Most changes that one entry shows. */
export const SHOWN_CHANGES_MAX = 40;

/** Kinds of stored changes that are about trials: all but those of feed items. */
export const TRIAL_CHANGE_KINDS = CHANGE_KINDS.filter((kind) => !kind.startsWith('signal-')) as Exclude<
  (typeof CHANGE_KINDS)[number],
  `signal-${string}`
>[];

const version = z.string().describe('a published version');

export const trialChangeSchema = z.object({
  kind: z.enum(TRIAL_CHANGE_KINDS),
  field: z
    .string()
    .nullable()
    .describe('name of the column that differs, as in /docs/dictionary.md; null where a whole row came or went'),
  old: z
    .json()
    .describe('value before; null where there was none, and where a whole trial or registration came or went'),
  new: z.json().describe('value after; null as for old'),
  cut: z
    .boolean()
    .optional()
    .describe(
      `true: old or new is longer than ${CHANGED_VALUE_MAX_CHARACTERS} characters of JSON, and its beginning stands here as text`,
    ),
  registry: z
    .enum(REGISTRY_IDS)
    .nullable()
    .describe('the registry that states it; null for what this index derives or where both do'),
  registrationId: z.string().nullable().describe('the registration that states it'),
  ofTrial: z
    .boolean()
    .optional()
    .describe('true: the trial itself shows the same change, which is not listed a second time'),
  item: z.string().nullable().describe('id of the link, else null'),
  related: z.array(z.string()).describe('other trials: what it merged into, was split out of, or is linked with'),
});
export type TrialChange = z.output<typeof trialChangeSchema>;

/** One trial in one version. */
export const changedTrialSchema = z.object({
  canonicalId: z.string().describe('id of the trial in that version; the one before it where the trial is gone'),
  heldBy: z
    .string()
    .nullable()
    .describe('the trial of the served version that has this id or had it before; null: it was removed'),
  title: z.string().nullable(),
  version,
  publishedAt: z.iso.datetime(),
  parent: z.string().nullable().describe('the version that it is compared with'),
  kinds: z.array(z.enum(TRIAL_CHANGE_KINDS)),
  changes: z.array(trialChangeSchema).describe(`at most ${SHOWN_CHANGES_MAX}`),
  more: z
    .int()
    .describe('changes that are left out for their number; the trial history and the snapshot diff have all'),
});
export type ChangedTrial = z.output<typeof changedTrialSchema>;

const between = z.object({
  from: version.nullable().describe('the version before the first one that is told; null before any snapshot'),
  to: version.nullable().describe('the last version that is told'),
  versions: z.int().describe('versions between whose changes are told'),
  missing: z
    .array(version)
    .describe('versions whose stored changes are damaged or missing: their changes are not told'),
  complete: z.boolean().describe('false: since lies before the changes that are kept, or some are missing'),
});

const kept = z
  .object({
    from: version.nullable().describe('changes are kept from here on; null where none are'),
    to: version.nullable().describe('the served version'),
    versions: z.int(),
  })
  .describe('what changes are kept');

export const trialsChangedSchema = z.object({
  between,
  kept,
  removedTold: z
    .boolean()
    .describe(
      'false: a filter is applied, and trials that the served version no longer holds cannot be tested by it, so they are not listed',
    ),
  trials: z
    .array(changedTrialSchema)
    .describe('oldest version first; a trial that changed in three versions stands here three times'),
  summary: z.string().describe('in words: between which versions, and what to ask next'),
});
export type TrialsChanged = z.output<typeof trialsChangedSchema>;

export const trialHistorySchema = z.object({
  id: z.string().describe('as asked'),
  canonicalId: z.string().describe('the trial that holds it, or that held it last'),
  title: z.string().nullable(),
  state: z.enum(['held', 'removed']).describe('removed: the served version no longer holds it'),
  formerIds: z.array(z.string()).describe('canonical ids that it had before, or of trials that merged into it'),
  firstSeen: z.object({
    version: version
      .nullable()
      .describe(
        'the version that brought it, or the oldest kept one where it was there already; null where a version whose changes are missing may have brought it',
      ),
    at: z.iso.datetime().nullable().describe('when that version was published; null where its manifest is not kept'),
    orEarlier: z
      .boolean()
      .describe('true where older versions are not kept, so that one of them may have had it before'),
    before: version.nullable().describe('`version` where orEarlier is true; else null'),
  }),
  removedIn: version.nullable(),
  kept,
  missing: z
    .array(version)
    .describe('versions whose stored changes are damaged or missing: what changed in them is not told'),
  entries: z.array(changedTrialSchema).describe('one page, a version and trial each'),
});
export type TrialHistory = z.output<typeof trialHistorySchema>;
