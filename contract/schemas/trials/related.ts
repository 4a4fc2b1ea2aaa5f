import { z } from 'zod';
import { REGISTRY_IDS } from '../../ids.ts';
import { PUBLICATION_KINDS } from '../../vocabularies.ts';
import { identifierSchema } from './trial.ts';

export const publicationSchema = z.object({
  registration: z.string().describe('the registration that lists it'),
  registry: z.enum(REGISTRY_IDS),
  kind: z
    .enum(PUBLICATION_KINDS)
    .describe('`derived` was added by the registry from the literature, never declared by the sponsor'),
  kindRaw: z.string().nullable(),
  pmid: z.string().nullable(),
  doi: z.string().nullable(),
  url: z.string().nullable(),
  citation: z.string().nullable(),
  year: z.int().nullable(),
  retracted: z.boolean(),
});

/** What the sources of literature are called. */
export const LITERATURE_SOURCE_NAMES = { pubmed: 'PubMed', europepmc: 'Europe PMC' } as const;
const sourceId = z.enum(['pubmed', 'europepmc']);
const instant = z.iso.datetime();

export const literatureRecordSchema = z.object({
  pmid: z.string().nullable(),
  doi: z.string().nullable(),
  title: z.string().describe('as the source gives it; public text that this service did not write'),
  journal: z.string().nullable(),
  year: z.int().nullable(),
  openAccess: z.boolean().nullable().describe('null where no source that has the paper says; Europe PMC does'),
  citations: z.int().nullable().describe('papers that cite it, as Europe PMC counts them; null is unknown'),
  source: sourceId.describe('the first source that has it'),
  matchedIdentifier: z.string().describe('the identifier of the trial that led to it'),
  matchedBy: z
    .enum(['databank', 'abstract', 'methods'])
    .describe(
      '`databank`: the indexer lists it; `abstract`: title, abstract or keywords name it; `methods`: the source says that title, abstract or methods do, and what was received does not show it',
    ),
  isPreprint: z.boolean(),
  retracted: z.boolean().describe('as the source says; false does not prove that the paper stands'),
});

/** Why a source gave no usable answer. */
const FAULT_REASONS = [
  'off',
  'busy',
  'timeout',
  'unreachable',
  'rate_limited',
  'server_error',
  'refused',
  'not_the_source',
  'too_large',
  'malformed',
  'partial',
  'another_id',
] as const;
export type FaultReason = (typeof FAULT_REASONS)[number];

export const sourceReportSchema = z.object({
  source: sourceId,
  state: z
    .enum(['answered', 'unanswered', 'not_asked'])
    .describe('`answered` only where every identifier was; `unanswered` is unknown, never none'),
  reason: z
    .enum(FAULT_REASONS)
    .nullable()
    .describe('why it did not answer, or `off` where this deployment does not ask it'),
  unanswered: z.array(z.string()).describe('identifiers that it did not answer for'),
  beyondLimit: z.int().nullable().describe('papers that it has beyond `limit`; null is unknown'),
  cachedAt: instant.nullable().describe('when it gave the oldest of the answers used here'),
  ageSeconds: z.int().nullable(),
});

export const coCitedSchema = z.object({
  id: z.string(),
  type: z.string().describe('by pattern: nct, isrctn, eudract, euct, …'),
  registry: z.enum(REGISTRY_IDS).nullable().describe('the registry of this index that issues such ids, or null'),
  suspect: z.boolean().describe('true when it has the right shape but fails a known check'),
  inIndex: z.boolean().describe('false marks a mention, never a record held; it must not be counted'),
  canonicalId: z.string().nullable().describe('the trial that holds it, when held'),
  papers: z
    .array(z.string())
    .describe('the papers that name it, as `pmid:…` or `doi:…`, by title where they have neither'),
});

/**
 * State of one layer: `answered`, all of it was read; `partial`, some questions have no answer; `unanswered`, none has;
 * `unavailable`, this deployment asks no source.
 */
const layerState = z.enum(['answered', 'partial', 'unanswered', 'not_asked', 'unavailable']);

export const relatedSchema = z.object({
  canonicalId: z.string(),
  registryDeclared: z.object({
    state: layerState,
    publications: z.array(publicationSchema).nullable().describe('null is unknown, never none'),
  }),
  literature: z.object({
    state: layerState,
    note: z.string(),
    records: z
      .array(literatureRecordSchema)
      .nullable()
      .describe('mentions, not necessarily results; null is unknown, and only `answered` with an empty list is none'),
    sources: z.array(sourceReportSchema),
    identifiersAsked: z.array(z.string()),
    identifiersLeftOut: z
      .array(z.string())
      .describe('bare numbers, suspect ids that are only declared, and those beyond the first five'),
  }),
  crossRegistryMentions: z.object({
    state: layerState,
    note: z.string(),
    mentions: z
      .array(coCitedSchema)
      .nullable()
      .describe('identifiers that the papers above name beside those of this trial; null is unknown, never none'),
  }),
  identifiers: z.array(identifierSchema).describe('every identifier of the trial'),
});
export type RelatedResearch = z.output<typeof relatedSchema>;
