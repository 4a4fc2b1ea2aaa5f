import { CURSOR_MAX_CHARACTERS, PAGE_NUMBER_MAX } from '../../limits/limits.ts';
import { defineOperation } from '../../operation.ts';
import { CURSOR_EXPECTED } from '../../paging.ts';
import { enumParameter, integerParameter, textParameter } from '../../parameters.ts';
import { trialHistorySchema, trialsChangedSchema } from '../../schemas/trials/trial-change.ts';
import { trialFilterParameters } from '../../trial-filters.ts';
import { identifier, SHOWN_FOR_COUNTS } from './trials.ts';

const MOMENT_MAX_CHARACTERS = 40;
const CHANGES_MAX = 100;

const moment = (description: string) =>
  textParameter(MOMENT_MAX_CHARACTERS, description, {
    test: /^(?:current|\d{8}T\d{6}Z-[0-9a-f]{8}|\d{4}-\d{2}-\d{2}(?:T[0-9:.]{5,15}(?:Z|[+-]\d{2}:\d{2})?)?)$/,
    words: 'a version such as 20261121T031500Z-0a1b2c3d, a day such as 2026-11-21, or an ISO 8601 time',
  });

export const getTrialChanges = defineOperation({
  id: 'trials-changes',
  method: 'GET',
  path: '/api/v1/trials/changes',
  summary: 'Follow what changed in the registries',
  description:
    'Which trials changed since a version or a day, field by field, with every filter of the search. Filters are read against the served version: what is told are the changes of the trials that match now, also of the ids that they had before. A trial that is no longer held cannot be tested by a filter, so removed trials are listed only where no filter is given, and removedTold says so; a trial that left the set by a change of a filtered field is found by leaving that filter out. One entry is one trial in one version, oldest first. Pages end at the version that was served when the first was asked for, so a new snapshot between two pages repeats and skips nothing. An addition to the interface.',
  whenToUse: 'To learn what changed since you last looked, of all trials or of those of one query.',
  next: ['trials-history', 'snapshot-diff', 'webhooks-create'],
  server: 'index',
  names: { mcp: 'trials_changes', a2a: 'world_trial_changes', sdk: 'getTrialChanges' },
  tool: {
    title: 'What changed in the registries',
    description:
      'What changed since a day (2026-11-25) or a version: new, changed, merged and removed trials with old and new values, with all filters of the search.',
    shown: ['since', 'until', ...SHOWN_FOR_COUNTS.filter((name) => name !== 'include'), 'limit', 'cursor'],
  },
  bucket: 'read',
  costly: true,
  query: {
    since: moment(
      'Changes after this: a version, or a day or time (versions published on that day or later, or after that time). Without it: what the served version changed.',
    ).optional(),
    until: moment(
      'Changes up to this version, or versions published on that day or before; the served one without it.',
    ).optional(),
    ...trialFilterParameters,
    limit: integerParameter(1, CHANGES_MAX, 'Changed trials a page.').default(20),
    cursor: textParameter(
      CURSOR_MAX_CHARACTERS,
      'pagination.nextCursor of the previous answer, with the same filters; since and until are those of the first page.',
      { test: /^[A-Za-z0-9_-]+$/, words: CURSOR_EXPECTED },
    ).optional(),
  },
  output: trialsChangedSchema,
  errors: ['INVALID_PARAM', 'TRIALS_UNAVAILABLE'],
  cache: 'revalidate',
  example: '/api/v1/trials/changes?since=current&q=diabetes',
});

export const getTrialHistory = defineOperation({
  id: 'trials-history',
  method: 'GET',
  path: '/api/v1/trials/{id}/history',
  summary: 'Read the history of a trial',
  description:
    'Every version in which something about a trial changed: field, old and new value, the registry that states it, merges and splits, and when it was first seen. Found by canonical id, by an id that it had before, and by a registry id; also of a trial that was removed. It reaches as far back as stored changes are kept. An addition to the interface.',
  whenToUse: 'To see how one trial changed over time: its status, dates, enrolment or endpoints.',
  next: ['trials-detail', 'trials-changes', 'snapshot'],
  server: 'index',
  names: { mcp: 'trials_history', a2a: 'world_trial_history', sdk: 'getTrialHistory' },
  tool: {
    title: 'How one trial changed over time',
    description:
      'The history of one trial: when it was first seen, and each version in which its status, dates, endpoints or anything else changed, with old and new value. Also of removed trials.',
  },
  bucket: 'read',
  params: { id: identifier('Canonical id (wt_…), also a previous one, or a registry id.') },
  argumentNames: { id: 'canonicalId' },
  query: {
    order: enumParameter(['oldest', 'newest'], 'Which version comes first.').default('oldest'),
    page: integerParameter(1, PAGE_NUMBER_MAX, 'Page, from 1.').default(1),
    pageSize: integerParameter(1, CHANGES_MAX, 'Versions a page.').default(20),
  },
  output: trialHistorySchema,
  errors: ['INVALID_PARAM', 'TRIALS_UNAVAILABLE', 'TRIAL_NOT_FOUND'],
  cache: 'revalidate',
  example: '/api/v1/trials/{id}/history',
});

export const HISTORY_OPERATIONS = [getTrialChanges, getTrialHistory] as const;
