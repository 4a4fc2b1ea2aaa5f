import { asksForAdvice, NO_CLINICAL_ADVICE } from '../../contract/clinical-advice.ts';
import { exampleArguments } from '../../contract/examples.ts';
import { argumentsOf, argumentsSchema, knownArguments } from '../../contract/interfaces/arguments.ts';
import { searchTools } from '../../contract/interfaces/tool-search.ts';
import { nearestNames } from '../../contract/nearest-names.ts';
import { isWrite, type Operation } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import type { JsonSchema } from '../../contract/parameters.ts';
import { unseenEscaped } from '../../contract/visible-text.ts';
import { enteredJson, JsonFault } from '../../server-kit/entered-json.ts';
import { isObject } from '../view/json.ts';
import { RpcFault } from './rpc.ts';
import type { Message } from './task.ts';

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

export const AUTHENTICATION = 'none required';

export const SKILLS: ReadonlyMap<string, Skill> = new Map(
  OPERATIONS.flatMap((operation) => {
    const name = operation.names?.a2a;
    return name === undefined ? [] : [[name, skillOf(name, operation)] as const];
  }),
);

/** Skills by every name that a message may use. */
const BY_NAME: ReadonlyMap<string, Skill> = new Map(
  [...SKILLS.values()].flatMap((skill) =>
    [skill.name, skill.operation.names?.mcp].filter((name) => name !== undefined).map((name) => [name, skill] as const),
  ),
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

/** The skill that a message asks for, or why it asks for none, with the likeliest ones for what its text says. */
export type Routing =
  | { skill: Skill; inputs: Record<string, unknown> }
  | { skill: null; why: string; likeliest?: string[] };

const QUOTED_MAX_CHARACTERS = 64;

/**
 * A message calls a skill if one data part has a `skill` key with its name; the part's other keys are the inputs. If no
 * data part has the key, a text part may hold the same object as JSON, or the bare name of a skill that needs no input.
 * Any other text is conversation, which no model here reads: it is answered with the skills whose words it shares.
 */
export function routingOf({ parts }: Message): Routing {
  const data = parts.flatMap((part) => (part.kind === 'data' && Object.hasOwn(part.data, 'skill') ? [part.data] : []));
  const named = data.length > 0 ? data : parts.flatMap((part) => (part.kind === 'text' ? spoken(part.text) : []));
  const [only, another] = named;
  if (only === undefined) {
    const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join(' ');
    const likeliest = likeliestFor(text);
    const advice = asksForAdvice(text) ? ` ${NO_CLINICAL_ADVICE}` : '';
    return {
      skill: null,
      why: `No part of the message names a skill.${advice}`,
      ...(likeliest.length > 0 ? { likeliest } : {}),
    };
  }
  if (another !== undefined)
    return { skill: null, why: 'The message names more than one skill; send one skill in each message.' };
  const { skill: name, ...inputs } = only;
  if (typeof name !== 'string') return { skill: null, why: 'The name of a skill must be text.' };
  const skill = BY_NAME.get(name);
  if (skill !== undefined) return { skill, inputs: unwrapped(skill, inputs) };
  const near = nearestNames(name, [...SKILLS.keys()])
    .slice(0, LIKELIEST_ITEMS)
    .join(', ');
  return { skill: null, why: `No skill is called ${quoted(name)}. The nearest names are ${near}.` };
}

/** Names that other clients give to the object of inputs; the next calls of an answer print `data`. */
const WRAPPERS = ['data', 'arguments', 'input'];

/**
 * The inputs, also where they stand together in an object, as the next calls of an answer print them: what such a call has
 * beside them and the skill does not take, as why, is no input.
 */
function unwrapped({ operation }: Skill, inputs: Record<string, unknown>): Record<string, unknown> {
  const taken = new Set(knownArguments(operation).flatMap(({ name, aliases }) => [name, ...aliases]));
  const wrapper = WRAPPERS.find((name) => isObject(inputs[name]) && !taken.has(name));
  if (wrapper === undefined) return inputs;
  const beside = Object.entries(inputs).filter(([name]) => taken.has(name));
  return { ...Object.fromEntries(beside), ...(inputs[wrapper] as object) };
}

const LIKELIEST_ITEMS = 3;
/** Words beyond these say no more about what is wanted, and searching them costs. */
const SEARCHED_MAX_CHARACTERS = 500;
const SKILL_OPERATIONS = [...SKILLS.values()].map(({ operation }) => operation);
const NAME_BY_ID = new Map([...SKILLS.values()].map(({ name, operation }) => [operation.id, name]));

/** Names of the skills that fit a text best, one that it names first; none where it shares no word with any. */
function likeliestFor(text: string): string[] {
  const searched = text.slice(0, SEARCHED_MAX_CHARACTERS);
  const named = (searched.match(/\w+/g) ?? []).flatMap((word) => BY_NAME.get(word.toLowerCase())?.name ?? []);
  const found = searchTools(searched, SKILL_OPERATIONS, 'whole').map((id) => NAME_BY_ID.get(id)!);
  // A name of one word, such as board, is a word of any sentence.
  return [...new Set([...named.filter((name) => name.includes('_')), ...found])].slice(0, LIKELIEST_ITEMS);
}

/** The object that a text holds as JSON, or the skill that it names; empty for any other text. */
function spoken(text: string): Record<string, unknown>[] {
  const trimmed = text.trim();
  if (BY_NAME.get(trimmed)?.needsInput === false) return [{ skill: trimmed }];
  if (!trimmed.startsWith('{')) return [];
  try {
    const value = enteredJson(trimmed).value as Record<string, unknown>;
    return Object.hasOwn(value, 'skill') ? [value] : [];
  } catch (error) {
    if (error instanceof JsonFault && error.kind === 'too-deep')
      throw new RpcFault('InvalidParams', `the JSON of a text part ${error.message}`);
    return [];
  }
}

function quoted(name: string): string {
  return unseenEscaped(JSON.stringify(name.toWellFormed().slice(0, QUOTED_MAX_CHARACTERS)));
}
