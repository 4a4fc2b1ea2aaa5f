import { JSON_NESTING_MAX_LEVELS } from '../contract/limits/limits.ts';

/** What every refusal of JSON that is nested too deeply says. */
export const TOO_DEEP = `nested deeper than ${JSON_NESTING_MAX_LEVELS} levels; send a flatter one`;

/** Why a text that entered is not usable as JSON. */
export class JsonFault extends Error {
  readonly kind: 'not-json' | 'too-deep';

  constructor(kind: JsonFault['kind']) {
    super(kind === 'too-deep' ? `is ${TOO_DEEP}` : 'is not JSON in UTF-8');
    this.name = 'JsonFault';
    this.kind = kind;
  }
}

/**
 * Reads JSON that a caller sent, in a body, a message, an argument or a cursor. Throws a JsonFault. What it returns can be walked by
 * recursion, as by schemas and serialisers, without exhausting the stack. The parser's message is left out, since it quotes the text.
 */
export function enteredJson(sent: Uint8Array | string): { text: string; value: unknown } {
  let text: string;
  let value: unknown;
  try {
    text = typeof sent === 'string' ? sent : new TextDecoder('utf-8', { fatal: true }).decode(sent);
    value = JSON.parse(text);
  } catch {
    throw new JsonFault('not-json');
  }
  if (isTooDeep(value)) throw new JsonFault('too-deep');
  return { text, value };
}

/** Whether a value is nested too deeply. Goes level by level, so that no depth can exhaust the stack. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= JSON_NESTING_MAX_LEVELS; depth += 1) {
    level = level.flatMap((item) => (item !== null && typeof item === 'object' ? Object.values(item) : []));
    if (level.length === 0) return false;
  }
  return true;
}
