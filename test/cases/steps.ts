import { expect } from 'vitest';
import { FINDING } from '../support/board/findings.ts';
import type { Expected, Given, OfEarlier, Step } from './case.ts';

export function step(operation: string, given: OfEarlier<Given>, expected: Expected): Step {
  return { operation, given, ...expected };
}

/** A finding that is published; it gives its author standing. */
export function publish(title: string, more: Given = {}): Step {
  const data = { status: 'received', title, withdrawToken: expect.any(String) };
  return step('finding-submit', { ...FINDING, title, agentName: 'case-author', ...more }, { status: 201, data });
}

/** Reads what an earlier step made, by its id. */
export const idOf =
  (place = 0) =>
  (...earlier: readonly { id: string }[]): Given => ({ id: earlier[place]!.id });
