import { z } from 'zod';
import { REGISTRY_IDS } from '../../ids.ts';
import {
  LITERATURE_HITS,
  PAGE_NUMBER_MAX,
  TRIAL_PAGE_DEFAULT_ITEMS,
  TRIAL_PAGE_MAX_ITEMS,
} from '../../limits/limits.ts';
import { defineOperation } from '../../operation.ts';
import {
  booleanParameter,
  enumParameter,
  integerParameter,
  jsonPointerParameter,
  listParameter,
  textParameter,
} from '../../parameters.ts';
import { RELEVANCE_FORMULA } from '../../relevance.ts';
import { coverageSchema, landscapeSchema, statsSchema } from '../../schemas/trials/counts.ts';
import { relatedSchema } from '../../schemas/trials/related.ts';
import { trialListItemSchema, trialSchema } from '../../schemas/trials/trial.ts';
import { trialFilterParameters } from '../../trial-filters.ts';
import { IDENTIFIER_STANDINGS } from '../../vocabularies.ts';

/** Longest id that is looked up; the longest known id has fewer than 40 characters. */
const ID_MAX_CHARACTERS = 80;
const VERSION_MAX_CHARACTERS = 25;

const ID_PATTERN = /^[\p{L}\p{N} ()./:_\-\u2010-\u2015\u2212]+$/u;
const ID_WORDS = `an identifier of at most ${ID_MAX_CHARACTERS} letters, digits and - / . : _ characters`;

export const identifier = (description: string) =>
  textParameter(ID_MAX_CHARACTERS, description, { test: ID_PATTERN, words: ID_WORDS });

/** Filters that a list of tools shows for counts; `search_world_trials` describes them and more, and each works for all. */
const COUNTED_BY = ['q', 'match', 'topic', 'condition', 'intervention', 'status', 'phase', 'country'];
export const SHOWN_FOR_COUNTS: readonly string[] = [...COUNTED_BY, 'include'];

/** Filters that a list of tools shows for the search: those that agents ask for most. */
const SHOWN_FOR_SEARCH: readonly string[] = [
  ...COUNTED_BY,
  ...['sponsor', 'studyType', 'registry', 'modality', 'resultsAvailable', 'resultsGap', 'inBoth'],
  ...['startedAfter', 'startedBefore', 'completedAfter', 'completedBefore', 'updatedAfter'],
  ...['page', 'pageSize', 'sort', 'include'],
];

/** Orders of a search; see docs/filters.md. */
export const TRIAL_SORTS = ['updated', 'relevance', 'start', 'completion', 'enrollment', 'daysOverdue'] as const;

/** Parameters that choose how an answer is shown, not which trials it covers. */
export const PRESENTATION_PARAMETERS: readonly string[] = [
  'page',
  'pageSize',
  'sort',
  'include',
  ...['includeRaw', 'rawPath', 'by'],
  'split',
  'facet',
  'text',
  'against',
  'cursor',
];

const READ_ERRORS = ['INVALID_PARAM', 'TRIALS_UNAVAILABLE'] as const;

