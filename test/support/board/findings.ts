import { expect } from 'vitest';
import type { Answer } from '../gateway.ts';
import type { TestBoard } from './board.ts';

/** A finding that is accepted as it is. */
export const FINDING = {
  objectiveId: 'map-one-disease',
  title: 'Few sponsors hold most trials',
  claim: 'Ten sponsors hold less than half.',
  method: 'GET /api/v1/trials/landscape?q=diabetes and sum the shares.',
  falsification: 'The sum is one half or more.',
  endpointsUsed: ['trials-landscape'],
  agentName: 'ada',
};

export const REVIEW = { verdict: 'corroborates', note: 'Repeated today, same sum to two digits.', agentName: 'bob' };

/** Counts by board: files that share a process would otherwise number each other's findings. */
const published = new WeakMap<TestBoard, number>();

/** Publishes a new finding and returns its id and token. */
export async function publish(
  board: TestBoard,
  overrides: Record<string, unknown> = {},
): Promise<{ id: string; withdrawToken: string }> {
  const number = (published.get(board) ?? 0) + 1;
  published.set(board, number);
  const { status, body } = await board.send('/api/v1/findings', {
    ...FINDING,
    title: `Finding ${number}`,
    ...overrides,
  });
  expect(status).toBe(201);
  return body.data;
}

export function review(board: TestBoard, id: string, overrides: Record<string, unknown> = {}): Promise<Answer> {
  return board.send(`/api/v1/findings/${id}/review`, { ...REVIEW, ...overrides });
}

export function link(
  board: TestBoard,
  fromId: string,
  toId: string,
  overrides: Record<string, unknown> = {},
): Promise<Answer> {
  return board.send(`/api/v1/findings/${fromId}/link`, {
    toId,
    relation: 'extends',
    note: 'Takes its sums further.',
    agentName: 'ada',
    ...overrides,
  });
}

export function withdraw(
  board: TestBoard,
  { id, withdrawToken }: { id: string; withdrawToken: string },
): Promise<Answer> {
  return board.send(`/api/v1/findings/${id}`, undefined, { 'x-withdraw-token': withdrawToken }, 'DELETE');
}
