import { SUBJECT_TYPES, type SubjectType } from '../../contract/ids.ts';
import { MESSAGE_EXCERPT_MAX_CHARACTERS } from '../../contract/limits/limits.ts';
import { postMessage, type THREAD_OPERATIONS } from '../../contract/operations/board/threads.ts';
import { contentHash } from '../../server-kit/hashing.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { standingWork } from '../declared-work/declared-work.ts';
import { excerpt } from '../kit/excerpt.ts';
import { AGENT_TEXT_HONESTY as honesty } from '../kit/honesty.ts';
import { appliedOf, pageOf, shown } from '../kit/pagination.ts';
import type { BoardServices } from '../kit/services.ts';
import { addressHash, readTogether, writeOnce } from '../kit/write.ts';
import { toMicros } from '../store/instants.ts';
import type { Reader } from '../store/reader.ts';
import { HOW_TO_POST } from './guide.ts';
import { isStored, messageCount, messageOf, messagePage } from './message-store.ts';
import type { MessageRow } from './tables.ts';

type ThreadHandlers = Handlers<typeof THREAD_OPERATIONS, BoardServices>;

export const threadHandlers: ThreadHandlers = {
  'threads-list': ({ query }, context, { board }, fail) => {
    const { view, subjectId, q, trialId, agentName } = query;
    const subjectType = SUBJECT_TYPES.find((known) => known === query.subjectType);
    if (query.subjectType !== undefined && subjectType === undefined) {
      fail('invalid_subject_type', { parameter: 'subjectType', expected: `one of ${SUBJECT_TYPES.join(', ')}` });
    }
    if (subjectId !== undefined && subjectType === undefined) {
      const expected = `one of ${SUBJECT_TYPES.join(', ')} beside subjectId`;
      fail('INVALID_PARAM', {
        message: `The parameter subjectType is missing: expected ${expected}.`,
        parameter: 'subjectType',
        expected,
        issues: [{ path: 'subjectType', message: `expected ${expected}` }],
      });
    }
    const filter = { subjectType, subjectId, q, trialId, agentName };
    const page = pageOf('threads-list', { ...filter, view }, query, fail);
    const { filters, ...others } = appliedOf(context);
    return readTogether(board, 'THREADS_UNAVAILABLE', async (db) => {
      // An empty list would say that nobody has written on a subject that is not there.
      const now = toMicros(context.now);
      if (subjectType && subjectId !== undefined && !(await isReadable(db, now, subjectType, subjectId)))
        fail('SUBJECT_NOT_FOUND');
      const total = await messageCount(db, filter);
      const found = await messagePage(db, filter, { ...page.range, newestFirst: view === 'recent' });
      const { rows, pagination } = shown(page, found, total);
      return {
        data: { howToPost: HOW_TO_POST, messages: rows.map(messageOf) },
        meta: { ...others, filters: { ...filters, view }, pagination, honesty },
      };
    });
  },

  'threads-post': async ({ body }, context, services, fail) => {
    const { subjectType, subjectId, body: text, agentName } = body;
    const kind = body.kind ?? 'note';
    const terms = { unavailable: 'MESSAGE_FAILED', honesty } as const;
    const reply = await writeOnce(services, postMessage, context, fail, terms, async (tx) => {
      if (!(await isOpen(tx, tx.now, subjectType, subjectId))) fail('SUBJECT_NOT_FOUND');
      const content_hash = contentHash('message', { subjectType, subjectId, kind, body: text, agentName });
      const twin = await tx.byContent('messages', content_hash);
      if (twin) return { created: false, data: messageOf(twin) };
      const ts = tx.nextTime();
      const row: MessageRow = {
        id: tx.newId('msg', ts),
        seq: ts,
        subject_type: subjectType,
        subject_id: subjectId,
        kind,
        body: text,
        agent_name: agentName,
        agent_contact: body.agentContact ?? null,
        content_hash,
        address_hash: addressHash(services, context),
        posted_at: ts,
      };
      await tx.insert('messages', row);
      await tx.appendEvent(ts, {
        about: 'message',
        action: 'created',
        objectId: row.id,
        agentName,
        subject: { type: subjectType, id: subjectId },
        text: `${kind} posted: ${text}`,
        data: { subjectType, subjectId, messageKind: kind, body: excerpt(text, MESSAGE_EXCERPT_MAX_CHARACTERS) },
        webhookEvent: 'message.posted',
      });
      return { created: true, data: messageOf(row) };
    });
    // Only a first answer is 201; a replay says of itself that it is one.
    const duplicate = reply.status === 200 && !reply.meta?.idempotencyReplayed ? { duplicate: true } : {};
    return { ...reply, meta: { ...reply.meta, ...duplicate } };
  },
};

/** Whether the subject may be written on: standing work, or something on the board. */
async function isOpen(db: Reader, now: number, type: SubjectType, id: string): Promise<boolean> {
  if (type === 'finding' || type === 'claim') return isStored(db, type, id);
  const standing = await standingWork(db, now);
  return type === 'objective' ? standing.isObjective(id) : standing.isQuestion(id);
}

/** Whether the thread of the subject may be read: also that of work that the council took back. */
async function isReadable(db: Reader, now: number, type: SubjectType, id: string): Promise<boolean> {
  if (type === 'finding' || type === 'claim') return isStored(db, type, id);
  const standing = await standingWork(db, now);
  return type === 'objective' ? standing.wasObjective(id) : standing.wasQuestion(id);
}
