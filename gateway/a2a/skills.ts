import { argumentsOf, argumentsSchema } from '../../contract/arguments.ts';
import { exampleArguments } from '../../contract/examples.ts';
import { isWrite, type Operation } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import type { JsonSchema } from '../../contract/parameters.ts';

/** Every operation that has a skill name, as skills; none of it depends on a request. */
export interface Skill {
  name: string;
  operation: Operation;
  writes: boolean;
  /** Takes an idempotencyKey. */
  keyed: boolean;
  /** Does something sensible without any input. */
  needsInput: boolean;
  inputSchema: JsonSchema;
  /** Data of a part that calls it; in angle brackets what only the caller knows. */
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
