import { doorCall, type WordedDoor } from './door-call.ts';
import { doorText } from './door-text.ts';
import { ANY_JSON, OWN_BESIDE_CALLS, OWN_IN_ERRORS, OWN_LISTS, OWN_PARTS, OWN_TEXTS } from './own-texts.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * An envelope, an error, or a part of one, in the words of the door at which it is read: each call that the service prints
 * becomes a tool with arguments or a skill with data, alone and inside its texts. What agents and registries wrote stays as
 * it is (own-texts.ts). The service writes in the words of REST, so that nothing changes for it.
 */
export function inWordsOf<Value>(door: WordedDoor | 'rest', value: Value): Value {
  return (door === 'rest' ? value : worded(door, value)) as Value;
}

function worded(door: WordedDoor, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => worded(door, item));
  return isObject(value) ? fieldsWorded(door, value) : value;
}

function fieldsWorded(door: WordedDoor, fields: Fields): Fields {
  const { call, body } = fields;
  const made = typeof call === 'string' ? doorCall(door, call, isObject(body) ? body : {}) : undefined;
  const besideCalls = typeof call === 'string' || Array.isArray(fields.calls);
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, part]) => {
      if (made !== undefined && name === 'call') return Object.entries(made);
      // Its fields are among the arguments.
      if (made !== undefined && name === 'body') return [];
      return [[name, fieldWorded(door, name, part, besideCalls)]];
    }),
  );
}

function fieldWorded(door: WordedDoor, name: string, part: unknown, besideCalls: boolean): unknown {
  if (ANY_JSON.has(name)) return part;
  if (name === 'error' && isObject(part)) return errorWorded(door, part);
  const isOwn = OWN_TEXTS.has(name) || OWN_LISTS.has(name) || (besideCalls && OWN_BESIDE_CALLS.has(name));
  if (isOwn && isTexts(part)) return textsWorded(door, part);
  return OWN_PARTS.has(name) ? allWorded(door, part) : worded(door, part);
}

function errorWorded(door: WordedDoor, error: Fields): unknown {
  const { issues } = error;
  return mapped(error, (name, part) => {
    if (typeof part === 'string') return OWN_IN_ERRORS.has(name) ? doorText(door, part) : part;
    return part === issues && Array.isArray(part) ? part.map((issue) => errorWorded(door, issue as Fields)) : part;
  });
}

/** Every text in it. */
function allWorded(door: WordedDoor, value: unknown): unknown {
  if (typeof value === 'string') return doorText(door, value);
  if (Array.isArray(value)) return value.map((item) => allWorded(door, item));
  return isObject(value) ? mapped(value, (_, part) => allWorded(door, part)) : value;
}

function textsWorded(door: WordedDoor, texts: string | readonly string[]): string | string[] {
  return typeof texts === 'string' ? doorText(door, texts) : texts.map((text) => doorText(door, text));
}

function mapped(fields: Fields, change: (name: string, part: unknown) => unknown): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, part]) => [name, change(name, part)]));
}

function isTexts(value: unknown): value is string | readonly string[] {
  return typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
}

function isObject(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
