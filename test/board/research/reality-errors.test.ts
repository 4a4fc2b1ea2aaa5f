import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '../../../contract/errors/errors.ts';
import { CALIBRATION_OPERATIONS } from '../../../contract/operations/board/calibration.ts';
import { DEAD_END_OPERATIONS } from '../../../contract/operations/board/dead-ends.ts';
import { REALITY_OPERATIONS } from '../../../contract/operations/board/reality.ts';
import { openBoard, type TestBoard } from '../../support/board/board.ts';
import {
  accept,
  CALIBRATION,
  corroborated,
  DEAD_END,
  DEAD_ENDS,
  fulfil,
  made,
  PREDICTION,
  REALITY,
  REQUEST,
} from '../../support/board/reality.ts';
import { hintOf } from '../../support/checks/answer-shape.ts';
import type { Answer } from '../../support/gateway.ts';

const OPERATIONS = [...REALITY_OPERATIONS, ...CALIBRATION_OPERATIONS, ...DEAD_END_OPERATIONS];
const pairs = OPERATIONS.flatMap(({ id, errors }) => errors.map((code): [string, ErrorCode] => [id, code]));

let board: TestBoard;
let broken: TestBoard;
let open: string;
let fulfilled: string;
let standing: string;
let overturned: string;
let finding: string;
beforeAll(async () => {
  board = await openBoard();
  open = (await made(board, REALITY, REQUEST)).id;
  fulfilled = (await made(board, REALITY, { ...REQUEST, ask: 'done' })).id;
  await fulfil(board, fulfilled);
  finding = await corroborated(board);
  standing = (await made(board, DEAD_ENDS, DEAD_END)).id;
  overturned = (await made(board, DEAD_ENDS, { ...DEAD_END, approach: 'beyond' })).id;
  await board.send(`${DEAD_ENDS}/${overturned}`, { action: 'overturn', findingId: finding, agentName: 'bob' });
  broken = await openBoard();
  await broken.services.board[Symbol.asyncDispose]();
});
afterAll(() => board[Symbol.asyncDispose]());

/** Provokes the faults that every write can have. The body is valid, so each request has one fault only. */
function writeFaults(path: () => string, body: () => object) {
  const send = (given: unknown, headers = {}) => board.send(path(), given, headers);
  return {
    INVALID_BODY: () => send('{"half":'),
    BODY_TOO_LARGE: () => send({ ...body(), more: 'x'.repeat(8_000) }),
    INVALID_IDEMPOTENCY_KEY: () => send(body(), { 'idempotency-key': 'short' }),
    IDEMPOTENCY_KEY_REUSED: async () => {
      const key = { 'idempotency-key': `reused ${path()}` };
      expect((await send(body(), key)).status).toBeLessThan(300);
      return send({ ...body(), more: 1 }, key);
    },
  };
}

const OVERTURN = () => ({ action: 'overturn', findingId: finding, agentName: 'bob' });
const ACCEPT = { action: 'accept', agentName: 'ada' };
const token = { 'x-prediction-token': 'another' };
const predicted = async () => {
  const { id } = await made(board, REALITY, { ...REQUEST, ask: 'predicted' });
  return made(board, CALIBRATION, { ...PREDICTION, subjectId: id });
};

