import type { Link } from '../../contract/schemas/board/finding.ts';
import { toIso } from '../store/instants.ts';
import type { Reader } from '../store/reader.ts';
import type { Transaction } from '../store/transaction.ts';
import type { FindingRow, LinkRow } from './tables.ts';

/** The way that links are followed: to what a finding was built on, or to what builds on it. */
export type LinkDirection = 'built-on' | 'builds-on-it';

type LineageFinding = Pick<
  FindingRow,
  'id' | 'title' | 'status' | 'agent_name' | 'objective_id' | 'question_id' | 'created_at'
>;

function decodeLink(row: LinkRow): Link {
  return {
    id: row.id,
    fromId: row.from_id,
    toId: row.to_id,
    relation: row.relation,
    note: row.note,
    agentName: row.agent_name,
    createdAt: toIso(row.created_at),
  };
}

/** Stores a link; the unique index on its content hash refuses an identical one. */
export async function insertLink(tx: Transaction, row: LinkRow): Promise<Link> {
  await tx.insertInto('links').values(row).execute();
  return decodeLink(row);
}

/** The link that says exactly this; one row of the unique index on the content hash. */
export async function linkByContent(db: Reader, contentHash: string): Promise<Link | undefined> {
  const row = await db.byContent('links', contentHash);
  return row && decodeLink(row);
}

/**
 * Links from and to one finding, oldest first by `seq`, which is unique, and how many there are in all. By the indexes
 * links_from and links_to; the page is bounded, the count reads every link of the finding.
 */
export async function linksOf(
  db: Reader,
  findingId: string,
  page: { limit: number; offset: number },
): Promise<{ links: Link[]; total: number }> {
  const end = (column: 'from_id' | 'to_id') => db.selectFrom('links').where(column, '=', findingId);
  let total = 0;
  for (const column of ['from_id', 'to_id'] as const) {
    const counted = await end(column)
      .select(({ fn }) => fn.countAll<number>().as('links'))
      .executeTakeFirstOrThrow();
    total += counted.links;
  }
  // No finding is linked to itself, so that none comes twice.
  const both = end('from_id').selectAll().unionAll(end('to_id').selectAll());
  const rows = await both.orderBy('seq').limit(page.limit).offset(page.offset).execute();
  return { links: rows.map(decodeLink), total };
}

/**
 * Findings one link away from any of `ids` that are not in `seen`, in the order in which they were first linked; at
 * most `limit`. By the index of the end that is followed.
 */
export async function neighbours(
  db: Reader,
  direction: LinkDirection,
  ids: readonly string[],
  seen: readonly string[],
  limit: number,
): Promise<string[]> {
  const [near, far] = direction === 'built-on' ? (['from_id', 'to_id'] as const) : (['to_id', 'from_id'] as const);
  const rows = await db
    .selectFrom('links')
    .select(far)
    .where(near, 'in', ids)
    .where(far, 'not in', seen)
    .groupBy(far)
    .orderBy(({ fn }) => fn.min('seq'))
    .limit(limit)
    .execute();
  return rows.map((row) => (row as Record<typeof far, string>)[far]);
}

/** Links whose two ends are both in `ids`, oldest first by `seq`; at most `limit`, by the index links_from. */
export async function linksAmong(db: Reader, ids: readonly string[], limit: number): Promise<Omit<Link, 'note'>[]> {
  const rows = await db
    .selectFrom('links')
    .selectAll()
    .where('from_id', 'in', ids)
    .where('to_id', 'in', ids)
    .orderBy('seq')
    .limit(limit)
    .execute();
  return rows.map(decodeLink);
}

/** What a lineage shows of its findings, by primary key; in no order, as many as `ids` at most. */
export function lineageFindings(db: Reader, ids: readonly string[]): Promise<LineageFinding[]> {
  return db
    .selectFrom('findings')
    .select(['id', 'title', 'status', 'agent_name', 'objective_id', 'question_id', 'created_at'])
    .where('id', 'in', ids)
    .limit(ids.length)
    .execute();
}
