import { z } from 'zod';
import { REGISTRY_IDS } from '../../ids.ts';
import { defineOperation } from '../../operation.ts';
import {
  REGISTRY_ANSWERS,
  registryAnswer,
  registryDataDay,
  registryDumpDay,
} from '../../schemas/trials/registry-answer.ts';

const registryId = z.enum(REGISTRY_IDS);
const instant = z.iso.datetime();

const registryStateSchema = z.object({
  registry: registryId,
  state: registryAnswer,
  dataDay: registryDataDay,
  dumpDay: registryDumpDay,
  registrations: z
    .int()
    .nullable()
    .describe('registrations held; null when unanswered; never to be summed across registries'),
  lastSuccessAt: instant.nullable().describe('when it was last read; of a dump, the first instant of its own day'),
  dataTimestamp: z.string().nullable().describe('the time the registry states for its data'),
  ageHours: z.number().nullable().describe('hours since lastSuccessAt: the age of the evidence'),
  complete: z
    .boolean()
    .describe('a live sweep read as many records as the registry counts without a filter; never true of a dump'),
  stale: z.boolean().describe('the last attempt failed, or the last success is older than promised'),
  degraded: z.boolean().describe('unanswered, incomplete through a fault, or served from an older set'),
  degradedReason: z.string().nullable(),
});

export const getSources = defineOperation({
  id: 'sources',
  method: 'GET',
  path: '/api/v1/sources',
  summary: 'Read where the index comes from',
  description:
    'The registries that are consulted, when each was last read, whether it is degraded, its licence, and the fields that it never populates.',
  whenToUse: 'Before reading an absence as a fact, and before calling a count worldwide.',
  next: ['freshness', 'trials-coverage'],
  server: 'index',
  catalogueId: 'sources',
  names: { mcp: 'get_registry_sources', a2a: 'registry_provenance', sdk: 'getSources' },
  tool: {
    title: 'Registries, and when they were last read',
    description:
      'The registries behind the index: when each was last synchronised, whether it is degraded, its licence, and the fields that it never fills.',
  },
  bucket: 'read',
  output: z.object({
    sources: z.array(
      registryStateSchema.extend({
        name: z.string(),
        publisher: z.string(),
        country: z.string(),
        baseUrl: z.url(),
        apiType: z.string().describe('the interface of the registry, by which a live run reads it'),
        source: z
          .enum(['live', 'dump', 'sample'])
          .nullable()
          .describe(
            'what was read: the registry itself, a file of the operator (dump), or an invented sample; null where nothing was',
          ),
        licence: z.string(),
        licenceId: z.string().describe('of the Open Definition; other-pd is the public domain'),
        licenceUrl: z.url(),
        termsUrl: z.url(),
        quirks: z.array(z.string()).describe('known defects and conventions of its data'),
        unpopulatedFields: z
          .array(z.string())
          .nullable()
          .describe('fields of a trial that none of its registrations states; null when unanswered'),
        quarantined: z.int().nullable().describe('records that could not be read, kept apart and counted'),
        superseded: z.int().nullable().describe('older versions of the same record found beside a newer one'),
      }),
    ),
    excluded: z.string().describe('what is left out of the index on purpose'),
    snapshot: z.object({
      version: z.string(),
      createdAt: instant,
      asOf: z.iso.date().describe('day at which statuses are derived from dates'),
      contentHash: z.string(),
      corpus: z.enum(['registries', 'sample']),
      dedupRules: z.string(),
    }),
  }),
  errors: ['SOURCES_UNAVAILABLE'],
  cache: 'snapshot',
});

export const getFreshness = defineOperation({
  id: 'freshness',
  method: 'GET',
  path: '/api/v1/freshness',
  summary: 'Read the age of the data',
  description:
    'For every layer of content (registries, feeds, curated items, lexicons and rules, literature): how old it is, how old it may become by the published promise, and whether it meets that promise now. It does not show the health of the service.',
  whenToUse: 'Before comparing two layers or dating a statement.',
  next: ['sources', 'trials-stats'],
  server: 'index',
  catalogueId: 'freshness',
  names: { mcp: 'snapshots_freshness', sdk: 'getFreshness' },
  tool: {
    title: 'Whether the data is out of date',
    description:
      'Whether the data is out of date: how old each layer is (registries, news, rules, literature), how old it may be, and whether that promise is met.',
  },
  bucket: 'read',
  output: z.object({
    layers: z.array(
      z.object({
        layer: z.string().describe('id of a registry, feed/ and the id of a feed, or the name of a reviewed file'),
        kind: z
          .enum(['registry', 'feed', 'curated', 'rules', 'on-demand'])
          .describe('curated and rules are data reviewed by people; on-demand is asked with each request'),
        state: z.enum(REGISTRY_ANSWERS).nullable().describe('of a registry; null for other layers'),
        dataDay: z.iso.date().nullable().describe('of a registry that is held; else null'),
        lastSuccessAt: instant
          .nullable()
          .describe('of a dump, its own day; null when it never succeeded, and for layers that are not fetched'),
        reviewedOn: z.iso
          .date()
          .nullable()
          .describe('oldest review of anything in it; null for layers without reviews'),
        ageHours: z
          .number()
          .nullable()
          .describe('hours since the last success, or since the day of the review; null when unknown, never 0'),
        promisedHours: z.number().nullable().describe('null where nothing is promised'),
        insidePromise: z.boolean().nullable().describe('null where nothing is promised; false when the age is unknown'),
        stale: z.boolean().nullable(),
        degraded: z.boolean().nullable().describe('null for layers that cannot be degraded'),
        note: z.string().nullable().describe('the reason for this state, where it is known'),
      }),
    ),
    snapshotCreatedAt: instant,
  }),
  errors: ['SOURCES_UNAVAILABLE'],
});

export const REGISTRY_OPERATIONS = [getSources, getFreshness] as const;
