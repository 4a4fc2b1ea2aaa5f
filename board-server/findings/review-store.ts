import { REVIEW_VERDICTS, type ReviewVerdict } from '../../contract/ids.ts';
import type { Review } from '../../contract/schemas/board/finding.ts';
import { toIso } from '../store/instants.ts';
import type { Reader } from '../store/reader.ts';
import type { Transaction } from '../store/transaction.ts';
import { citedReceipts } from './receipts.ts';
import type { ReviewRow } from './tables.ts';

/** Who stands behind the reviews of one finding, by verdict: addresses, groups of them, and reviews that count. */
export type ReviewVoices = Record<ReviewVerdict, { addresses: number; groups: number; counted: number }>;

function decodeReview(row: ReviewRow): Review {
  return {
    id: row.id,
    findingId: row.finding_id,
    verdict: row.verdict,
    note: row.note,
    agentName: row.agent_name,
    agentContact: row.agent_contact,
    createdAt: toIso(row.created_at),
    counts: row.counts === 1,
  };
}

/** Stores a review. */
export async function insertReview(tx: Transaction, row: ReviewRow): Promise<Review> {
  await tx.insertInto('reviews').values(row).execute();
  return decodeReview(row);
}

/** Whether this agent has reviewed this finding, whatever the spelling of the name; one row of reviews_key. */
export async function hasReviewed(db: Reader, findingId: string, agentKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('reviews')
    .select('id')
    .where('finding_id', '=', findingId)
    .where('agent_key', '=', agentKey)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a review of this finding from this group counts already; one row of reviews_group. */
export async function hasCountedGroup(db: Reader, findingId: string, group: string): Promise<boolean> {
  const row = await db
    .selectFrom('reviews')
    .select('id')
    .where('finding_id', '=', findingId)
    .where('group_hash', '=', group)
    .where('counts', '=', 1)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Reviews with the receipts that they cite, in their order. */
export async function withReceipts(db: Reader, reviews: readonly Review[]): Promise<Review[]> {
  const receipts = await citedReceipts(
    db,
    reviews.map(({ id }) => id),
  );
  return reviews.map((review) => ({
    ...review,
    ...(receipts.has(review.id) && { receipts: receipts.get(review.id) }),
  }));
}

/** Reviews of one finding, oldest first by `seq`, which is unique; at most `limit`, by the index reviews_finding. */
export async function reviewsOf(
  db: Reader,
  findingId: string,
  page: { limit: number; offset: number },
): Promise<Review[]> {
  const rows = await db
    .selectFrom('reviews')
    .selectAll()
    .where('finding_id', '=', findingId)
    .orderBy('seq')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return withReceipts(db, rows.map(decodeReview));
}

/** Voices by finding and verdict, for at most one page of findings; reads the index reviews_voices alone. */
export async function reviewVoices(db: Reader, findingIds: readonly string[]): Promise<Map<string, ReviewVoices>> {
  const voices = new Map(findingIds.map((id) => [id, noVoices()]));
  if (findingIds.length === 0) return voices;
  const rows = await db
    .selectFrom('reviews')
    .select(({ fn }) => [
      'finding_id',
      'verdict',
      fn.count<number>('address_hash').distinct().as('addresses'),
      fn.count<number>('group_hash').distinct().as('groups'),
      fn.sum<number>('counts').as('counted'),
    ])
    .where('finding_id', 'in', findingIds)
    .groupBy(['finding_id', 'verdict'])
    .limit(findingIds.length * REVIEW_VERDICTS.length)
    .execute();
  for (const { finding_id, verdict, ...behind } of rows) voices.get(finding_id)![verdict] = behind;
  return voices;
}

function noVoices(): ReviewVoices {
  const none = { addresses: 0, groups: 0, counted: 0 };
  return { corroborates: none, disputes: none, extends: none };
}
