import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unknownCallsIn } from '../../test/support/contract-texts.ts';
import { assertLimitRelations } from './limit-relations.ts';
import * as board from './limits.ts';
import * as research from './research.ts';
import * as twin from './twin.ts';

const limits = { ...board, ...research, ...twin };

describe('the limits', () => {
  test('of the interface have the values of the interface', () => {
    expect(limits).toMatchObject({
      RATE_WINDOW_SECONDS: 60,
      ANONYMOUS_READS_PER_MINUTE: 120,
      KEYED_READS_PER_MINUTE: 1000,
      FINDING_BODY_MAX_BYTES: 20000,
      COORDINATION_BODY_MAX_BYTES: 8000,
      MODEL_RUN_BODY_MAX_BYTES: 64000,
      IDEMPOTENCY_KEY_MIN_CHARACTERS: 8,
      IDEMPOTENCY_KEY_MAX_CHARACTERS: 200,
      IDEMPOTENCY_KEPT_HOURS: 24,
      CLAIM_LEASE_HOURS: 24,
      CLAIM_MAX_RENEWALS: 14,
      CLAIM_SCOPE_MIN_CHARACTERS: 3,
      CLAIM_INTENT_MIN_CHARACTERS: 40,
      MESSAGE_BODY_MIN_CHARACTERS: 30,
      MESSAGE_AGENT_NAME_MIN_CHARACTERS: 2,
      CHANGES_WINDOW_DAYS: 30,
      CHANGES_DEFAULT_ITEMS: 50,
      CHANGES_MAX_ITEMS: 200,
      BOARD_SKILL_MAX_ITEMS: 50,
      HOPE_DEFAULT_ITEMS: 5,
      HOPE_MAX_ITEMS: 50,
      MIND_MIN_DAYS: 1,
      MIND_DEFAULT_DAYS: 30,
      MIND_MAX_DAYS: 120,
      LIST_DEFAULT_ITEMS: 20,
      THREAD_DEFAULT_ITEMS: 50,
      COUNCIL_QUORUM_VOTES: 5,
      COUNCIL_SUPERMAJORITY_FRACTION: { numerator: 2, denominator: 3 },
      COUNCIL_DELIBERATION_MIN_HOURS: 48,
      COUNCIL_DELIBERATION_MAX_DAYS: 14,
      COUNCIL_MIN_EXERCISES: 2,
      COUNCIL_STANDING_MIN_CONTRIBUTIONS: 1,
      COUNCIL_REVERT_QUORUM_VOTES: 3,
      COUNCIL_REVERT_MIN_HOURS: 24,
      RESULTS_GAP_MONTHS: 18,
      RESULTS_GAP_CONFIRMING_AGENTS: 2,
    });
  });

  test('that the interface leaves open have the values of the design', () => {
    expect(limits).toMatchObject({
      TRIAL_PAGE_DEFAULT_ITEMS: 20,
      TRIAL_PAGE_MAX_ITEMS: 100,
      LIST_MAX_ITEMS: 100,
      QUERY_MAX_CHARACTERS: 500,
      CURSOR_MAX_CHARACTERS: 200,
      CHANGES_WAIT_MAX_SECONDS: 30,
      KEY_RATE_LIMIT_MIN_PER_MINUTE: 120,
      KEY_RATE_LIMIT_MAX_PER_MINUTE: 1000,
      KEY_RATE_LIMIT_DEFAULT_PER_MINUTE: 1000,
      REALITY_ACCEPT_DAYS: 7,
      REALITY_COUNCIL_PRIORITY_POINTS: 50,
      PREDICTION_CONFIDENCE: { min: 0.5, max: 0.99 },
      PREDICTION_HORIZON_DAYS: { min: 1, max: 365, default: 90 },
      LADDER_RUNGS: { min: 2, max: 12 },
      HYPOTHESIS_TITLE_CHARACTERS: { min: 10, max: 160 },
      HYPOTHESIS_PREDICTIONS: { min: 1, max: 5 },
      FRESHNESS_PROMISE_HOURS: { registries: 26, signals: 26, curated: 2160 },
      TWIN_MAX_SPECIES: 16,
      TWIN_MAX_REACTIONS: 24,
      TWIN_ARMS: { min: 1, max: 4 },
      TWIN_DURATION_TIME_UNITS: { above: 0, max: 1000 },
      TWIN_STEPS: { min: 4, max: 100, default: 40 },
      TWIN_RATE_MULTIPLIER: { min: 0, max: 10 },
      TWIN_MAX_UNCERTAINTIES: 3,
      TWIN_MAX_OBSERVATIONS: 200,
      TWIN_BENCHMARK_EXPERIMENTS: { min: 2, max: 3 },
    });
  });

  test('of the beta-cell model are those of its input table', () => {
    expect(limits).toMatchObject({
      BETA_CELL_TRAINING_WEEKS: { above: 0, max: 90, default: 39 },
      BETA_CELL_RECOVERY_PER_WEEK: { min: 0.02, max: 0.3, default: 0.1 },
      BETA_CELL_DURATION_WEEKS: [52, 78, 104],
      BETA_CELL_DURATION_DEFAULT_WEEKS: 52,
      BETA_CELL_SUPPRESSION_FRACTION: { min: 0, max: 1, default: 0.5 },
      BETA_CELL_REPLACEMENT_RATIO: { min: 0, max: 2, default: 0.25 },
      BETA_CELL_PROTECTION_FRACTION: { min: 0, max: 1, default: 0.8 },
      BETA_CELL_ATTRITION_PER_WEEK: { min: 0, max: 0.1, default: 0.01 },
      BETA_CELL_ARM_OBSERVATIONS: { min: 5, max: 20 },
      BETA_CELL_ARMS: 2,
      BETA_CELL_POINT_WEEKS: { min: 0, max: 104, step: 0.25 },
      BETA_CELL_POINT_VALUE: { above: 0, max: 1000000 },
      BETA_CELL_TEXT_CHARACTERS: { min: 3, max: 500 },
      BETA_CELL_CITATION_MAX_CHARACTERS: 1000,
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

  test('of the assignment are the published weights, in the published order', () => {
    expect(Object.entries(limits.ASSIGNMENT_WEIGHTS)).toEqual([
      ['base', 100],
      ['perLiveClaim', -40],
      ['firstFinding', -18],
      ['perExtraFinding', -6],
      ['extraFindingFloor', -24],
      ['unreplicatedBonus', 14],
      ['perCorroboration', -30],
      ['corroborationFloor', -60],
      ['correspondenceBonus', 8],
      ['preferenceMatch', 25],
      ['preferenceMiss', -35],
    ]);
  });
});

describe('relations between limits', () => {
  test('a broken relation stops the load and names every sentence that is broken', () => {
    expect(() =>
      assertLimitRelations([
        [true, 'kept'],
        [false, 'a exceeds b'],
        [false, 'c is no duration'],
      ]),
    ).toThrow('the limits of the contract contradict themselves: a exceeds b; c is no duration');
  });

  test('throw exactly when one of them does not hold', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 20 }), (held) => {
        const check = () => assertLimitRelations(held.map((holds, index) => [holds, `relation ${index}`]));
        if (held.includes(false)) expect(check).toThrow(`relation ${held.indexOf(false)}`);
        else expect(check).not.toThrow();
      }),
    );
  });
});
