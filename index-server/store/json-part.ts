/** Why a pointer names nothing: the longest part of it that does name something, and what can follow there. */
export interface NoPart {
  /** Pointer of the value that was reached. */
  reached: string;
  /** Names of the members of an object, the first of them where there are many; the number of items of an array; null for any other value. */
  holds: { names: string[]; of: number } | { items: number } | null;
}

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\,[]{}');
const BLANKS: ReadonlySet<number | undefined> = new Set(Buffer.from(' \n\r\t'));
/** Members that a refusal names. */
const NAMES_SHOWN = 30;

/**
 * The part of a JSON text that a JSON Pointer (RFC 6901) names, as the bytes that stand there: numbers, escapes and blanks are as the
 * registry wrote them. The text must be valid JSON. One pass, without making objects of what is passed over.
 */
export function partAt(json: Uint8Array, pointer: string): Uint8Array | NoPart {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.length);
  let at = skipBlanks(bytes, 0);
  let reached = '';
  for (const step of pointer.split('/').slice(1)) {
    const next = childOf(bytes, at, step.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (typeof next !== 'number') return { reached, holds: next };
    reached += `/${step}`;
    at = next;
  }
  return bytes.subarray(at, endOfValue(bytes, at));
}

/** Where the member or item of a value begins, or what the value holds instead. */
function childOf(bytes: Buffer, at: number, name: string): number | NoPart['holds'] {
  const isObject = bytes[at] === OPEN_OBJECT;
  if (!isObject && bytes[at] !== OPEN_LIST) return null;
  const names: string[] = [];
  let of = 0;
  let found: number | null = null;
  let next = skipBlanks(bytes, at + 1);
  for (; bytes[next] !== CLOSE_OBJECT && bytes[next] !== CLOSE_LIST; of += 1) {
    let own = String(of);
    let value = next;
    if (isObject) {
      const end = endOfText(bytes, next);
      own = JSON.parse(bytes.toString('utf8', next, end)) as string;
      value = skipBlanks(bytes, skipBlanks(bytes, end) + 1);
    }
    // Of a name that stands twice the last value counts, as where the record was read.
    if (own === name) found = value;
    if (names.length < NAMES_SHOWN) names.push(own);
    next = skipBlanks(bytes, endOfValue(bytes, value));
    if (bytes[next] === COMMA) next = skipBlanks(bytes, next + 1);
  }
  return found ?? (isObject ? { names, of } : { items: of });
}

function skipBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (BLANKS.has(bytes[at])) at += 1;
  return at;
}

/** The end (exclusive) of the JSON value that begins here. */
export function endOfValue(bytes: Buffer, from: number): number {
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
    } else if (depth === 0 && (byte === COMMA || BLANKS.has(byte))) return at;
  }
  return bytes.length;
}

function endOfText(bytes: Buffer, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}
