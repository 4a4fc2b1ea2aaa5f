import { expect } from 'vitest';
import type { TestBoard } from './board.ts';
import { FINDING } from './findings.ts';

/** A ladder that is accepted as it is; its rungs take `share` and `note`. */
export const LADDER = {
  objectiveId: 'map-one-disease',
  title: 'Two steps to a share',
  rationale: 'The share first, then what it means.',
  agentName: 'ada',
  rungs: [
    {
      title: 'Say the share',
      input: 'A list of trials.',
      output: 'share: a number from 0 to 1.',
      effort: 'small',
      rules: [
        { path: 'share', rule: 'min', value: 0 },
        { path: 'share', rule: 'max', value: 1, message: 'It is a share.' },
      ],
    },
    {
      title: 'Say what it means',
      input: 'The share.',
      output: 'note: a text.',
      effort: 'large',
      rules: [{ path: 'note', rule: 'length', min: 5 }],
    },
  ],
};

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

let made = 0;

/** Publishes a new ladder and returns the answer's data. */
export async function ladder(board: TestBoard, change: Record<string, unknown> = {}): Promise<Data> {
  made += 1;
  const { status, body } = await board.send('/api/v1/decompositions', {
    ...LADDER,
    title: `Ladder ${made}`,
    ...change,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

/** A passing submission for the first rung of LADDER, with a new finding. */
export function submission(change: Record<string, unknown> = {}) {
  made += 1;
  const { agentName: _, ...finding } = FINDING;
  return { output: { share: 0.5 }, finding: { ...finding, title: `From a rung ${made}` }, agentName: 'bob', ...change };
}
