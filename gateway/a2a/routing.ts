import { isTooDeep } from './rpc.ts';
import { SKILLS, type Skill } from './skills.ts';
import type { Message } from './types.ts';

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
  if (another !== undefined) return { skill: null, why: 'The message names more than one skill; send one a message.' };
  const { skill: name, ...inputs } = only;
  if (typeof name !== 'string') return { skill: null, why: 'The name of a skill is a text.' };
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
