import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { Operation } from '../operation.ts';
import { OPERATIONS } from '../operations.ts';
import { exampleOf } from './argument-examples.ts';
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

  it('is its own before that of its operation, of its name and of its type', () => {
    const operation = { example: '/', exampleBody: { scope: 'cystic fibrosis', model: 'the-model' } };
    const of = (name: string, schema: object) => exampleOf(operation, { name, target: name, schema: { ...schema } });
    expect(of('scope', { type: 'string', examples: ['obesity'] })).toBe('obesity');
    expect(of('scope', { type: 'string' })).toBe('cystic fibrosis');
    expect(of('version', { type: 'integer', minimum: 1 })).toBe(1);
    expect(of('version', { type: 'string' })).toBe('20261121T031500Z-0a1b2c3d');
    expect(of('phase', { type: 'array', items: { type: 'string', enum: ['1', '2'] } })).toEqual(['1']);
    expect(of('anything', { anyOf: [{ type: 'null' }, { type: 'string', enum: ['b', 'a'] }] })).toBe('b');
    expect(of('anything', { type: 'boolean', default: false })).toBe(false);
    expect(of('model', { type: 'string' })).toBe('the-model');
    expect(of('unheardOf', { type: 'string' })).toBeUndefined();
  });
});
