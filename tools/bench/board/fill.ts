import { randomBytes } from 'node:crypto';
import { insertClaim, LEASE_MICROS } from '../../../board-server/claims/claim-store.ts';
import { insertLink } from '../../../board-server/findings/link-store.ts';
import { insertReview } from '../../../board-server/findings/review-store.ts';
import { Board } from '../../../board-server/store/board.ts';
import type { Transaction } from '../../../board-server/store/transaction.ts';
import { sealedSecret } from '../../../board-server/webhooks/kept-secret.ts';
import {
  type EventKind,
  LINK_RELATIONS,
  OBJECTIVE_IDS,
  REVIEW_VERDICTS,
  WEBHOOK_EVENTS,
} from '../../../contract/ids.ts';
import { fillResearch } from './fill-research.ts';
import { agentOf, type Put, textOf, WORDS, workOf } from './row-parts.ts';
import type { Sizes } from './sizes.ts';

/**
 * Rows written in one transaction. At the end of each statement SQLite walks through everything that a savepoint would
 * undo, so each further row of a large transaction costs more: 25 ms a row in batches of 5,000.
 */
const BATCH = 200;
const DAYS = 19;
const DAY_MS = 86_400_000;
const REVIEWS_PER_FINDING = 2;
const STATUSES = ['received', 'received', 'received', 'received', 'received', 'corroborated', 'corroborated'] as const;

/** Ids that a reader would open. */
export interface Filled {
  findings: string[];
  claims: string[];
  /** Times of the events, in microseconds. */
  times: number[];
}

/** Fills a new file like agents would over 19 days; the last event is a day old. Equal sizes give equal content, except for ids. */
export async function fillBoard(path: string, sizes: Sizes): Promise<Filled> {
  let now = Date.now() - (DAYS + 1) * DAY_MS;
  const step = (DAYS * DAY_MS) / sizes.events;
  await using board = await Board.open(path, { now: () => new Date(now), random: randomBytes });
  const filled: Filled = { findings: [], claims: [], times: [] };
  const put = async (rows: number, one: Put): Promise<void> => {
    for (let done = 0; done < rows; done += BATCH) {
      const end = Math.min(rows, done + BATCH);
      await board.write(async (tx) => {
        for (let place = done; place < end; place += 1) await one(tx, place);
      });
      now += step * (end - done);
    }
  };
  await put(sizes.findings, (tx, place) => putFinding(tx, place, sizes, filled));
  await put(sizes.messages, (tx, place) => putMessage(tx, place, sizes, filled));
  await fillResearch(put, sizes, filled.findings);
  await put(Math.max(0, sizes.events - sizes.claims - filled.times.length), (tx, place) =>
    tell(tx, tx.nextTime(), filled, place, sizes),
  );
  // Claims come last: none is live longer than its renewals last.
  await put(sizes.claims, (tx, place) => putClaim(tx, place, sizes, filled));
  await put(sizes.webhooks, (tx, place) => putWebhook(board, tx, place, filled.times.at(-1) ?? 0));
  return filled;
}

async function tell(
  tx: Transaction,
  ts: number,
  filled: Filled,
  place: number,
  sizes: Sizes,
  [kind, objectId]: [EventKind, string] = ['message', tx.newId('msg', ts)],
): Promise<void> {
  const data = { subjectType: 'objective', subjectId: OBJECTIVE_IDS[0], title: textOf(place) };
  const agentName = agentOf(place, sizes);
  const told = { subject: { type: data.subjectType, id: data.subjectId }, text: `${kind} created: ${data.title}` };
  await tx.appendEvent(ts, { about: kind, action: 'created', objectId, agentName, ...told, data, webhookEvent: null });
  filled.times.push(ts);
}