export const searchTrials = defineOperation({
  id: 'trials-search',
  method: 'GET',
  path: '/api/v1/trials/search',
  summary: 'Search trials',
  description:
    'Deduplicated trials that match every filter, latest update first. The total is exact; to quote a number of trials, use the coverage endpoint with the same filters.',
  whenToUse: 'To find and read trials; to quote a number, use the coverage of the same query.',
  next: ['trials-detail', 'trials-coverage', 'trials-landscape'],
  server: 'index',
  catalogueId: 'trials-search',
  names: { mcp: 'search_world_trials', a2a: 'world_trial_search', sdk: 'searchTrials' },
  tool: {
    title: 'Search trials',
    description:
      'Find and list clinical trials by disease, treatment, sponsor, country, phase, status (recruiting, ...) or date, or the most overdue results (resultsGap with sort=daysOverdue). To quote how many there are, use get_trial_coverage.',
    shown: SHOWN_FOR_SEARCH,
  },
  bucket: 'read',
  // A phrase is checked against the text of every trial that has its words.
  costly: { parameter: 'q', contains: '"' },
  query: {
    ...trialFilterParameters,
    page: integerParameter(1, PAGE_NUMBER_MAX, 'Page, from 1.').default(1),
    pageSize: integerParameter(1, TRIAL_PAGE_MAX_ITEMS, 'Trials a page.').default(TRIAL_PAGE_DEFAULT_ITEMS),
    sort: enumParameter(
      TRIAL_SORTS,
      `updated, as without it: latest update first; relevance: highest score of the text first; start and completion: latest first; enrollment: most people first; daysOverdue: longest in the results gap first. Trials without the value come last; ties by update. Relevance is of the text alone, no ranking of promise: ${RELEVANCE_FORMULA}`,
    ).optional(),
    include: listParameter(
      ['eligibilityText', 'modality', 'explain'],
      'eligibilityText adds the eligibility prose; modality adds the inferred labels with the matched terms; explain shows how match=concepts read q.',
    ).optional(),
  },
  output: z.object({ trials: z.array(trialListItemSchema) }),
  errors: READ_ERRORS,
  cache: 'snapshot',
  example: '/api/v1/trials/search?q=diabetes&pageSize=2',
});

export const getTrial = defineOperation({
  id: 'trials-detail',
  method: 'GET',
  path: '/api/v1/trials/{canonicalId}',
  summary: 'Read one trial',
  description:
    'One trial with every registration and what each says. It is found by its canonical id, by a canonical id that it had before, and by any registry id that it holds.',
  whenToUse: 'Before citing a trial; includeRaw adds the untouched registry payload, rawPath a part of it.',
  next: ['trials-related', 'trials-compare', 'trials-sites', 'trials-registrations', 'trials-history', 'trials-proof'],
  server: 'index',
  catalogueId: 'trials-detail',
  names: { mcp: 'get_world_trial', a2a: 'world_trial_record', sdk: 'getTrial' },
  tool: {
    title: 'Details of one trial',
    description:
      'Details of one trial by NCT, ISRCTN or canonical id: the full record with status, phase, sponsor, dates and outcomes, what each registration says, and how to cite it.',
    shown: ['canonicalId', 'includeRaw'],
  },
  bucket: 'read',
  params: { canonicalId: identifier('Canonical id (wt_…) or a registry id.') },
  query: {
    includeRaw: booleanParameter('true adds each untouched payload and its checksum; rawPath=/a/b a part.').default(
      false,
    ),
    rawPath: jsonPointerParameter(
      'A JSON pointer (RFC 6901) into the payload of ClinicalTrials.gov, as /resultsSection/outcomeMeasuresModule: adds that part as received, with the checksum of the whole.',
    ).optional(),
    include: listParameter(['modality'], 'modality adds the inferred labels with the matched terms.').optional(),
  },
  output: trialSchema,
  errors: [...READ_ERRORS, 'TRIAL_NOT_FOUND'],
  cache: 'snapshot',
});

