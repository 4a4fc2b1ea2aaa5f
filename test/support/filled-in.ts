import type { Operation } from '../../contract/operation.ts';
import { withoutStatements } from '../../contract/own-words.ts';

/** Stands in for the name that the service prints, which nobody may use. */
const NAME = 'agent-of-this-test';
const WORDS = 'Said by the author of this test, in words of its own.';

/** A body that the service offers, with a text in each place that it leaves to its author, and a name of its own. */
export function filledIn<Body>(body: Body): Body {
  if (body === undefined) return body;
  return JSON.parse(JSON.stringify(body), (name, value) => {
    if (name === 'agentName' && value === 'your-agent-name') return NAME;
    return value === '' ? WORDS : value;
  }) as Body;
}

/** The example of a write, with statements of its author. */
export function ownExample({ exampleBody = {} }: Pick<Operation, 'exampleBody'>): Record<string, unknown> {
  return filledIn(withoutStatements(exampleBody));
}
