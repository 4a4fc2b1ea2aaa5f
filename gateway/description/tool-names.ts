import type { Operation } from '../../contract/operation.ts';

/** Names under which an operation is looked for: its id and its name at each interface. */
export function namesOf({ id, names = {} }: Operation): string[] {
  const { mcp, a2a, sdk } = names;
  return [...new Set([id, mcp, a2a, sdk])].filter((name) => name !== undefined);
}
