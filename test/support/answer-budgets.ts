import { isWrite, type Operation } from '../../contract/operation.ts';

/**
 * Tokens that a list of tools or an ordinary concise answer over MCP may have, text and structured content each. One table for the test
 * that holds them and the bench that measures them.
 */

export const LIST_BUDGETS = {
  ...{ defaultSet: 12_000, instructions: 250, descriptionCharacters: 250 },
  /** `describe_tool` of whichever operation: the bodies of the twin have long schemas. */
  described: 8_000,
} as const;
export const META_BUDGET = 80;

/** Budgets of the two classes: an acknowledgement of a write, and a read, as a page of 20 trials. */
export const CLASS_BUDGETS = { write: 240, read: 2_500 } as const;

interface OwnBudget {
  tokens: number;
  /** Why it is another than that of its class. */
  why: string;
}

/** Budgets of single operations. The first four are asked for; for the others the class is too small. */
export const OWN_BUDGETS: Readonly<Record<string, OwnBudget>> = {
  'trials-search': { tokens: 2_500, why: 'asked for: a page of 20 trials' },
  'trials-detail': { tokens: 1_200, why: 'asked for' },
  capabilities: { tokens: 4_000, why: 'asked for: names and a few words of every tool' },
  hello: { tokens: 1_500, why: 'asked for: it is the first answer' },
  capability: { tokens: 4_000, why: 'all arguments of a search with their descriptions' },
  discovery: { tokens: 6_500, why: 'the whole index of the API; list_capabilities is the short one' },
  protocol: { tokens: 3_500, why: 'every rule of the board, read once' },
  batch: { tokens: 6_500, why: 'three answers in one' },
  'trials-proof': { tokens: 4_500, why: 'a proof is checked byte for byte, so that nothing of it is left out' },
  'patient-model': { tokens: 4_000, why: 'a guide with the data requirements of every module' },
  'patient-model-references': { tokens: 5_500, why: 'a table of published references, each with its source' },
  'beta-cell': { tokens: 3_000, why: 'a guide with its rules, equations and input schema' },
  'twin-benchmark-run': { tokens: 8_500, why: 'each disagreement of two models, arm by arm and time by time' },
};

/** The budget of an ordinary answer; null for one that has no envelope: a file, or a probe of whoever runs the service. */
export function answerBudget(operation: Operation): number | null {
  if (operation.envelope === false) return null;
  return OWN_BUDGETS[operation.id]?.tokens ?? (isWrite(operation) ? CLASS_BUDGETS.write : CLASS_BUDGETS.read);
}
