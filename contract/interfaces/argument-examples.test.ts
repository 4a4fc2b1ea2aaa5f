import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { Operation } from '../operation.ts';
import { OPERATIONS } from '../operations.ts';
import { type Argument, argumentsOf } from './arguments.ts';
import { callerQuery } from './view.ts';

function schemaOf(operation: Operation, { place, target }: Argument): z.ZodType | undefined {
  const { params, body } = operation;
  if (place === 'path') return params?.[target];
  return place === 'query' ? callerQuery(operation)[target] : (body as z.ZodObject | undefined)?.shape[target];
}

describe('the example of an argument', () => {
  it('is there for each, and is a value that the operation takes', () => {
    const faults: string[] = [];
    for (const operation of OPERATIONS) {
      for (const argument of argumentsOf(operation)) {
        const [example] = (argument.schema.examples ?? []) as unknown[];
        if (example === undefined) faults.push(`${operation.id} ${argument.name}: none`);
        if (example === undefined) continue;
        const sent = argument.place === 'body' ? example : [example].flat().join(',');
        const fault = schemaOf(operation, argument)?.safeParse(sent).error?.issues[0]?.message;
        if (fault !== undefined) faults.push(`${operation.id} ${argument.name}: ${fault}`);
      }
    }
    // Two or three whole experiments: the example of the call has them.
    expect(faults).toEqual(['twin-benchmark-run experiments: none']);
  });
});
