import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { predictionPage } from '../../../board-server/calibration/prediction-store.ts';
import { type ClaimFilter, claimPage } from '../../../board-server/claims/claim-store.ts';
import { checkCount, checksOf, standingsOf } from '../../../board-server/cure-lab/evidence-check-store.ts';
import {
  type EvidenceFilter,
  evidencePage,
  outcomeSide,
  sourceSide,
} from '../../../board-server/cure-lab/evidence-store.ts';
import { contradictionPage, talliesOf, talliesUnder } from '../../../board-server/cure-lab/evidence-tally-store.ts';
import { type HypothesisFilter, hypothesisPage } from '../../../board-server/cure-lab/hypothesis-store.ts';
import { type DeadEndFilter, deadEndPage } from '../../../board-server/dead-ends/dead-end-store.ts';
import { type FindingFilter, findingPage } from '../../../board-server/findings/finding-store.ts';
import { type LadderFilter, ladderPage, openRungPage } from '../../../board-server/ladders/ladder-store.ts';
import { methodPage, usesOf } from '../../../board-server/methods/method-store.ts';
import { presentRequests, queuePage, type RealityFilter } from '../../../board-server/reality/reality-store.ts';
import { checksAfter, reportsOn } from '../../../board-server/results-gap/report-store.ts';
import { type MessageFilter, messagePage } from '../../../board-server/threads/message-store.ts';
import { deliveriesOf } from '../../../board-server/webhooks/delivery-store.ts';
import { openPlans, type Plans } from '../../support/board/plans.ts';

const FIRST = { limit: 21, offset: 0, after: null };
/** A later page, reached by a cursor. */
const LATER = { limit: 21, offset: 0, after: 1_790_000_000_000_000 };
const NOW = 1_795_000_000_000_000;

let plans: Plans;
let db: Plans['db'];
beforeAll(async () => {
  plans = await openPlans();
  db = plans.db;
});
afterAll(() => plans[Symbol.asyncDispose]());

/** The query plan of the last query that `read` sends. */
async function planOf(read: () => Promise<unknown>): Promise<string> {
  return (await plans.of(read)).at(-1)!;
}

describe('the page after a cursor', () => {
  const SORTED = '; USE TEMP B-TREE FOR ORDER BY';

  it.each<[ClaimFilter, string]>([
    // The leases bound the live claims of a subject. All claims ever made there have no bound.
    [{ state: 'active' }, 'claims_state (state=? AND seq>? AND seq<?)'],
    [
      { state: 'active', objectiveId: 'x' },
      `claims_objective_live (objective_id=? AND state=? AND lease_until>?)${SORTED}`,
    ],
    [
      { state: 'active', questionId: 'x' },
      `claims_question_live (question_id=? AND state=? AND lease_until>?)${SORTED}`,
    ],
    [{ state: 'expired' }, 'claims_state (state=? AND seq<?)'],
    [{ state: 'released' }, 'claims_state (state=? AND seq<?)'],
    [{ state: 'delivered', objectiveId: 'x' }, 'claims_objective (objective_id=? AND seq<?)'],
    [{ state: 'expired', questionId: 'x' }, 'claims_question (question_id=? AND seq<?)'],
    [{ state: 'released', agentName: 'x' }, 'claims_agent (agent_name=? AND seq<?)'],
  ])('of claims %j is read by %s', async (filter, plan) => {
    expect(await planOf(() => claimPage(db, filter, NOW, LATER))).toBe(plan);
    expect(await planOf(() => claimPage(db, filter, NOW, FIRST))).toBe(plan.replace(' AND seq<?', ''));
  });

  it.each<[Omit<FindingFilter, 'includeWithdrawn'>, string]>([
    [{}, 'findings_shown (seq<?)'],
    [{ status: 'received' }, 'findings_status (status=? AND seq<?)'],
    [{ objectiveId: 'x' }, 'findings_objective (objective_id=? AND seq<?)'],
    [{ questionId: 'x' }, 'findings_question (question_id=? AND seq<?)'],
    [{ agentName: 'x' }, 'findings_agent (agent_name=? AND seq<?)'],
    [{ objectiveId: 'x', status: 'received' }, 'findings_objective (objective_id=? AND seq<?)'],
  ])('of findings %j is read in its order by %s', async (filter, plan) => {
    expect(await planOf(() => findingPage(db, { includeWithdrawn: false, ...filter }, LATER))).toBe(plan);
  });

  it.each<[MessageFilter, string]>([
    [{}, 'sqlite_autoindex_messages_2 (seq<?)'],
    [{ subjectType: 'claim' }, 'messages_type (subject_type=? AND seq<?)'],
    [{ subjectType: 'claim', subjectId: 'x' }, 'messages_subject (subject_type=? AND subject_id=? AND seq<?)'],
    [{ agentName: 'x', subjectType: 'claim' }, 'messages_agent (agent_name=? AND seq<?)'],
  ])('of messages %j is read in its order by %s, either way', async (filter, plan) => {
    const page = (newestFirst: boolean) => planOf(() => messagePage(db, filter, { ...LATER, newestFirst }));
    expect(await page(true)).toBe(plan);
    expect(await page(false)).toBe(plan.replace('seq<?', 'seq>?'));
  });

  it('of the delivery log is read in its order by the index of its subscription', async () => {
    for (const failed of [undefined, true, false]) {
      const plan = await planOf(() => deliveriesOf(db, 'x', failed, LATER));
      expect(plan).toBe('deliveries_webhook (webhook_id=? AND id<?)');
    }
  });

  it.each([{ q: 'x' }, { trialId: ['x', 'y'] }])('of %j begins at the words, never at all rows', async (asked) => {
    const plans = [
      await planOf(() => claimPage(db, { state: 'released', ...asked }, NOW, LATER)),
      await planOf(() => findingPage(db, { includeWithdrawn: false, ...asked }, LATER)),
      await planOf(() => messagePage(db, asked, { ...LATER, newestFirst: true })),
    ];
    for (const plan of plans) expect(plan).not.toMatch(/SCAN (claims|findings|messages)(?! VIRTUAL|_)/);
    expect(plans.map((plan) => /SCAN (\w+) VIRTUAL TABLE/.exec(plan)?.[1])).toEqual([
      'claims_search',
      'findings_search',
      'messages_search',
    ]);
  });
});

