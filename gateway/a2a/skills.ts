import { argumentsOf, argumentsSchema } from '../../contract/arguments.ts';
import { exampleArguments } from '../../contract/examples.ts';
import { A2A_TASK_KEPT_HOURS } from '../../contract/limits.ts';
import { isWrite, type Operation } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import type { JsonSchema } from '../../contract/parameters.ts';
import { isTooDeep } from './rpc.ts';
import type { Message, Part } from './task.ts';

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

export const AUTHENTICATION = 'none required';

const HOW_TO_CALL = `Send message/send with one data part that has the name of a skill under "skill" and its inputs beside it, as in the examples; put your own values where an example has angle brackets. With the taskId of this task the message completes it; without one it begins a task of its own. A task is kept ${A2A_TASK_KEPT_HOURS} hours for tasks/get.`;
const HOW_TO_WRITE =
  'Give every message a random UUID as messageId: the same message sent again does not write a second time. An idempotencyKey among the inputs takes precedence over it.';

/** The answer to a message that names no skill: a data part and a text part with the same content. */
export function directoryParts(why: string): Part[] {
  const skills = [...SKILLS.values()].map(entryOf);
  const data = { authentication: AUTHENTICATION, why, howToCall: HOW_TO_CALL, howToWrite: HOW_TO_WRITE, skills };
  const lines = skills.map(
    ({ skill, summary, writes, example }) =>
      `- ${skill}: ${summary}${writes ? ' (writes)' : ''}. ${JSON.stringify(example.parts[0]!.data)}`,
  );
  const text = [why, `Authentication: ${AUTHENTICATION}.`, HOW_TO_CALL, HOW_TO_WRITE, 'Skills:', ...lines].join('\n');
  return [
    { kind: 'text', text },
    { kind: 'data', data },
  ];
}

function entryOf({ name, operation, writes, inputSchema, example }: Skill) {
  return {
    skill: name,
    summary: operation.summary,
    description: operation.description,
    writes,
    sameAs: `${operation.method} ${operation.path}`,
    inputSchema,
    example: {
      kind: 'message',
      role: 'user',
      messageId: '<a random UUID>',
      parts: [{ kind: 'data', data: example }],
    },
  };
}

/** The skill that a message asks for, or why it asks for none. */
export type Routing = { skill: Skill; inputs: Record<string, unknown> } | { skill: null; why: string };

const QUOTED_MAX_CHARACTERS = 64;

/**
 * A message calls a skill if one data part has a `skill` key with its name; the part's other keys are the inputs. If no
 * data part has the key, a text part may hold the same object as JSON, or the bare name of a skill that needs no input.
 * Any other text is conversation, which this service does not understand.
 */
export function routingOf({ parts }: Message): Routing {
  const data = parts.flatMap((part) => (part.kind === 'data' && 'skill' in part.data ? [part.data] : []));
  const named = data.length > 0 ? data : parts.flatMap((part) => (part.kind === 'text' ? spoken(part.text) : []));
  const [only, another] = named;
  if (only === undefined) return { skill: null, why: 'No part of the message names a skill.' };
  if (another !== undefined)
    return { skill: null, why: 'The message names more than one skill; send one skill in each message.' };
  const { skill: name, ...inputs } = only;
  if (typeof name !== 'string') return { skill: null, why: 'The name of a skill must be text.' };
  const skill = SKILLS.get(name);
  return skill === undefined ? { skill: null, why: `No skill is called ${quoted(name)}.` } : { skill, inputs };
}

/** The object that a text holds as JSON, or the skill that it names; empty for any other text. */
function spoken(text: string): Record<string, unknown>[] {
  const trimmed = text.trim();
  if (SKILLS.get(trimmed)?.needsInput === false) return [{ skill: trimmed }];
  if (!trimmed.startsWith('{')) return [];
  try {
    const value = JSON.parse(trimmed) as Record<string, unknown>;
    return 'skill' in value && !isTooDeep(value) ? [value] : [];
  } catch {
    return [];
  }
}

function quoted(name: string): string {
  return JSON.stringify(name.toWellFormed().slice(0, QUOTED_MAX_CHARACTERS));
}
