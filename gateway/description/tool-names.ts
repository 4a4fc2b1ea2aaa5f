import type { Operation } from '../../contract/operation.ts';

/** Names under which an operation is looked for: its id, what each door calls it, and its older names. */
export function namesOf({ id, names = {} }: Operation): string[] {
  const { mcp, a2a, sdk, aliases = [] } = names;
  return [...new Set([id, mcp, a2a, sdk, ...aliases])].filter((name) => name !== undefined);
}
