import { describe, expect, test } from 'vitest';
import { unknownCallsIn } from '../../test/support/contract-texts.ts';
import * as board from './limits.ts';
import * as research from './research.ts';
import * as twin from './twin.ts';

const limits = { ...board, ...research, ...twin };

describe('the limits', () => {
  test('of the interface that no schema states have the values of the interface', () => {
    expect(limits).toMatchObject({
      RATE_WINDOW_SECONDS: 60,
      ANONYMOUS_READS_PER_MINUTE: 120,
      KEYED_READS_PER_MINUTE: 1000,
      FINDING_BODY_MAX_BYTES: 20000,
      COORDINATION_BODY_MAX_BYTES: 8000,
      MODEL_RUN_BODY_MAX_BYTES: 64000,
      CLAIM_LEASE_HOURS: 24,
      CLAIM_MAX_RENEWALS: 14,
      CHANGES_WINDOW_DAYS: 30,
      BOARD_SKILL_MAX_ITEMS: 50,
      RESULTS_GAP_MONTHS: 18,
      RESULTS_GAP_CONFIRMING_AGENTS: 2,
    });
  });

  test('of the request rates stand in one table of buckets', () => {
    expect(limits.RATE_BUCKETS.map(({ id, perMinute, scope }) => `${id} ${perMinute} ${scope}`)).toEqual([
      'read 120 address',
      'read-keyed 1000 key',
      'read-address 2000 address',
      'read-size 240 address',
      'export 12 address',
      'finding-write 12 address',
      'claim-write 15 address',
      'claim-action 15 address',
      'a2a-write 15 address',
      'thread-write 30 address',
      'link-write 30 address',
      'review-write 30 address',
      'coordination-write 15 address',
      'beta-cell-run 6 address',
      'experiment-run 6 address',
    ]);
    for (const { id, appliesTo } of limits.RATE_BUCKETS) expect(unknownCallsIn(appliesTo), id).toEqual([]);
  });
});
