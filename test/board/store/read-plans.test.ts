import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentActivity, agentTally } from '../../../board-server/agents/agent-store.ts';
import { liveOnObjective, liveOnQuestion, liveTwin } from '../../../board-server/claims/claim-store.ts';
import { lineageFindings, linksAmong, linksOf, neighbours } from '../../../board-server/findings/link-store.ts';
import { hasCountedGroup, hasReviewed, reviewsOf, reviewVoices } from '../../../board-server/findings/review-store.ts';
import {
  boardCounts,
  findingCounts,
  laterMessages,
  liveClaimCounts,
  messageCounts,
} from '../../../board-server/orientation/count-store.ts';
import { type EventFilter, eventsBetween, newestEvent } from '../../../board-server/store/event-store.ts';
import { newestOutboxTs, nextEvent, outboxAfter } from '../../../board-server/store/outbox-store.ts';
import { queuedDelivery } from '../../../board-server/webhooks/delivery-store.ts';
import { countWebhooks, webhookById } from '../../../board-server/webhooks/webhook-store.ts';
import { WEBHOOK_EVENTS } from '../../../contract/ids.ts';
import { openPlans, type Plans } from '../../support/board/plans.ts';

const NOW = 1_795_000_000_000_000;

let plans: Plans;
beforeAll(async () => {
  plans = await openPlans();
});
afterAll(() => plans[Symbol.asyncDispose]());

describe('what every write reads', () => {
  it('is one look into an index each, however long its limit is kept from the planner', async () => {
    const { db } = plans;
    expect(await plans.of(() => newestEvent(db))).toEqual(['SCAN events']);
    expect(await plans.of(() => liveTwin(db, 'x', NOW))).toEqual(['claims_content (content_hash=?)']);
    expect(await plans.of(() => db.byContent('findings', 'x'))).toEqual([
      'sqlite_autoindex_findings_3 (content_hash=?)',
    ]);
    expect(await plans.of(() => db.byContent('messages', 'x'))).toEqual([
      'sqlite_autoindex_messages_3 (content_hash=?)',
    ]);
    expect(await plans.of(() => liveOnObjective(db, 'x', NOW, 22))).toEqual([
      // Claims whose leases end in one microsecond are sorted by their place.
      'claims_objective_live (objective_id=? AND state=? AND lease_until>?); USE TEMP B-TREE FOR LAST TERM OF ORDER BY',
    ]);
    expect(await plans.of(() => liveOnQuestion(db, 'x', NOW, 22))).toEqual([
      'claims_question_live (question_id=? AND state=? AND lease_until>?); USE TEMP B-TREE FOR LAST TERM OF ORDER BY',
    ]);
  });
});

describe('the feed', () => {
  it('is read in its order from any place, of every kind, of one and about one thing', async () => {
    const range = { after: NOW, until: 2 * NOW, limit: 51 };
    const page = (filter: EventFilter) => plans.of(() => eventsBetween(plans.db, { ...range, ...filter }));
    expect(await page({})).toEqual(['SEARCH events USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)']);
    expect(await page({ kind: 'claim' })).toEqual(['events_kind (kind=? AND ts>? AND ts<?)']);
    expect(await page({ about: 'vote' })).toEqual(['events_about (about=? AND ts>? AND ts<?)']);
  });
});

describe('deliveries', () => {
  it('find what is next for one of ten thousand subscriptions by index alone', async () => {
    const { db } = plans;
    expect(await plans.of(() => webhookById(db, 'x', NOW))).toEqual(['sqlite_autoindex_webhooks_1 (id=?)']);
    expect(await plans.of(() => queuedDelivery(db, 'x'))).toEqual(['deliveries_queued (webhook_id=?)']);
    expect(await plans.of(() => nextEvent(db, WEBHOOK_EVENTS, NOW))).toEqual(
      WEBHOOK_EVENTS.map(() => 'SEARCH outbox USING COVERING INDEX outbox_name (event_name=? AND event_ts>?)'),
    );
    const outbox = 'SEARCH outbox USING INTEGER PRIMARY KEY (rowid>?)';
    expect(await plans.of(() => outboxAfter(db, NOW, 500))).toEqual([outbox]);
    expect(await plans.of(() => newestOutboxTs(db))).toEqual(['SCAN outbox']);
    expect(await plans.of(() => countWebhooks(db, 'x'))).toEqual([
      'SCAN webhooks USING COVERING INDEX webhooks_address',
      'SEARCH webhooks USING COVERING INDEX webhooks_address (address_hash=?)',
    ]);
  });
});

describe('what belongs to a finding', () => {
  it('is read by its id: reviews, addresses, links and neighbours', async () => {
    const { db } = plans;
    const reads = [
      () => reviewsOf(db, 'x', { limit: 20, offset: 0 }),
      () => hasReviewed(db, 'x', 'agent-a'),
      () => reviewVoices(db, ['x', 'y']),
      () => hasCountedGroup(db, 'x', 'group'),
      () => linksOf(db, 'x', { limit: 20, offset: 0 }),
      () => neighbours(db, 'built-on', ['x'], ['x', 'y'], 50),
      () => neighbours(db, 'builds-on-it', ['x'], ['x', 'y'], 50),
      () => linksAmong(db, ['x', 'y'], 50),
      () => lineageFindings(db, ['x', 'y']),
    ];
    for (const read of reads) for (const plan of await plans.of(read)) expect(plan).not.toMatch(/\bSCAN (?!\(|CONST)/);
  });
});

describe('counts', () => {
  it('are taken from an index, never from the rows themselves', async () => {
    const { db } = plans;
    const reads = [
      () => liveClaimCounts(db, NOW),
      () => findingCounts(db),
      () => messageCounts(db),
      () => laterMessages(db, NOW),
      () => boardCounts(db, NOW),
    ];
    for (const read of reads) {
      for (const plan of await plans.of(read))
        expect(plan).not.toMatch(/\bSCAN \w+(?! USING COVERING INDEX)\b(?! USING)/);
    }
  });

  it('of what one agent wrote read the rows under its name only', async () => {
    const parts = ['findings', 'reviews', 'links', 'claims', 'messages'] as const;
    const sent = [
      ...(await plans.of(() => agentTally(plans.db, 'agent-a', NOW))),
      ...(await plans.of(() => agentActivity(plans.db, 'agent-a', parts))),
    ];
    const byName = sent.filter((plan) => /\((agent_name|fulfilled_by)=\?/.test(plan));
    // The only other query reads the time of the council.
    expect(sent.filter((plan) => !byName.includes(plan))).toEqual([expect.stringMatching(/amendments_turned/)]);
    expect(byName).toHaveLength(20 + 2 * parts.length);
  });
});
