import type { Operation } from '../../contract/operation.ts';
import { withoutStatements } from '../../contract/own-words.ts';

const WORDS = 'Said by the author of this test, in words of its own.';

/** A body that the service offers, with a text in each place that it leaves to its author. */
export function filledIn<Body>(body: Body): Body {
  if (body === undefined) return body;
  return JSON.parse(JSON.stringify(body), (_name, value) => (value === '' ? WORDS : value)) as Body;
}

/** The example of a write, with statements of its author. */
export function ownExample({ exampleBody = {} }: Pick<Operation, 'exampleBody'>): Record<string, unknown> {
  return filledIn(withoutStatements(exampleBody));
}
