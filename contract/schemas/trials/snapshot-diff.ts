import { z } from 'zod';
import { REGISTRY_IDS } from '../../ids.ts';

/** What differs between two published versions; the same values as `npm run pipeline -- diff --json` prints. */

export const DIFF_KINDS = [
  'trials-added',
  'trials-removed',
  'trials-changed',
  'trials-merged',
  'trials-split',
  'registrations-added',
  'registrations-removed',
  'registrations-changed',
  'links-gained',
  'links-lost',
  'links-changed',
] as const;
export type DiffKind = (typeof DIFF_KINDS)[number];

const count = z.int();
const fields = z
  .array(
    z.object({
      field: z.string().describe('name of the column in the Parquet table'),
      old: z.json(),
      new: z.json(),
    }),
  )
  .describe('every value that differs');

const trial = { canonicalId: z.string(), title: z.string().nullable() };
const registration = { registry: z.enum(REGISTRY_IDS), id: z.string(), title: z.string().nullable() };
const link = {
  linkId: z.string(),
  from: z.string(),
  to: z.string(),
  kind: z.string(),
  rule: z.string(),
  verdict: z.string(),
};
const registrations = z.array(z.string()).describe('ids of the registrations that it holds');

const trialEntry = z.object({ ...trial, registrations });
const changedTrial = z.object({ ...trial, fields });
const mergedTrial = z.object({
  canonicalId: z.string().describe('became an alias of into'),
  into: z.string(),
  causes: z
    .array(z.object({ linkId: z.string(), rule: z.string(), from: z.string(), to: z.string() }))
    .describe(
      'links that joined them: accepted in the later version and not before, each with its rule; empty where a superseded record did',
    ),
});
const splitTrial = z.object({
  ...trial,
  registrations,
  outOf: z.array(z.string()).describe('trials that held its registrations before'),
});
const registrationEntry = z.object(registration);
const changedRegistration = z.object({
  ...registration,
  payloadChanged: z.boolean().describe("false: the registry's record is the same and only its reading differs"),
  fields,
});
const linkEntry = z.object(link);
const changedLink = z.object({ ...link, fields });

const side = z.object({
  version: z.string(),
  createdAt: z.iso.datetime(),
  contentHash: z.string(),
  asOf: z.iso.date(),
  corpus: z.enum(['registries', 'sample']),
});

export const snapshotDiffSchema = z.object({
  from: side,
  to: side,
  totals: z
    .object({
      trials: z
        .object({
          from: count,
          added: count,
          changed: count,
          removed: count,
          merged: count,
          split: count,
          to: count,
        })
        .describe('from - removed - merged + added + split = to'),
      registrations: z
        .object({ from: count, added: count, changed: count, removed: count, to: count })
        .describe('from - removed + added = to'),
      links: z
        .object({ from: count, gained: count, changed: count, lost: count, to: count })
        .describe('from - lost + gained = to'),
      signals: z
        .object({ from: count, gained: count, lost: count, to: count })
        .describe('feed items by id; what an item says is not compared'),
    })
    .describe('exact, whatever filters leave of the list'),
  kind: z.enum(DIFF_KINDS).describe('which list follows'),
  fields: z
    .array(z.object({ field: z.string().describe('name of the column'), entries: count }))
    .describe(
      'columns that differ in the list, without the filter by field, the most frequent first; an entry counts in each of its own, so never sum them; empty where the list has no fields',
    ),
  entries: z
    .array(
      z.union([
        trialEntry,
        changedTrial,
        mergedTrial,
        splitTrial,
        registrationEntry,
        changedRegistration,
        linkEntry,
        changedLink,
      ]),
    )
    .describe('one page of the list, ordered by key; all of one form, by kind'),
  now: z
    .array(
      z.object({
        id: z.string().describe('of a trial or registration that the entries name'),
        canonicalId: z
          .string()
          .nullable()
          .describe('of the trial that holds it in the version served; null: none does'),
        title: z.string().nullable().describe('of that trial'),
        registrations: z.array(z.string()).describe('ids of the registrations that the trial holds'),
      }),
    )
    .describe('what became of them'),
});
