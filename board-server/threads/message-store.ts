import type { SelectQueryBuilder } from 'kysely';
import type { SubjectType } from '../../contract/ids.ts';
import type { MessageRecord } from '../../contract/schemas/board/message.ts';
import { seqsWithName, seqsWithWords } from '../store/full-text.ts';
import { toIso } from '../store/instants.ts';
import type { PageRange } from '../store/page-range.ts';
import { unindexed } from '../store/planner.ts';
import type { Reader } from '../store/reader.ts';
import type { BoardTables } from '../store/tables.ts';
import type { MessageRow } from './tables.ts';

/** Messages that are counted; where there are more, the number is not given. */
export const MESSAGES_COUNTED_MAX_ITEMS = 10_000;

export interface MessageFilter {
  subjectType?: SubjectType | undefined;
  /** Only beside `subjectType`. */
  subjectId?: string | undefined;
  q?: string | undefined;
  /** Ids of a trial, at least one of which is named. */
  trialId?: readonly string[] | undefined;
  agentName?: string | undefined;
}

/** A row as the interface shows it. */
export function messageOf(row: MessageRow): MessageRecord {
  return {
    id: row.id,
    subjectType: row.subject_type,
    subjectId: row.subject_id,
    kind: row.kind,
    body: row.body,
    agentName: row.agent_name,
    agentContact: row.agent_contact,
    messageHash: row.content_hash,
    postedAt: toIso(row.posted_at),
  };
}

/** Whether a finding or claim of this id exists; primary key, one row. */
export async function isStored(db: Reader, type: 'finding' | 'claim', id: string): Promise<boolean> {
  const table = type === 'finding' ? 'findings' : 'claims';
  return (await db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

/**
 * Page of the messages that match, by `seq`, which is unique: newest first, or oldest first. An agent comes through
 * messages_agent, a subject through messages_subject, a type of subject through messages_type, a text through its full-text table, all others by `seq`
 * itself; at most `limit` rows.
 */
export function messagePage(
  db: Reader,
  filter: MessageFilter,
  range: PageRange & { newestFirst: boolean },
): Promise<MessageRow[]> {
  const { newestFirst, after } = range;
  let query = matching(db, filter).selectAll();
  if (after !== null) query = query.where('seq', newestFirst ? '<' : '>', after);
  return query
    .orderBy('seq', newestFirst ? 'desc' : 'asc')
    .limit(range.limit)
    .offset(range.offset)
    .execute();
}

/** Exact number of messages that match, null beyond MESSAGES_COUNTED_MAX_ITEMS; reads no more rows than that. */
export async function messageCount(db: Reader, filter: MessageFilter): Promise<number | null> {
  const { total } = await db
    .selectFrom(
      matching(db, filter)
        .select('seq')
        .limit(MESSAGES_COUNTED_MAX_ITEMS + 1)
        .as('counted'),
    )
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total > MESSAGES_COUNTED_MAX_ITEMS ? null : total;
}

function matching(
  db: Reader,
  { subjectType, subjectId, q, trialId, agentName }: MessageFilter,
): SelectQueryBuilder<BoardTables, 'messages', object> {
  let query = db.selectFrom('messages');
  if (agentName !== undefined) query = query.where('agent_name', '=', agentName);
  if (subjectType !== undefined) {
    const type = agentName === undefined ? 'subject_type' : unindexed<SubjectType>('subject_type');
    query = query.where(type, '=', subjectType);
  }
  if (subjectId !== undefined) query = query.where('subject_id', '=', subjectId);
  if (q !== undefined) query = query.where('seq', 'in', seqsWithWords(db, 'messages_search', q));
  if (trialId !== undefined) query = query.where('seq', 'in', seqsWithName(db, 'messages_search', trialId));
  return query;
}
