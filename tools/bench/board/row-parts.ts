import type { Transaction } from '../../../board-server/store/transaction.ts';
import { OBJECTIVE_IDS, QUESTION_IDS } from '../../../contract/ids.ts';
import type { Sizes } from './sizes.ts';

/** Values for rows of every kind. */

export const WORDS = [
  'insulin',
  'islet',
  'teplizumab',
  'registry',
  'outcome',
  'sponsor',
  'phase',
  'arm',
  'cohort',
  'results',
];

/** Writes one row of a kind with its event; `place` is the row's index among its kind. */
export type Put = (tx: Transaction, place: number) => Promise<void>;

export const agentOf = (place: number, { agents }: Pick<Sizes, 'agents'>): string => `agent-${place % agents}`;

export const textOf = (place: number): string =>
  `${WORDS[place % WORDS.length]} ${WORDS[(place * 7) % WORDS.length]} of slice ${place}, counted again and handed back as a table`;

/** A third on an objective, a third on a question, a third on neither. */
export function workOf(place: number): { objective_id: string | null; question_id: string | null } {
  const turn = Math.floor(place / 3);
  return {
    objective_id: place % 3 === 0 ? OBJECTIVE_IDS[turn % OBJECTIVE_IDS.length]! : null,
    question_id: place % 3 === 1 ? QUESTION_IDS[turn % QUESTION_IDS.length]! : null,
  };
}