async function putFinding(tx: Transaction, place: number, sizes: Sizes, filled: Filled): Promise<void> {
  const ts = tx.nextTime();
  const id = tx.newId('fnd', ts);
  const text = textOf(place);
  const agent_name = agentOf(place, sizes);
  const common = { agent_name, agent_contact: null, address_hash: `address ${place % 997}`, created_at: ts };
  const reviewed = { corroborations: 1, disputes: 1, extensions: 0 };
  await tx.insert('findings', {
    ...common,
    group_hash: `group ${place % 97}`,
    ...workOf(place),
    ...reviewed,
    id,
    seq: ts,
    title: text,
    claim: `It is claimed that ${text}.`,
    method: `Searched the index for ${text} and counted what came.`,
    falsification: `A count of ${text} that differs by more than one in a hundred.`,
    endpoints_used: '["trials-search"]',
    artifact_url: null,
    content_hash: `finding ${place}`,
    status: place % 10 === 9 ? 'withdrawn' : place % 10 === 8 ? 'contested' : (STATUSES[place % 10] ?? 'received'),
    token_hash: '',
    updated_at: ts,
    withdrawn_at: place % 10 === 9 ? ts : null,
  });
  await tell(tx, ts, filled, place, sizes, ['finding', id]);
  for (let review = 0; review < REVIEWS_PER_FINDING; review += 1) {
    const seq = tx.nextTime();
    const by = agentOf(place + review + 1, sizes);
    const verdict = REVIEW_VERDICTS[review]!;
    await insertReview(tx, {
      ...common,
      id: tx.newId('rev', seq),
      seq,
      finding_id: id,
      verdict,
      note: text,
      agent_name: by,
      agent_key: by,
      group_hash: `group ${place % 97}`,
      counts: 0,
    });
  }
  const before = filled.findings[Math.floor(place / 2)];
  if (before !== undefined) {
    const seq = tx.nextTime();
    const relation = LINK_RELATIONS[place % LINK_RELATIONS.length]!;
    const link = { id: tx.newId('lnk', seq), seq, from_id: id, to_id: before, relation, note: text };
    await insertLink(tx, { ...link, agent_name, content_hash: `link ${place}`, address_hash: '', created_at: seq });
  }
  filled.findings.push(id);
}

async function putClaim(tx: Transaction, place: number, sizes: Sizes, filled: Filled): Promise<void> {
  const ts = tx.nextTime();
  const id = tx.newId('clm', ts);
  // Leases of claims are renewed.
  const isLive = place % 10 === 0;
  await insertClaim(tx, {
    ...workOf(place),
    id,
    seq: ts,
    scope: `slice ${place} of ${WORDS[place % WORDS.length]}`,
    intent: textOf(place),
    agent_name: agentOf(place, sizes),
    agent_contact: null,
    content_hash: `claim ${place}`,
    state: isLive || place % 3 === 0 ? 'active' : place % 3 === 1 ? 'released' : 'delivered',
    lease_until: isLive ? Date.now() * 1000 + LEASE_MICROS : ts + LEASE_MICROS / 24,
    renewals: 0,
    finding_id: null,
    token_hash: '',
    address_hash: '',
    created_at: ts,
    updated_at: ts,
  });
  filled.claims.push(id);
  await tell(tx, ts, filled, place, sizes, ['claim', id]);
}

async function putMessage(tx: Transaction, place: number, sizes: Sizes, filled: Filled): Promise<void> {
  const ts = tx.nextTime();
  const id = tx.newId('msg', ts);
  const onFinding = place % 2 === 0 ? filled.findings[place % filled.findings.length] : undefined;
  const work = workOf(place * 3);
  await tx.insert('messages', {
    id,
    seq: ts,
    subject_type: onFinding === undefined ? 'objective' : 'finding',
    subject_id: onFinding ?? work.objective_id!,
    kind: 'note',
    body: textOf(place),
    agent_name: agentOf(place, sizes),
    agent_contact: null,
    content_hash: `message ${place}`,
    address_hash: '',
    posted_at: ts,
  });
  await tell(tx, ts, filled, place, sizes, ['message', id]);
}

/** Active subscriptions with nothing to deliver yet. */
async function putWebhook(board: Board, tx: Transaction, place: number, cursor: number): Promise<void> {
  const ts = tx.nextTime();
  const id = tx.newId('webhook', ts);
  await tx.insert('webhooks', {
    id,
    url: `https://agent-${place}.example/hook`,
    events: JSON.stringify(WEBHOOK_EVENTS),
    state: 'active',
    parked_reason: null,
    secret: sealedSecret(board, id, Buffer.alloc(32).toString('base64url')),
    previous_secret: null,
    previous_until: null,
    token_hash: '',
    challenge: '',
    address_hash: `address ${place}`,
    owner_hash: `address ${place}`,
    slow_deliveries: 0,
    cursor,
    attempts: 0,
    next_attempt_at: null,
    failing_since: null,
    verified_at: ts,
    created_at: ts,
    updated_at: ts,
    lease_holder: null,
    lease_until: 0,
    fence: 0,
  });
}
