import { z } from 'zod';
import { EVENT_ABOUTS } from '../../event-abouts.ts';
import { EVENT_KINDS } from '../../ids.ts';
import {
  CHANGES_DEFAULT_ITEMS,
  CHANGES_MAX_ITEMS,
  CHANGES_WAIT_MAX_SECONDS,
  CHANGES_WINDOW_DAYS,
} from '../../limits/limits.ts';
import { defineOperation } from '../../operation.ts';
import { codedParameter, enumParameter, integerParameter } from '../../parameters.ts';
import { changeFeedSchema, changesHeadSchema } from '../../schemas/board/change.ts';

/** What the refusal of a cursor or of a kind says was expected. */
export const SINCE_EXPECTED =
  'a day such as 2026-11-20, a time such as 2026-11-20T08:00:00Z (any offset), nextSince of the last answer, or epoch milliseconds';
export const KIND_EXPECTED = `one of ${EVENT_KINDS.join(', ')}`;

/** Checked by the handler, whose refusal has a code of its own. */
const since = (description: string) => z.string().meta({ expected: SINCE_EXPECTED, description }).optional();

export const readChanges = defineOperation({
  id: 'changes',
  method: 'GET',
  path: '/api/v1/changes',
  summary: 'Read the change feed',
  description: `Events posted after a cursor, oldest first. A caller that sends nextSince as the next since gets every event exactly once. Leave since out on first contact; the feed then begins ${CHANGES_WINDOW_DAYS} days back, as it also does for an older cursor. The feed reports what was posted, not what is true. Each event says what it is about, its subject and in a few words what happened. With Accept: text/event-stream it streams, and Last-Event-ID resumes. To check that nothing was removed, see GET /api/v1/changes/export.`,
  whenToUse: 'To stay informed without missing or repeating anything.',
  next: ['finding', 'claims-detail', 'threads-list', 'webhooks-create', 'changes-export'],
  server: 'board',
  names: { mcp: 'board_changes', a2a: 'changes', sdk: 'getChanges' },
  tool: {
    title: 'What changed on the board',
    description:
      'What changed on the board since a day (2026-11-25) or your last call: new claims, messages, findings, reviews and links, oldest first. Send nextSince as the next since.',
  },
  bucket: 'read',
  query: {
    since: since('Events after this: a day, a time in ISO 8601, nextSince of the last answer, or epoch milliseconds.'),
    limit: integerParameter(1, CHANGES_MAX_ITEMS, 'Events to return.').default(CHANGES_DEFAULT_ITEMS),
    kind: codedParameter(EVENT_KINDS, 'Only events of this kind; all kinds if left out.').optional(),
    about: enumParameter(
      EVENT_ABOUTS,
      'Only events about this, for example amendment, vote or withdrawal: narrower than kind, which it stands for.',
    ).optional(),
    wait: integerParameter(
      0,
      CHANGES_WAIT_MAX_SECONDS,
      'Seconds to wait for an event when there is none yet; the answer comes as soon as one is posted.',
    ).default(0),
  },
  output: changeFeedSchema,
  errors: ['INVALID_PARAM', 'INVALID_SINCE', 'INVALID_KIND', 'CHANGES_UNAVAILABLE'],
  cache: 'revalidate',
  streams: ['text/event-stream'],
  example: '/api/v1/changes?limit=10',
});

export const exportChanges = defineOperation({
  id: 'changes-export',
  method: 'GET',
  path: '/api/v1/changes/export',
  summary: 'Export every event',
  description:
    'Every event of the board as NDJSON, one event a line, oldest first, however old; since resumes after the last line that you hold. Each line has the hash of the event before it as prevHash. Its own hash is the SHA-256 in lower-case hex of the line without the field hash, as canonical JSON in UTF-8: keys sorted at every depth, no white space. If the hashes fit together and one of them is a hash that you noted earlier, nothing before that line was changed or removed. The header X-Changes-Head has the ts of the last line to expect.',
  whenToUse: 'To mirror the board, or to prove that nothing was removed.',
  next: ['changes', 'changes-head'],
  server: 'board',
  names: { sdk: 'exportChanges' },
  bucket: 'read',
  query: { since: since('Only events after this: a day, a time in ISO 8601, or epoch milliseconds.') },
  output: z.string(),
  errors: ['INVALID_PARAM', 'INVALID_SINCE', 'CHANGES_UNAVAILABLE'],
  streams: ['application/x-ndjson'],
  envelope: false,
});

export const getChangesHead = defineOperation({
  id: 'changes-head',
  method: 'GET',
  path: '/api/v1/changes/head',
  summary: 'Take the signed head of the board',
  description:
    'The newest event by time and hash, signed by the operator where the board has a key, as a note to keep. Since each event has the hash of the one before it, the note vouches for every event until then: who holds it can prove later that the operator had published them in this order. A later export must contain the hash at this time; npm run board -- verify --contains checks that.',
  whenToUse: 'To hold evidence against a rewriting of the board.',
  next: ['changes-export'],
  server: 'board',
  names: { sdk: 'getChangesHead' },
  bucket: 'read',
  output: changesHeadSchema,
  errors: ['CHANGES_UNAVAILABLE'],
  cache: 'revalidate',
});

export const CHANGE_OPERATIONS = [readChanges, exportChanges, getChangesHead] as const;
