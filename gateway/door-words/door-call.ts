import { toolCall } from '../description/example-calls.ts';
import { type PrintedCall, printedCall } from './printed-call.ts';

/** Doors that take no method and URL. */
export type WordedDoor = 'mcp' | 'a2a';

/** A call as a door takes it: a tool with arguments, or a skill with data. */
export type DoorCall = { tool: string; arguments: object } | { skill: string; data: object };

/** Undefined where the door has no way to make the call; it then stays a REST call. */
export function doorCall(
  door: WordedDoor,
  call: string,
  body?: Readonly<Record<string, unknown>>,
): DoorCall | undefined {
  const printed = printedCall(call, body);
  return printed && translated(door, printed);
}

function translated(door: WordedDoor, { operation, given }: PrintedCall): DoorCall | undefined {
  if (door === 'mcp') return toolCall(operation, given);
  const skill = operation.names?.a2a;
  return skill === undefined ? undefined : { skill, data: given };
}

/** A call inside a text: `search_world_trials {"q":"diabetes"}`, `skill world_trial_search {"q":"diabetes"}`. */
export function callWords(door: WordedDoor, call: string): string | undefined {
  const made = doorCall(door, call);
  if (made === undefined) return undefined;
  return 'tool' in made ? spoken(made.tool, made.arguments) : spoken(`skill ${made.skill}`, made.data);
}

function spoken(name: string, given: object): string {
  // An empty object inside, as call_operation may have it, says nothing either.
  const stated = Object.entries(given).filter(
    ([, value]) => value === null || typeof value !== 'object' || Object.keys(value).length > 0,
  );
  return stated.length === 0 ? name : `${name} ${JSON.stringify(Object.fromEntries(stated))}`;
}