export const getTrialRelatedResearch = defineOperation({
  id: 'trials-related',
  method: 'GET',
  path: '/api/v1/trials/{id}/related',
  summary: 'Read research related to a trial',
  description:
    'Three layers: publications that the registries themselves list for a trial (`results` is the strongest kind); papers of PubMed and Europe PMC that name one of its identifiers, which are mentions and not necessarily results; and the other registry identifiers that those papers name. None of this merges, counts or decides anything about a trial. A source that did not answer is named; null means unknown, never none.',
  whenToUse: 'To look for results or background of one trial; a mention is not a result. include=declared is fast.',
  next: ['trials-detail', 'findings'],
  server: 'index',
  catalogueId: 'trials-related',
  names: { mcp: 'get_trial_related_research', a2a: 'trial_related_research', sdk: 'getTrialRelatedResearch' },
  tool: {
    title: 'Papers and publications of a trial',
    description:
      'Has a trial been published? The papers that its registries list, papers in PubMed and Europe PMC that mention it, and other numbers they name. A mention is not a result.',
  },
  reachesOutside: true,
  bucket: 'read',
  params: { id: identifier('Canonical id (wt_…) or a registry id.') },
  argumentNames: { id: 'canonicalId' },
  // The interface names the parameter of this path by either id.
  argumentAliases: { canonicalId: ['registryId'] },
  query: {
    include: listParameter(
      ['declared', 'literature', 'crossref'],
      'Layers to read; all by default. crossref adds identifiers that the literature names beside this trial, and removes no layer; declared or literature alone reads only that one.',
    ).optional(),
    limit: integerParameter(
      LITERATURE_HITS.min,
      LITERATURE_HITS.max,
      'Papers of each source for each identifier of the trial.',
    ).default(LITERATURE_HITS.default),
  },
  output: relatedSchema,
  errors: [...READ_ERRORS, 'TRIAL_NOT_FOUND', 'RELATED_RESEARCH_UNAVAILABLE'],
});

export const getTrialCoverage = defineOperation({
  id: 'trials-coverage',
  method: 'GET',
  path: '/api/v1/trials/coverage',
  summary: 'Count distinct trials',
  description:
    'The one number of trials that may be quoted: distinct trials, with what each registry holds of them, their overlap, and the inflation that summing registries would have caused.',
  whenToUse: 'Whenever a number of trials is to be quoted: it is the only quotable total.',
  next: ['trials-landscape', 'sources'],
  server: 'index',
  catalogueId: 'trials-coverage',
  names: { mcp: 'get_trial_coverage', a2a: 'world_trial_coverage', sdk: 'getTrialCoverage' },
  tool: {
    title: 'How many trials there are',
    description:
      'Count trials: how many distinct trials there are of a disease, treatment, phase or status (recruiting, ...), and how sure that is: the one exact number to quote, what each registry holds of it, and their overlap.',
    shown: SHOWN_FOR_COUNTS,
  },
  bucket: 'read',
  costly: true,
  query: {
    ...trialFilterParameters,
    include: listParameter(['explain'], 'explain shows how match=concepts read q.').optional(),
  },
  output: coverageSchema,
  errors: READ_ERRORS,
  cache: 'snapshot',
  example: '/api/v1/trials/coverage?q=diabetes',
});

export const getTrialLandscape = defineOperation({
  id: 'trials-landscape',
  method: 'GET',
  path: '/api/v1/trials/landscape',
  summary: 'Describe a set of trials',
  description:
    'Phase, status and type mix, sponsor concentration, enrolment scale, momentum, the reporting gap of each registry, and how complete each field is. It describes and does not judge; only the modality mix, which is added on request, is inferred.',
  whenToUse: 'To describe a set of trials as a whole; read fieldCompleteness first.',
  next: ['trials-search', 'trials-coverage', 'trials-trend'],
  server: 'index',
  catalogueId: 'trials-landscape',
  names: { mcp: 'get_trial_landscape', a2a: 'world_trial_landscape', sdk: 'getTrialLandscape' },
  tool: {
    title: 'Describe a field: phases, sponsors, status',
    description:
      'Describes a field of trials as a whole: how many in each phase and status, who sponsors or funds the most trials, people enrolled, results not reported, and how complete each field is.',
    shown: [...SHOWN_FOR_COUNTS, 'against'],
  },
  bucket: 'read',
  costly: true,
  query: {
    ...trialFilterParameters,
    include: listParameter(
      ['modality', 'explain'],
      'modality adds the mix of inferred modalities, as the modality filter does; explain shows how match=concepts read q.',
    ).optional(),
    against: textParameter(
      VERSION_MAX_CHARACTERS,
      'Adds the counts of the same query in a version that is held, and the change since: a version of GET /api/v1/snapshots, or previous, the newest before the served one. An addition to the interface.',
      {
        test: /^(?:previous|\d{8}T\d{6}Z-[0-9a-f]{8})$/,
        words: 'a version such as 20261121T031500Z-0a1b2c3d, or previous',
      },
    ).optional(),
  },
  output: landscapeSchema,
  errors: [...READ_ERRORS, 'NOT_FOUND'],
  cache: 'snapshot',
  example: '/api/v1/trials/landscape?q=diabetes',
});

