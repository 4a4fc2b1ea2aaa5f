import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '../../contract/errors/errors.ts';
import { FINDING_OPERATIONS } from '../../contract/operations/board/findings.ts';
import { LINK_OPERATIONS } from '../../contract/operations/board/links.ts';
import { REVIEW_OPERATIONS } from '../../contract/operations/board/reviews.ts';
import { openBoard, type TestBoard } from '../support/board/board.ts';
import { FINDING, publish, REVIEW, review, withdraw } from '../support/board/findings.ts';
import { hintOf } from '../support/checks/answer-shape.ts';
import type { Answer } from '../support/gateway.ts';

const OPERATIONS = [...FINDING_OPERATIONS, ...REVIEW_OPERATIONS, ...LINK_OPERATIONS];
const pairs = OPERATIONS.flatMap(({ id, errors }) => errors.map((code): [string, ErrorCode] => [id, code]));

let board: TestBoard;
let broken: TestBoard;
/** `live` is a live finding, `reviewed` one that `bob` has reviewed, `gone` a withdrawn one. */
let live: { id: string; withdrawToken: string };
let reviewed: { id: string };
let gone: { id: string; withdrawToken: string };

beforeAll(async () => {
  board = await openBoard();
  live = await publish(board);
  reviewed = await publish(board);
  await review(board, reviewed.id);
  gone = await publish(board);
  await withdraw(board, gone);
  broken = await openBoard();
  await broken.services.board[Symbol.asyncDispose]();
});
afterAll(() => board[Symbol.asyncDispose]());

const FINDINGS = '/api/v1/findings';
const LINK = { relation: 'extends', note: 'It goes on from there.', agentName: 'ada' };
const big = (bytes: number) => ({ note: 'x'.repeat(bytes) });
const token = () => ({ 'x-withdraw-token': live.withdrawToken });

/** Provokes the faults that every write can have. The body is valid, so each request has one fault only. */
function writeFaults(method: string, path: () => string, body: () => unknown, ceiling: number, headers = () => ({})) {
  const send = (given: unknown, more = {}) => board.send(path(), given, { ...headers(), ...more }, method);
  return {
    INVALID_BODY: () => send('{"half":'),
    BODY_TOO_LARGE: () => send(big(ceiling)),
    INVALID_IDEMPOTENCY_KEY: () => send(body(), { 'idempotency-key': 'short' }),
    IDEMPOTENCY_KEY_REUSED: async () => {
      const key = { 'idempotency-key': `reused ${method} ${path()}` };
      await board.services.board.write((tx) => tx.deleteFrom('reviews').where('agent_name', '=', 'once').execute());
      expect((await send(body(), key)).status).toBeLessThan(300);
      return send({ ...(body() as object), more: 1 }, key);
    },
  };
}

const unavailable =
  (method: string, path: string, body?: unknown, headers = {}) =>
  () =>
    broken.send(path, body, headers, method);
const invalidId =
  (method: string, suffix = '', body?: unknown) =>
  () =>
    board.send(`${FINDINGS}/%00${suffix}`, body, {}, method);

const PROVOKED: Record<string, Record<string, () => Promise<Answer>>> = {
  findings: {
    INVALID_PARAM: () => board.get(`${FINDINGS}?objectiveId=no-such-objective`),
    invalid_status: () => board.get(`${FINDINGS}?status=verified`),
    FINDINGS_UNAVAILABLE: () => broken.get(FINDINGS),
  },
  'finding-submit': {
    ...writeFaults(
      'POST',
      () => FINDINGS,
      () => ({ ...FINDING, title: 'Provoked' }),
      20_000,
    ),
    submission_rejected: () => board.send(FINDINGS, { ...FINDING, falsification: undefined }),
    SUBMISSION_FAILED: unavailable('POST', FINDINGS, FINDING),
  },
  finding: {
    INVALID_PARAM: () => board.get(`${FINDINGS}/%00`),
    finding_not_found: () => board.get(`${FINDINGS}/fnd_nowhere`),
    FINDING_UNAVAILABLE: () => broken.get(`${FINDINGS}/fnd_any`),
  },
  'finding-lineage': {
    INVALID_PARAM: () => board.get(`${FINDINGS}/${live.id}/lineage?depth=11`),
    FINDING_NOT_FOUND: () => board.get(`${FINDINGS}/fnd_nowhere/lineage`),
    LINKS_UNAVAILABLE: () => broken.get(`${FINDINGS}/fnd_any/lineage`),
  },
  'finding-review': {
    ...writeFaults(
      'POST',
      () => `${FINDINGS}/${live.id}/review`,
      () => ({ ...REVIEW, agentName: 'once' }),
      8_000,
    ),
    INVALID_PARAM: invalidId('POST', '/review', REVIEW),
    review_rejected: () => review(board, live.id, { agentName: 'ada' }),
    FINDING_NOT_FOUND: () => review(board, 'fnd_nowhere'),
    FINDING_WITHDRAWN: () => review(board, gone.id),
    ALREADY_REVIEWED: () => review(board, reviewed.id, { verdict: 'disputes' }),
    REVIEW_FAILED: unavailable('POST', `${FINDINGS}/fnd_any/review`, REVIEW),
  },
  'finding-link': {
    ...writeFaults(
      'POST',
      () => `${FINDINGS}/${live.id}/link`,
      () => ({ ...LINK, toId: reviewed.id }),
      8_000,
    ),
    INVALID_PARAM: invalidId('POST', '/link', { ...LINK, toId: 'fnd_any' }),
    link_rejected: () => board.send(`${FINDINGS}/${live.id}/link`, { ...LINK, toId: live.id }),
    FROM_FINDING_NOT_FOUND: () => board.send(`${FINDINGS}/fnd_nowhere/link`, { ...LINK, toId: live.id }),
    TO_FINDING_NOT_FOUND: () => board.send(`${FINDINGS}/${live.id}/link`, { ...LINK, toId: 'fnd_nowhere' }),
    FINDING_WITHDRAWN: () => board.send(`${FINDINGS}/${live.id}/link`, { ...LINK, toId: gone.id }),
    LINK_FAILED: unavailable('POST', `${FINDINGS}/fnd_any/link`, { ...LINK, toId: 'fnd_other' }),
  },
  // This operation comes last, because it withdraws the live finding.
  'finding-withdraw': {
    ...writeFaults(
      'DELETE',
      () => `${FINDINGS}/${live.id}`,
      () => ({}),
      8_000,
      token,
    ),
    INVALID_PARAM: invalidId('DELETE', '', undefined),
    MISSING_WITHDRAW_TOKEN: () => board.send(`${FINDINGS}/${live.id}`, undefined, {}, 'DELETE'),
    BAD_WITHDRAW_TOKEN: () => withdraw(board, { id: live.id, withdrawToken: gone.withdrawToken }),
    FINDING_NOT_FOUND: () => withdraw(board, { id: 'fnd_nowhere', withdrawToken: 'any' }),
    FINDING_WITHDRAWN: () => withdraw(board, gone),
    WITHDRAW_FAILED: unavailable('DELETE', `${FINDINGS}/fnd_any`, undefined, { 'x-withdraw-token': 'any' }),
  },
};
// Withdrawing runs after all requests that need a live finding.
const inOrder = [...pairs].sort(([a], [b]) => Number(a === 'finding-withdraw') - Number(b === 'finding-withdraw'));

