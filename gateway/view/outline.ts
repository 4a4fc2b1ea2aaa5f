import { isObject, isStated, type JsonObject } from './json.ts';
import { asField } from './one-line.ts';

/** Any JSON as lines that are read rather than parsed: no quotes, no braces, nothing of what is null. */

/** Members that are used as JSON. */
const AS_JSON = /(^body|^arguments|Schema|^schema)$/;
/** Members that hold JSON of an agent, whose names would read as words of the service. */
const OF_AGENTS = /^(output|value)$/;
/** Marks that end a part of a list or of a group in parentheses. */
const ENDS_A_PART = /\||, |; |\)/;

const isJson = (name: string, value: unknown): boolean =>
  AS_JSON.test(name) || (OF_AGENTS.test(name) && value !== null && typeof value === 'object');

export function outline(value: unknown): string[] {
  if (Array.isArray(value)) return value.map((item) => `- ${inline(item)}`);
  if (!isObject(value)) return [inline(value)];
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .flatMap(([name, member]) => memberLines(name, member));
}

function memberLines(name: string, value: unknown): string[] {
  if (isJson(name, value)) return [`${name}: ${JSON.stringify(value)}`];
  if (Array.isArray(value)) {
    if (value.length === 0) return [`${name}: none`];
    if (value.some((item) => isObject(item) || Array.isArray(item))) {
      return [`${name} (${value.length}):`, ...value.map((item) => `- ${inline(item)}`)];
    }
    return [`${name}: ${inline(value)}`];
  }
  return [`${name}: ${inline(value)}`];
}

/** On one line; an object's members are separated by bars at its top and by commas within. */
function inline(value: unknown, separator = ' | '): string {
  if (value === null) return 'unknown';
  if (Array.isArray(value)) {
    return value.some(isObject)
      ? value.map((item) => `(${inline(item, ', ')})`).join(' ')
      : value.map((item) => inline(item, ', ')).join('; ');
  }
  if (!isObject(value)) return separator === ' | ' ? asField(String(value)) : asField(String(value), ENDS_A_PART);
  return members(value)
    .map(([name, member]) => {
      if (isJson(name, member)) return `${name} ${JSON.stringify(member)}`;
      if (isObject(member)) return `${name} (${inline(member, ', ')})`;
      // A name that is a number, as a phase or a year, would run into its value.
      return `${name}${/^\d/.test(name) ? ': ' : ' '}${inline(member, separator)}`;
    })
    .join(separator);
}

function members(value: JsonObject): [string, unknown][] {
  const unknown = value.state === 'unanswered';
  return Object.entries(value).filter(([, member]) => isStated(member) || (unknown && member === null));
}
