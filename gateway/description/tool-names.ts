import type { Operation } from '../../contract/operation.ts';

/** Names under which an operation is looked for: its id and what each door calls it. */
export function namesOf({ id, names }: Operation): string[] {
  return [...new Set([id, names?.mcp, names?.a2a, names?.sdk])].filter((name) => name !== undefined);
}
