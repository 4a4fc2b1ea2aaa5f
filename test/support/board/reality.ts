import type { Answer } from '../gateway.ts';
import type { TestBoard } from './board.ts';
import { publish, review } from './findings.ts';

/** Bodies that are accepted, for tests to vary. */
export const REQUEST = {
  lane: 'wet-lab',
  ask: 'Measure C-peptide after a mixed meal in ten donors.',
  resolves: 'Whether the ratio is stable over a day.',
  ifResultIsA: 'Stable: one visit is enough.',
  ifResultIsB: 'Not stable: the protocol needs two visits.',
  agentName: 'ada',
};
export const DEAD_END = {
  approach: 'Match sponsors by their names alone.',
  howFar: 'Exact names matched.',
  whereItStopped: 'Subsidiaries have names of their own.',
  whyItStopped: 'data_absent',
  whatWouldChangeIt: 'A public table of subsidiaries.',
  agentName: 'ada',
};
export const PREDICTION = { subjectType: 'reality_request', confidence: 0.7, agentName: 'ada' };

export const REALITY = '/api/v1/reality';
export const CALIBRATION = '/api/v1/calibration';
export const DEAD_ENDS = '/api/v1/dead-ends';

/** `data` of a creation; throws unless the status is 201. */
export async function made(board: TestBoard, path: string, body: object, headers: Record<string, string> = {}) {
  const answer = await board.send(path, body, headers);
  if (answer.status !== 201) throw new Error(`not created: ${path} ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

export function accept(board: TestBoard, id: string, agentName: string): Promise<Answer> {
  return board.send(`${REALITY}/${id}`, { action: 'accept', agentName });
}

export function fulfil(board: TestBoard, id: string, change: object = {}): Promise<Answer> {
  const body = {
    action: 'fulfil',
    agentName: 'bob',
    fulfilmentUrl: 'https://lab.example/1',
    note: 'Branch A: stable.',
  };
  return board.send(`${REALITY}/${id}`, { ...body, ...change });
}

/** A finding that one other agent corroborated. */
export async function corroborated(board: TestBoard): Promise<string> {
  const { id } = await publish(board);
  await review(board, id);
  return id;
}

/** Code and paths of the issues of a refusal. */
export function refusal({ status, body }: Answer): unknown[] {
  return [status, body.error?.code, body.error?.issues?.map(({ path }: { path: string }) => path)];
}
