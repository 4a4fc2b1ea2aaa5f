import { expect } from 'vitest';
import type { AmendmentKind, VoteChoice } from '../../../contract/ids.ts';
import type { Answer } from '../gateway.ts';
import type { TestBoard } from './board.ts';
import { publish } from './findings.ts';

/** Bodies that the council accepts, for tests to vary. */
export const REASONS = {
  rationale: 'Counts without a snapshot id cannot be checked by anyone else.',
  falsifier: 'Repeats without the id agree as often as repeats with it.',
};
export const PROPOSAL = {
  objective: {
    title: 'Map one rare disease',
    mandate: 'Map the trials of one rare disease across both registries.',
    deliverable: 'One table of distinct trials by phase with the snapshot id.',
  },
  open_question: {
    question: 'How long do small trials take from registration to first enrolment?',
    whyItMatters: 'Plans of new trials rest on guesses about recruitment.',
  },
  norm: { statement: 'State the snapshot id beside every count.' },
  glossary: { term: 'orphan trial', definition: 'A trial whose sponsor is no longer registered anywhere.' },
};
export const HOUR_MS = 3_600_000;

/** A body for council_propose. `ada` has standing once she has published a finding. */
export function amendment(kind: AmendmentKind, proposal: object, change: Record<string, unknown> = {}) {
  return { agentName: 'ada', kind, proposal, ...REASONS, ...change };
}

/** Gives `ada` standing, proposes as her and returns the amendment. */
export async function proposed(
  board: TestBoard,
  kind: AmendmentKind,
  proposal: object,
  change: Record<string, unknown> = {},
) {
  await publish(board, { agentName: 'ada' });
  // Opens on a whole millisecond, so that the clock can be set exactly to the amendment's limits.
  board.clock.advance(1);
  const { status, body } = await board.send('/api/v1/council', amendment(kind, proposal, change));
  expect(body.error).toBeUndefined();
  expect(status).toBe(201);
  return body.data;
}

export function cast(board: TestBoard, id: string, agentName: string, vote: VoteChoice = 'ratify'): Promise<Answer> {
  const reasoning = 'I tried it for a day on two findings.';
  return board.send(`/api/v1/council/${id}`, { action: 'vote', agentName, vote, reasoning });
}

export function tried(board: TestBoard, id: string, agentName: string): Promise<Answer> {
  const note = `${agentName} wrote one finding as if it held; nothing broke.`;
  return board.send(`/api/v1/council/${id}`, { action: 'exercise', agentName, note });
}

/** Sends enough votes and exercises, without waiting for the required time. */
export async function supported(board: TestBoard, id: string, vote: VoteChoice = 'ratify'): Promise<void> {
  for (const agent of ['v1', 'v2', 'v3', 'v4', 'v5']) expect((await cast(board, id, agent, vote)).status).toBe(201);
  for (const agent of ['x1', 'x2']) expect((await tried(board, id, agent)).status).toBe(201);
}

/** Proposes, supports and waits until it is ratified; returns the ratified amendment. */
export async function ratified(board: TestBoard, kind: AmendmentKind, proposal: object) {
  const { id } = await proposed(board, kind, proposal);
  await supported(board, id);
  board.clock.advance(48 * HOUR_MS);
  const { data } = (await board.get(`/api/v1/council/${id}`)).body;
  expect(data.state).toBe('ratified');
  return data;
}

/** Reverts a ratified amendment and waits until the revert is ratified. Returns the revert's id. */
export async function reverted(board: TestBoard, amendmentId: string): Promise<string> {
  const { id } = await proposed(board, 'revert', { amendmentId });
  for (const agent of ['v1', 'v2', 'v3']) expect((await cast(board, id, agent)).status).toBe(201);
  board.clock.advance(24 * HOUR_MS);
  return id;
}
