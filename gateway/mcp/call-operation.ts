import type { Tool } from '@modelcontextprotocol/server';
import { exampleArguments } from '../../contract/examples.ts';
import type { Operation } from '../../contract/operation.ts';
import { getTrialFacets } from '../../contract/operations/trials/trial-facets.ts';
import { Problem } from '../../server-kit/problem.ts';
import { plainObject } from '../plain-arguments.ts';
import { annotationsOf, withDefaults } from './tools.ts';

/** What a call is carried out by; `refused` where it names an operation that is not there. */
export type Target = { operation: Operation; given: Record<string, unknown> } | { refused: Problem };

/** The operations by their names. */
interface Offered {
  operationOf(name: string): Operation | undefined;
  /** The message about a name that calls nothing. */
  unknown(name: string): string;
}

/** The one tool that is no operation: it carries out any of them, so that a small list hides nothing. */
export const CALL_OPERATION = 'call_operation';

/** An operation that is not listed. */
const EXAMPLE = { id: getTrialFacets.id, given: exampleArguments(getTrialFacets) };

export function callOperationTool(operations: readonly Operation[]): Tool {
  const title = 'Call any operation, listed here or not';
  const annotations = annotationsOf(operations);
  const given = { type: 'object', description: 'its arguments, as one flat object', examples: [EXAMPLE.given] };
  const inputSchema = {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'operation id or tool name', examples: [EXAMPLE.id] },
      arguments: given,
    },
    required: ['id'],
  };
  return {
    name: CALL_OPERATION,
    title,
    description:
      'Carry out any operation by its id or tool name. list_capabilities with query says which one does what you need, describe_tool which arguments it takes. Limits and errors are its own.',
    inputSchema: inputSchema as Tool['inputSchema'],
    annotations,
  };
}

/** The operation that the arguments of the tool name. */
export function targetOf(given: Record<string, unknown>, offered: Offered): Target {
  const { id, arguments: stated, ...rest } = given;
  const [extra] = Object.keys(rest);
  if (extra !== undefined) {
    return refused(extra, 'id and arguments alone: put the arguments of the operation into arguments');
  }
  if (typeof id !== 'string') return refused('id', 'the id or tool name of an operation');
  const inner = plainObject(stated);
  if (inner === undefined) {
    const fault =
      typeof stated === 'string' && !isJson(stated) ? 'the text that was sent does not parse as JSON; ' : '';
    return refused(
      'arguments',
      `the arguments of the operation as one flat object: ${fault}send a JSON object, not its text`,
    );
  }
  const operation = offered.operationOf(id);
  if (operation !== undefined) return { operation, given: withDefaults(operation, inner) };
  return { refused: new Problem('NOT_FOUND', { message: offered.unknown(id.slice(0, NAME_SHOWN_CHARACTERS)) }) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const NAME_SHOWN_CHARACTERS = 60;

function refused(parameter: string, expected: string): Target {
  const name = parameter.toWellFormed().slice(0, NAME_SHOWN_CHARACTERS);
  return {
    refused: new Problem('INVALID_PARAM', {
      message: `The argument ${name} is not usable: expected ${expected}.`,
      parameter: name,
      expected,
      issues: [{ path: name, message: `expected ${expected}` }],
    }),
  };
}
