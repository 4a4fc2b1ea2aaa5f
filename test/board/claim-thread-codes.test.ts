import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../contract/errors/errors.ts';
import { CLAIM_OPERATIONS } from '../../contract/operations/board/claims.ts';
import { THREAD_OPERATIONS } from '../../contract/operations/board/threads.ts';
import { openBoard, type TestBoard } from '../support/board/board.ts';
import { announced, CLAIM, MESSAGE, move, storedFinding } from '../support/board/board-writes.ts';
import type { Answer } from '../support/gateway.ts';

type Provoke = (board: TestBoard) => Promise<Answer>;

/** Provokes the codes of every write: given the write's path, a valid body and its method. */
function writeCodes(
  target: (board: TestBoard) => Promise<{ path: string; body: unknown; token: string }>,
  method = 'POST',
) {
  const send = (change: (body: unknown) => unknown, headers: Record<string, string> = {}): Provoke => {
    return async (board) => {
      const { path, body, token } = await target(board);
      return board.send(path, change(body), { 'x-release-token': token, ...headers }, method);
    };
  };
  return {
    INVALID_BODY: send(() => '[]'),
    BODY_TOO_LARGE: send(() => ({ x: 'x'.repeat(8000) })),
    INVALID_IDEMPOTENCY_KEY: send((body) => body, { 'idempotency-key': 'short' }),
    IDEMPOTENCY_KEY_REUSED: async (board: TestBoard) => {
      const { path, body, token } = await target(board);
      const headers = { 'x-release-token': token, 'idempotency-key': 'a key of mine' };
      await board.send(path, body, headers, method);
      return board.send(path, { ...(body as object), more: 1 }, headers, method);
    },
  };
}

/** Closes the store under the server. The operation must then answer its own code for an unusable store. */
const closed =
  (send: Provoke): Provoke =>
  async (board) => {
    await board.services.board[Symbol.asyncDispose]();
    return send(board);
  };

const onClaim = (act: (board: TestBoard, claim: { id: string; token: string }) => Promise<Answer>): Provoke => {
  return async (board) => act(board, await announced(board));
};
const target = async (board: TestBoard) => {
  const { id, token } = await announced(board);
  return { path: `/api/v1/claims/${id}`, body: { action: 'renew' }, token };
};
const TOO_LONG = `/api/v1/claims/${'x'.repeat(81)}`;
const renewed = { action: 'renew' };

const PROVOKED: Record<string, Record<string, Provoke>> = {
  'claims-list': {
    INVALID_PARAM: (board) => board.get('/api/v1/claims?limit=ten'),
    invalid_state: (board) => board.get('/api/v1/claims?state=open'),
    CLAIMS_UNAVAILABLE: closed((board) => board.get('/api/v1/claims')),
  },
  'claims-create': {
    ...writeCodes(async () => ({ path: '/api/v1/claims', body: CLAIM, token: '' })),
    claim_rejected: (board) => board.send('/api/v1/claims', { ...CLAIM, objectiveId: 'nope' }),
    CLAIM_FAILED: closed((board) => board.send('/api/v1/claims', CLAIM)),
  },
  'claims-detail': {
    INVALID_PARAM: (board) => board.get(TOO_LONG),
    CLAIM_NOT_FOUND: (board) => board.get('/api/v1/claims/clm_none'),
    CLAIM_UNAVAILABLE: closed((board) => board.get('/api/v1/claims/clm_none')),
  },
  'claims-action': {
    ...writeCodes(target),
    INVALID_PARAM: (board) => board.send(TOO_LONG, renewed),
    UNKNOWN_ACTION: onClaim((board, { id }) => board.send(`/api/v1/claims/${id}`, { action: 'release' })),
    CLAIM_NOT_FOUND: (board) => board.send('/api/v1/claims/clm_none', renewed),
    BAD_RELEASE_TOKEN: onClaim((board, { id }) => board.send(`/api/v1/claims/${id}`, renewed)),
    CLAIM_NOT_ACTIVE: onClaim(async (board, claim) => {
      await move(board, claim, 'release');
      return move(board, claim, 'renew');
    }),
    MAX_RENEWALS_REACHED: onClaim(async (board, claim) => {
      for (let time = 0; time < 14; time += 1) await move(board, claim, 'renew');
      return move(board, claim, 'renew');
    }),
    FINDING_ID_REQUIRED: onClaim((board, claim) => move(board, claim, 'deliver')),
    FINDING_NOT_FOUND: onClaim((board, claim) => move(board, claim, 'deliver', { findingId: 'fnd_none' })),
    FINDING_WITHDRAWN: onClaim(async (board, claim) => {
      await storedFinding(board, 'fnd_1', 'withdrawn');
      return move(board, claim, 'deliver', { findingId: 'fnd_1' });
    }),
    CLAIM_ACTION_FAILED: closed((board) => board.send('/api/v1/claims/clm_none', renewed)),
  },
  'claims-release': {
    ...writeCodes(target, 'DELETE'),
    INVALID_PARAM: (board) => board.send(TOO_LONG, undefined, {}, 'DELETE'),
    CLAIM_NOT_FOUND: (board) => board.send('/api/v1/claims/clm_none', undefined, {}, 'DELETE'),
    BAD_RELEASE_TOKEN: onClaim((board, { id }) => board.send(`/api/v1/claims/${id}`, undefined, {}, 'DELETE')),
    CLAIM_NOT_ACTIVE: onClaim(async (board, claim) => {
      await move(board, claim, 'release');
      return move(board, claim, 'release');
    }),
    RELEASE_FAILED: closed((board) => board.send('/api/v1/claims/clm_none', undefined, {}, 'DELETE')),
  },
  'threads-list': {
    INVALID_PARAM: (board) => board.get('/api/v1/threads?view=newest'),
    invalid_subject_type: (board) => board.get('/api/v1/threads?subjectType=channel'),
    SUBJECT_NOT_FOUND: (board) => board.get('/api/v1/threads?subjectType=claim&subjectId=clm_none'),
    THREADS_UNAVAILABLE: closed((board) => board.get('/api/v1/threads')),
  },
  'threads-post': {
    ...writeCodes(async () => ({ path: '/api/v1/threads', body: MESSAGE, token: '' })),
    message_rejected: (board) => board.send('/api/v1/threads', { ...MESSAGE, kind: 'rant' }),
    SUBJECT_NOT_FOUND: (board) => board.send('/api/v1/threads', { ...MESSAGE, subjectId: 'nope' }),
    MESSAGE_FAILED: closed((board) => board.send('/api/v1/threads', MESSAGE)),
  },
};

const operations = [...CLAIM_OPERATIONS, ...THREAD_OPERATIONS];
const pairs = operations.flatMap(({ id, errors }) => errors.map((code) => [id, code] as const));

describe('every code that claims and threads declare', () => {
  it.each(pairs)('%s: %s can be provoked and comes with its own status', async (operation, code) => {
    await using board = await openBoard();
    const { status, headers, body } = await PROVOKED[operation]![code]!(board);
    expect(body.error).toMatchObject({ code, retryable: ERRORS[code].retryable });
    expect(status).toBe(ERRORS[code].status);
    expect(headers.get('retry-after')).toBe(status === 503 ? '5' : null);
  });

  it('is provoked here for no pair that nobody declares', () => {
    const provoked = Object.entries(PROVOKED).flatMap(([id, codes]) =>
      Object.keys(codes).map((code) => `${id} ${code}`),
    );
    const declared = new Set(pairs.map((pair) => pair.join(' ')));
    expect(provoked.filter((pair) => !declared.has(pair))).toEqual([]);
  });
});
