/**
 * The part of a JSON text that a JSON Pointer (RFC 6901) names, as the bytes that stand there: numbers, escapes and blanks are as the
 * registry wrote them. The text must be valid JSON. One pass, without making objects of what is passed over.
 */

/** Why a pointer names nothing: the longest part of it that does name something, and what can follow there. */
export interface NoPart {
  /** Pointer of the value that was reached. */
  reached: string;
  /** Names of the members of an object, the first of them where there are many; the number of items of an array; null for any other value. */
  holds: { names: string[]; of: number } | { items: number } | null;
}

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\,[]{}');
/** Members that a refusal names. */
const NAMES_SHOWN = 30;
const INDEX = /^(?:0|[1-9]\d{0,9})$/;

export function partAt(json: Uint8Array, pointer: string): Uint8Array | NoPart {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.length);
  const steps = pointer === '' ? [] : pointer.slice(1).split('/');
  let at = skipBlanks(bytes, 0);
  for (const [place, step] of steps.entries()) {
    const next = childOf(bytes, at, step.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (typeof next !== 'number')
      return {
        reached: pointer
          .split('/')
          .slice(0, place + 1)
          .join('/'),
        holds: next,
      };
    at = next;
  }
  return bytes.subarray(at, endOf(bytes, at));
}

/** Where the child of a value begins, or what the value holds instead. */
function childOf(bytes: Buffer, at: number, name: string): number | NoPart['holds'] {
  if (bytes[at] === OPEN_OBJECT) return memberOf(bytes, at, name);
  if (bytes[at] === OPEN_LIST) return itemOf(bytes, at, name);
  return null;
}

function memberOf(bytes: Buffer, object: number, name: string): number | NoPart['holds'] {
  const names: string[] = [];
  let of = 0;
  let found: number | null = null;
  let at = skipBlanks(bytes, object + 1);
  while (bytes[at] !== CLOSE_OBJECT) {
    const end = endOf(bytes, at);
    const own = JSON.parse(bytes.toString('utf8', at, end)) as string;
    const value = skipBlanks(bytes, skipBlanks(bytes, end) + 1);
    // Of a name that stands twice the last value counts, as where the record was read.
    if (own === name) found = value;
    of += 1;
    if (names.length < NAMES_SHOWN) names.push(own);
    at = nextItem(bytes, value);
  }
  return found ?? { names, of };
}

function itemOf(bytes: Buffer, list: number, name: string): number | NoPart['holds'] {
  const wanted = INDEX.test(name) ? Number(name) : -1;
  let items = 0;
  let at = skipBlanks(bytes, list + 1);
  while (bytes[at] !== CLOSE_LIST) {
    if (items === wanted) return at;
    items += 1;
    at = nextItem(bytes, at);
  }
  return { items };
}

/** Where the item after a value begins, or the end of what holds both. */
function nextItem(bytes: Buffer, value: number): number {
  const after = skipBlanks(bytes, endOf(bytes, value));
  return bytes[after] === COMMA ? skipBlanks(bytes, after + 1) : after;
}

function skipBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (isBlank(bytes[at])) at += 1;
  return at;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The end of the value that begins here. */
function endOf(bytes: Buffer, from: number): number {
  if (bytes[from] === QUOTE) return endOfText(bytes, from);
  let depth = 0;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at) - 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      // A number, true, false or null ends where what holds it does.
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (byte === COMMA || isBlank(byte))) return at;
  }
  return bytes.length;
}

function endOfText(bytes: Buffer, from: number): number {
  let at = from + 1;
  while (bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}