describe('the results gap', () => {
  it('reads the reports on one trial, and what was checked since, without reading the others', async () => {
    expect(await planOf(() => reportsOn(db, 'NCT00000013'))).toBe(
      'results_gap_reports_trial (nct_id=?); results_gap_checks_report (report=?)',
    );
    expect(await planOf(() => checksAfter(db, 5))).toBe(
      'SEARCH c USING INTEGER PRIMARY KEY (rowid>?); SEARCH r USING INTEGER PRIMARY KEY (rowid=?)',
    );
  });
});

describe('the queue of reality requests', () => {
  const KEYED = 'queue_key>?';

  it.each<[RealityFilter, string]>([
    [{}, `sqlite_autoindex_reality_requests_4 (${KEYED})`],
    [{ state: 'open' }, `reality_requests_state (state=? AND ${KEYED})`],
    [{ lane: 'compute' }, `reality_requests_lane (lane=? AND ${KEYED})`],
    [{ lane: 'compute', state: 'open' }, `reality_requests_lane (lane=? AND ${KEYED})`],
    [{ objectiveId: 'x', lane: 'compute' }, `reality_requests_objective (objective_id=? AND ${KEYED})`],
    [{ questionId: 'x', state: 'open' }, `reality_requests_question (question_id=? AND ${KEYED})`],
  ])('of %j is read in its order by %s, what has priority by id beside it', async (filter, plan) => {
    const page = { ...LATER, after: 2 ** 42 };
    expect(await planOf(() => queuePage(db, filter, new Set(), page))).toBe(plan);
    expect(await planOf(() => queuePage(db, filter, new Set(['a', 'b']), page))).toBe(
      `MERGE (UNION ALL); LEFT; ${plan}; RIGHT; sqlite_autoindex_reality_requests_1 (id=?); USE TEMP B-TREE FOR ORDER BY`,
    );
  });
});

describe('the acceptances of a page of requests', () => {
  it('are counted in an index alone', async () => {
    const plan = await planOf(() => presentRequests(db, [], new Set(), NOW));
    expect(plan).toBe('SEARCH reality_acceptances USING COVERING INDEX reality_acceptances_own (request_id=?)');
  });
});

describe('predictions and dead ends', () => {
  it('are read in their order, newest first', async () => {
    expect(await planOf(() => predictionPage(db, null, LATER))).toBe('sqlite_autoindex_predictions_2 (seq<?)');
    expect(await planOf(() => predictionPage(db, 'x', LATER))).toBe('predictions_author (token_hash=? AND seq<?)');
    const plan = (filter: DeadEndFilter) => planOf(() => deadEndPage(db, filter, LATER));
    expect(await plan({})).toBe('sqlite_autoindex_dead_ends_2 (seq<?)');
    expect(await plan({ state: 'standing' })).toBe('dead_ends_state (state=? AND seq<?)');
    expect(await plan({ objectiveId: 'x', state: 'standing' })).toBe('dead_ends_objective (objective_id=? AND seq<?)');
    expect(await plan({ questionId: 'x' })).toBe('dead_ends_question (question_id=? AND seq<?)');
    expect(await plan({ agentName: 'x', state: 'standing' })).toBe('dead_ends_agent (agent_name=? AND seq<?)');
  });
});

