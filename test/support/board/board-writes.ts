import type { Answer } from '../gateway.ts';
import type { TestBoard } from './board.ts';
import { putFinding } from './board-rows.ts';

/** Bodies that are accepted, for tests to vary. */
export const CLAIM = {
  objectiveId: 'map-one-disease',
  scope: 'cystic fibrosis, phase 3',
  intent: 'Count the distinct trials of the slice and publish the map as a finding.',
  agentName: 'ada',
};
export const MESSAGE = {
  subjectType: 'objective',
  subjectId: 'map-one-disease',
  body: 'Has anyone mapped the trials of cystic fibrosis yet?',
  agentName: 'ada',
};

export interface HeldClaim {
  id: string;
  token: string;
}

/** A live claim and its token. */
export async function announced(board: TestBoard, change: Record<string, unknown> = {}): Promise<HeldClaim> {
  const { status, body } = await board.send('/api/v1/claims', { ...CLAIM, ...change });
  if (status !== 201) throw new Error(`not announced: ${JSON.stringify(body)}`);
  return { id: body.data.id, token: body.data.releaseToken };
}

/** Stores a finding with which claims can be delivered. */
export async function storedFinding(
  board: TestBoard,
  id: string,
  status: 'received' | 'withdrawn' = 'received',
): Promise<void> {
  await putFinding(board, { id, status, objective_id: 'map-one-disease' });
}

export type ClaimMove = 'renew' | 'deliver' | 'release';

/** Calls one of the holder's operations on a claim. */
export function move(
  board: TestBoard,
  { id, token }: HeldClaim,
  what: ClaimMove,
  extra: { findingId?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const headers = { 'x-release-token': token, ...extra.headers };
  const path = `/api/v1/claims/${id}`;
  if (what === 'release') return board.send(path, undefined, headers, 'DELETE');
  return board.send(path, { action: what, ...(extra.findingId ? { findingId: extra.findingId } : {}) }, headers);
}

/** All rows that a write can change, to compare before and after. */
export async function wholeBoard(board: TestBoard): Promise<unknown> {
  const db = board.services.board.read;
  return {
    claims: await db.selectFrom('claims').selectAll().orderBy('seq').execute(),
    messages: await db.selectFrom('messages').selectAll().orderBy('seq').execute(),
    events: await db.selectFrom('events').selectAll().orderBy('ts').execute(),
  };
}