describe('every code that an operation on findings declares', () => {
  it.each(inOrder)('%s: %s can be provoked and comes with its own status', async (operation, code) => {
    const provoke = PROVOKED[operation]?.[code] ?? (() => Promise.reject(new Error('no request provokes it')));
    const { status, headers, body } = await provoke();
    const hint = hintOf({ id: operation }, code);
    expect(body.error).toMatchObject({ code, retryable: ERRORS[code].retryable, hint });
    expect(status).toBe(ERRORS[code].status);
    expect(headers.get('retry-after')).toBe(status === 503 ? '5' : null);
  });

  it('is provoked here for no pair that nobody declares', () => {
    const declared = new Set(pairs.map(([operation, code]) => `${operation} ${code}`));
    const provoked = Object.entries(PROVOKED).flatMap(([operation, codes]) =>
      Object.keys(codes).map((code) => `${operation} ${code}`),
    );
    expect(provoked.filter((pair) => !declared.has(pair))).toEqual([]);
  });
});

describe('a refusal', () => {
  it('that has several reasons checks them in a fixed order', async () => {
    const unknown = await withdraw(board, { id: 'fnd_nowhere', withdrawToken: '' });
    expect(unknown.body.error.code).toBe('MISSING_WITHDRAW_TOKEN');
    const wrong = await withdraw(board, { id: gone.id, withdrawToken: 'wrong' });
    expect(wrong.body.error.code).toBe('BAD_WITHDRAW_TOKEN');
    const both = await board.send(`${FINDINGS}/fnd_nowhere/link`, { ...LINK, toId: 'fnd_neither' });
    expect(both.body.error.code).toBe('FROM_FINDING_NOT_FOUND');
  });

  it('of the list names every parameter that names nothing', async () => {
    const { body } = await board.get(`${FINDINGS}?objectiveId=x&questionId=y`);
    expect(body.error.issues).toEqual([
      {
        path: 'objectiveId',
        message: expect.stringMatching(
          /^"x" is unknown: expected the id of an objective that GET \/api\/v1\/curriculum lists; nearest to the text that was sent: /,
        ),
      },
      {
        path: 'questionId',
        message: expect.stringMatching(
          /^"y" is unknown: expected the id of a question that GET \/api\/v1\/open-questions lists; nearest to the text that was sent: /,
        ),
      },
    ]);
    expect([body.error.parameter, body.error.expected]).toEqual([
      'objectiveId',
      'the id of an objective that GET /api/v1/curriculum lists',
    ]);
  });

  it('of a status is of its own kind however the status is wrong', async () => {
    for (const status of ['', 'Received', 'received,contested', '%00', 'x'.repeat(600)]) {
      const { body } = await board.get(`${FINDINGS}?status=${status}`);
      expect(body.error.code).toBe('invalid_status');
    }
  });

  it.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'offset=-1',
    'offset=100001',
    'includeWithdrawn=yes',
    'q=',
    'agentName=%00',
  ])('of the list for %s names the parameter', async (query) => {
    const { status, body } = await board.get(`${FINDINGS}?${query}`);
    expect([status, body.error.code, body.error.parameter]).toEqual([400, 'INVALID_PARAM', query.split('=')[0]]);
  });
});