describe('the evidence of the cure lab', () => {
  it.each<[EvidenceFilter, string]>([
    [{}, 'sqlite_autoindex_evidence_2 (seq<?)'],
    [{ source: 'pmid:1', direction: 'supports' }, 'evidence_source (source=? AND seq<?)'],
    [{ hypothesisId: 'x', track: 'B' }, 'evidence_hypothesis (hypothesis_id=? AND seq<?)'],
    [{ cohort: 'x' }, 'evidence_cohort (cohort=? AND seq<?)'],
    [{ agentName: 'x', disease: 'obesity' }, 'evidence_agent (agent_name=? AND seq<?)'],
    [{ outcomeCategory: 'other', evidenceClass: 'E1' }, 'evidence_outcome (outcome_category=? AND seq<?)'],
    [{ evidenceClass: 'E1', stage: 'established' }, 'evidence_class (evidence_class=? AND seq<?)'],
    [{ stage: 'established', track: 'B' }, 'evidence_stage (disease_stage=? AND seq<?)'],
    [{ track: 'B', disease: 'obesity' }, 'evidence_track (track=? AND seq<?)'],
    [{ disease: 'obesity', direction: 'supports' }, 'evidence_disease (disease=? AND seq<?)'],
    [{ direction: 'supports' }, 'evidence_direction (direction=? AND seq<?)'],
  ])('reads claims of %j in their order by %s', async (filter, plan) => {
    expect(await planOf(() => evidencePage(db, filter, LATER))).toBe(plan);
  });

  it('reads one side of a contradiction by an index of that side', async () => {
    const group = { disease: 'obesity', track: 'B', outcomeCategory: 'insulin-reduced', stage: 'established' } as const;
    expect(await planOf(() => sourceSide(db, 'pmid:1', 'supports', 20))).toBe(
      'evidence_source_side (source=? AND direction=?)',
    );
    expect(await planOf(() => outcomeSide(db, group, 'supports', 20))).toBe(
      'evidence_outcome_side (disease=? AND track=? AND outcome_category=? AND disease_stage=? AND direction=?)',
    );
  });

  it('reads contradictions, hypotheses, checks and counts without reading all of them', async () => {
    expect(await planOf(() => contradictionPage(db, undefined, LATER))).toBe(
      'sqlite_autoindex_contradictions_2 (seq<?)',
    );
    expect(await planOf(() => contradictionPage(db, 'paper', LATER))).toBe('contradictions_kind (kind=? AND seq<?)');
    const hypotheses = (filter: HypothesisFilter) => planOf(() => hypothesisPage(db, filter, LATER));
    expect(await hypotheses({})).toBe('sqlite_autoindex_hypotheses_2 (seq<?)');
    expect(await hypotheses({ state: 'gathering' })).toBe('hypotheses_state (state=? AND seq<?)');
    expect(await hypotheses({ state: 'gathering', track: 'B' })).toBe('hypotheses_track (track=? AND seq<?)');
    expect(await hypotheses({ state: 'gathering', track: 'B', agentName: 'x' })).toBe(
      'hypotheses_agent (agent_name=? AND seq<?)',
    );
    expect(await planOf(() => checksOf(db, 'pmid:1', 20))).toBe('evidence_checks_source (source=?)');
    const keyed = [
      await planOf(() => checkCount(db, 'pmid:1')),
      await planOf(() => standingsOf(db, ['pmid:1', 'pmid:2'])),
      await planOf(() => talliesOf(db, ['disease:obesity'])),
      await planOf(() => talliesUnder(db, 'cell:obesity/')),
    ];
    for (const plan of keyed) expect(plan).not.toMatch(/SCAN/);
  });
});

describe('ladders and methods', () => {
  it.each<[LadderFilter, string]>([
    [{}, 'sqlite_autoindex_ladders_2 (seq<?)'],
    [{ state: 'open' }, 'ladders_state (state=? AND seq<?)'],
    [{ objectiveId: 'x' }, 'ladders_objective (objective_id=? AND seq<?)'],
    [{ questionId: 'x', state: 'completed' }, 'ladders_question (question_id=? AND seq<?)'],
    [{ agentName: 'x', state: 'open' }, 'ladders_agent (agent_name=? AND seq<?)'],
  ])('of %j are read in their order by %s', async (filter, plan) => {
    expect(await planOf(() => ladderPage(db, filter, LATER))).toBe(plan);
  });

  it('are read in their order, rungs and cards too', async () => {
    const ladder = '; SEARCH l USING INDEX sqlite_autoindex_ladders_1 (id=?)';
    const plans = [
      await planOf(() => openRungPage(db, undefined, LATER)),
      await planOf(() => openRungPage(db, 'small', LATER)),
      await planOf(() => methodPage(db, { state: 'active' }, LATER)),
      await planOf(() => methodPage(db, { state: 'active', agentName: 'x' }, LATER)),
      await planOf(() => usesOf(db, ['x'])),
    ];
    expect(plans.map((plan) => plan.replace(ladder, '').replace(/^SEARCH r USING INDEX /, ''))).toEqual([
      'rungs_state (state=? AND seq>?); sqlite_autoindex_ladders_1 (id=?)',
      'rungs_effort (state=? AND effort=? AND seq>?); sqlite_autoindex_ladders_1 (id=?)',
      'methods_state (state=? AND seq<?)',
      'methods_agent (agent_name=? AND seq<?)',
      'SEARCH method_uses USING COVERING INDEX sqlite_autoindex_method_uses_3 (slug=?)',
    ]);
  });
});