const PROVOKED: Record<string, Record<string, () => Promise<Answer>>> = {
  reality: {
    INVALID_PARAM: () => board.get(`${REALITY}?lane=moon`),
    DB_ERROR: () => broken.get(REALITY),
  },
  'reality-create': {
    ...writeFaults(
      () => REALITY,
      () => REQUEST,
    ),
    submission_rejected: () => board.send(REALITY, {}),
    SUBMISSION_FAILED: () => broken.send(REALITY, REQUEST),
  },
  'reality-request': {
    INVALID_PARAM: () => board.get(`${REALITY}/%00`),
    NOT_FOUND: () => board.get(`${REALITY}/rea_none`),
    DB_ERROR: () => broken.get(`${REALITY}/rea_none`),
  },
  'reality-act': {
    ...writeFaults(
      () => `${REALITY}/${open}`,
      () => ACCEPT,
    ),
    INVALID_PARAM: () => board.send(`${REALITY}/%00`, ACCEPT),
    submission_rejected: () => board.send(`${REALITY}/${open}`, { action: 'accept' }),
    UNKNOWN_ACTION: () => board.send(`${REALITY}/${open}`, { ...ACCEPT, action: 'reserve' }),
    NOT_FOUND: () => accept(board, 'rea_none', 'ada'),
    NOT_OPEN: () => accept(board, fulfilled, 'ada'),
    UPDATE_FAILED: () => accept(broken, 'rea_none', 'ada'),
  },
  calibration: {
    INVALID_PARAM: () => board.get(`${CALIBRATION}?view=all`),
    AUTH_REQUIRED: () => board.get(`${CALIBRATION}?view=mine`),
    FORBIDDEN: () => board.get(`${CALIBRATION}?view=mine`, { headers: token }),
    DB_ERROR: () => broken.get(`${CALIBRATION}?view=aggregate`),
  },
  'calibration-create': {
    ...writeFaults(
      () => CALIBRATION,
      () => ({ ...PREDICTION, subjectId: open }),
    ),
    submission_rejected: () => board.send(CALIBRATION, {}),
    FORBIDDEN: () => board.send(CALIBRATION, { ...PREDICTION, subjectId: open }, token),
    NOT_FOUND: () => board.send(CALIBRATION, { ...PREDICTION, subjectId: 'rea_none' }),
    NOT_OPEN: () => board.send(CALIBRATION, { ...PREDICTION, subjectId: fulfilled }),
    SUBMISSION_FAILED: () => broken.send(CALIBRATION, { ...PREDICTION, subjectId: open }),
  },
  prediction: {
    INVALID_PARAM: () => board.get(`${CALIBRATION}/%00`),
    NOT_FOUND: () => board.get(`${CALIBRATION}/prd_none`),
    FORBIDDEN: async () => board.get(`${CALIBRATION}/${(await predicted()).id}`, { headers: token }),
    DB_ERROR: () => broken.get(`${CALIBRATION}/prd_none`),
  },
  'dead-ends': {
    INVALID_PARAM: () => board.get(`${DEAD_ENDS}?state=open`),
    DB_ERROR: () => broken.get(DEAD_ENDS),
  },
  'dead-end-register': {
    ...writeFaults(
      () => DEAD_ENDS,
      () => DEAD_END,
    ),
    submission_rejected: () => board.send(DEAD_ENDS, {}),
    SUBMISSION_FAILED: () => broken.send(DEAD_ENDS, DEAD_END),
  },
  'dead-end': {
    INVALID_PARAM: () => board.get(`${DEAD_ENDS}/%00`),
    NOT_FOUND: () => board.get(`${DEAD_ENDS}/ded_none`),
    DB_ERROR: () => broken.get(`${DEAD_ENDS}/ded_none`),
  },
  'dead-end-act': {
    ...writeFaults(() => `${DEAD_ENDS}/${standing}`, OVERTURN),
    INVALID_PARAM: () => board.send(`${DEAD_ENDS}/%00`, OVERTURN()),
    submission_rejected: () => board.send(`${DEAD_ENDS}/${overturned}`, { action: 'overturn', agentName: 'bob' }),
    UNKNOWN_ACTION: () => board.send(`${DEAD_ENDS}/${overturned}`, { ...OVERTURN(), action: 'erase' }),
    NOT_FOUND: () => board.send(`${DEAD_ENDS}/ded_none`, OVERTURN()),
    NOT_OPEN: () => board.send(`${DEAD_ENDS}/${overturned}`, OVERTURN()),
    UPDATE_FAILED: () => broken.send(`${DEAD_ENDS}/ded_none`, OVERTURN()),
  },
};

describe('every code that an operation on reality requests, predictions and dead ends declares', () => {
  it.each(pairs)('%s: %s can be provoked and comes with its own status', async (operation, code) => {
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
