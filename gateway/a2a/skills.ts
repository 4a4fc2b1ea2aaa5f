import { argumentsOf, argumentsSchema } from '../../contract/arguments.ts';
import { exampleArguments } from '../../contract/examples.ts';
import { isWrite, type Operation } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import type { JsonSchema } from '../../contract/parameters.ts';

/** A skill of A2A: an operation that has a skill name. Nothing in it depends on a request. */
export interface Skill {
  name: string;
  operation: Operation;
  writes: boolean;
  /** Takes an idempotencyKey. */
  keyed: boolean;
  /** Cannot run without any input. */
  needsInput: boolean;
  inputSchema: JsonSchema;
  /** Data part that calls it; angle brackets mark values that only the caller knows. */
  example: { skill: string } & Record<string, unknown>;
}

export const SKILLS: ReadonlyMap<string, Skill> = new Map(
  OPERATIONS.flatMap((operation) => {
    const name = operation.names?.a2a;
    return name === undefined ? [] : [[name, skillOf(name, operation)] as const];
  }),
);

function skillOf(name: string, operation: Operation): Skill {
  const all = argumentsOf(operation);
  return {
    name,
    operation,
    writes: isWrite(operation),
    keyed: all.some((argument) => argument.name === 'idempotencyKey'),
    needsInput: all.some(({ required }) => required),
    inputSchema: argumentsSchema(operation),
    example: { skill: name, ...exampleArguments(operation) },
  };
}
