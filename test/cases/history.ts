import { expect } from 'vitest';
import type { Cases } from './case.ts';

const VERSION = expect.stringMatching(/^\d{8}T\d{6}Z-[0-9a-f]{8}$/);

/** Facts of the sample corpus, whose one version has no parent: nothing is stored before it. */
export const HISTORY_CASES: Cases = {
  'since the served version nothing changed, and the answer says so': {
    operation: 'trials-changes',
    given: { since: 'current', q: 'diabetes' },
    data: {
      between: { from: VERSION, to: VERSION, versions: 0, missing: [], complete: true },
      kept: { from: null, to: VERSION, versions: 0 },
      removedTold: false,
      trials: [],
      summary: expect.stringMatching(/^No version was published after \S+: nothing changed\./),
    },
    meta: { filters: { q: 'diabetes' }, pagination: { limit: 20, returned: 0, hasMore: false, nextCursor: null } },
  },
  'a trial of the first version was first seen there': {
    operation: 'trials-history',
    given: { id: 'NCT90000183' },
    data: {
      id: 'NCT90000183',
      state: 'held',
      firstSeen: { version: VERSION, orEarlier: false, before: null },
      removedIn: null,
      entries: [],
    },
    meta: { pagination: { page: 1, totalItems: 0, hasMore: false } },
  },
};
