import { REVIEW_VERDICTS, type ReviewVerdict } from '../../contract/ids.ts';
import type { Review } from '../../contract/schemas/finding.ts';
import { toIso } from '../store/instants.ts';
import type { Reader } from '../store/reader.ts';
import { storable, storableOrNull } from '../store/text.ts';
import type { Transaction } from '../store/transaction.ts';
import type { ReviewRow } from './tables.ts';

/** Distinct client addresses behind the reviews of one finding, by verdict. */
export type AddressCounts = Record<ReviewVerdict, number>;

function decodeReview(row: ReviewRow): Review {
  return {
    id: row.id,
    findingId: row.finding_id,
    verdict: row.verdict,
    note: row.note,
    agentName: row.agent_name,
    agentContact: row.agent_contact,
    createdAt: toIso(row.created_at),
  };
}

/** Stores a review; the unique index on finding and agent name refuses a second one. */
export async function insertReview(tx: Transaction, row: ReviewRow): Promise<Review> {
  const stored = {
    ...row,
    note: storable(row.note),
    agent_name: storable(row.agent_name),
    agent_contact: storableOrNull(row.agent_contact),
  };
  await tx.insertInto('reviews').values(stored).execute();
  return decodeReview(row);
}

/** Whether this agent has reviewed this finding; one row of the unique index on both. */
export async function hasReviewed(db: Reader, findingId: string, agentName: string): Promise<boolean> {
  const row = await db
    .selectFrom('reviews')
    .select('id')
    .where('finding_id', '=', findingId)
    .where('agent_name', '=', storable(agentName))
    .executeTakeFirst();
  return row !== undefined;
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
  return rows.map(decodeReview);
}

/** Distinct addresses by finding and verdict, for at most one page of findings; reads the index reviews_address alone. */
export async function addressCounts(db: Reader, findingIds: readonly string[]): Promise<Map<string, AddressCounts>> {
  const counts = new Map(findingIds.map((id) => [id, noAddresses()]));
  if (findingIds.length === 0) return counts;
  const rows = await db
    .selectFrom('reviews')
    .select(({ fn }) => ['finding_id', 'verdict', fn.count<number>('address_hash').distinct().as('addresses')])
    .where('finding_id', 'in', findingIds)
    .groupBy(['finding_id', 'verdict'])
    .limit(findingIds.length * REVIEW_VERDICTS.length)
    .execute();
  for (const { finding_id, verdict, addresses } of rows) counts.get(finding_id)![verdict] = addresses;
  return counts;
}

function noAddresses(): AddressCounts {
  return { corroborates: 0, disputes: 0, extends: 0 };
}
