import type { Operation } from './operation.ts';
import { takesView } from './view.ts';

/**
 * Tokens that a list of tools or an ordinary concise answer over MCP may have, text and structured content each. One table for the test
 * that holds them and the bench that measures them.
 */

export const LIST_BUDGETS = { defaultSet: 12_000, otherSet: 15_000, instructions: 250 } as const;
export const DESCRIPTION_MAX_CHARACTERS = 250;
export const META_BUDGET = 80;

/** What an acknowledgement of a write may have. */
const WRITE = 240;
/** A read without a budget of its own: that of a page of 20 trials. */
const READ = 2_500;

/** Budgets of single operations. The first lines are asked for; of the others the class is too small, for the reason beside each. */
const OWN: Readonly<Record<string, number>> = {
  'trials-search': 2_500,
  'trials-detail': 1_200,
  capabilities: 4_000,
  hello: 1_500,
  'find-tools': 1_500,
};

/** The budget of an ordinary answer; null for one that has no envelope: a file, or a probe of whoever runs the service. */
export function answerBudget(operation: Operation): number | null {
  if (operation.envelope === false) return null;
  return OWN[operation.id] ?? (takesView(operation) ? READ : WRITE);
}
