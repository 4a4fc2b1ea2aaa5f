import type { Operation } from '../../contract/operation.ts';
import { withoutStatements } from '../../contract/own-words.ts';
import type { HowTo } from '../../contract/schemas/board/finding.ts';

/** How an answer tells its reader to send `operation`, in words of its own. `id` takes the place of the id in the path. */
export function howTo({ method, path, exampleBody }: Operation, rules: string[], id?: string): HowTo {
  const call = `${method} ${id === undefined ? path : path.replace('{id}', id)}`;
  return { call, body: withoutStatements(exampleBody ?? {}), rules };
}