export const getTrialRegistrations = defineOperation({
  id: 'trials-registrations',
  method: 'GET',
  path: '/api/v1/trials/registrations',
  summary: 'Resolve a registry identifier',
  description:
    'The trial that a registry identifier (NCT, ISRCTN, EudraCT, EU CT, UTN …) resolves to, every registration of it, the evidence that links them, and the registries that it is absent from.',
  whenToUse: 'When you hold an identifier (NCT, ISRCTN, EudraCT, EU CT) and need the canonical id.',
  next: ['trials-detail', 'trials-related'],
  server: 'index',
  catalogueId: 'trials-registrations',
  names: { mcp: 'find_trial_registrations', a2a: 'world_trial_registrations', sdk: 'getTrialRegistrations' },
  tool: {
    title: 'Which trial a registry number belongs to',
    description:
      'Which trial an NCT, ISRCTN, EudraCT, EU CT or UTN number belongs to, every registration of that trial, and the evidence that joins them.',
  },
  bucket: 'read',
  query: { id: identifier('A registry identifier.').optional() },
  output: z.object({
    query: z.string().describe('the identifier as it was read'),
    total: z.int().describe('how many trials it leads to; more than one only where several trials state it'),
    matches: z
      .array(
        z.object({
          canonicalId: z.string(),
          standing: z
            .enum(IDENTIFIER_STANDINGS)
            .describe(
              'how the identifier relates to the trial; sponsor-code: a protocol code that its sponsor gave, which other sponsors may use too and which never joins registrations; divided: a canonical id whose registrations came to stand in different trials, which all are listed and have ids of their own; superseded: the number of a record in whose place its registry keeps another one of the trial, shown as that record; claimed: a number that several trials have among their earlier ones, so that it means none (all four are additions to the interface)',
            ),
          trial: trialSchema,
          absentFrom: z
            .array(z.enum(REGISTRY_IDS))
            .describe('absent from this index, which does not prove that it was never registered'),
        }),
      )
      .describe('at most 100'),
  }),
  errors: [...READ_ERRORS, 'MISSING_ID', 'TRIAL_NOT_FOUND'],
  cache: 'snapshot',
  example: '/api/v1/trials/registrations?id={id}',
});

export const getTrialStats = defineOperation({
  id: 'trials-stats',
  method: 'GET',
  path: '/api/v1/trials/stats',
  summary: 'Size of the corpus',
  description: 'Corpus size, what each registry holds, and the curated topic ids.',
  whenToUse: 'At the start, to know the snapshot and the topics.',
  next: ['trials-search', 'sources', 'trials-values'],
  server: 'index',
  catalogueId: 'trials-stats',
  names: { mcp: 'get_trial_stats', a2a: 'world_trial_stats', sdk: 'getTrialStats' },
  tool: {
    title: 'Size of the index, and its topics',
    description:
      'How many trials and registrations the index holds altogether, what each registry holds, and which topics exist.',
  },
  bucket: 'read',
  output: statsSchema,
  errors: ['TRIALS_UNAVAILABLE'],
  cache: 'snapshot',
});

// Literal paths stand before the one with an id, so that a reader of the list sees them first; the router ranks them so too.
export const TRIAL_OPERATIONS = [
  searchTrials,
  getTrialCoverage,
  getTrialLandscape,
  getTrialRegistrations,
  getTrialStats,
  getTrial,
  getTrialRelatedResearch,
] as const;
