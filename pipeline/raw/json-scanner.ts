/** Bytes of JSON's grammar. */
export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

/** Bytes of a string that are checked one by one before a native search, whose call costs about as much. */
const SHORT_STRING = 24;

/** White space of JSON and of XML. */
export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/**
 * Finds the end of one JSON value, resumable at any byte. It only counts brackets outside strings. Whether the value is
 * valid JSON is decided by its reader, so that a broken record does not lose the whole file.
 */
export class ValueScanner {
  #depth = 0;
  #maxDepth = 0;
  #started = false;
  #scalar = false;
  #inString = false;
  #escaped = false;

  /** Deepest nesting in the current value so far. */
  get maxDepth(): number {
    return this.#maxDepth;
  }

  /** True while the value is a number or a literal, which ends only at the byte after it. */
  get inScalar(): boolean {
    return this.#scalar;
  }

  reset(): void {
    this.#depth = 0;
    this.#maxDepth = 0;
    this.#started = false;
    this.#scalar = false;
    this.#inString = false;
    this.#escaped = false;
  }

  /** Index after the value's last byte, or -1 when it continues in the next chunk. A value must not begin with white space. */
  scan(buf: Buffer, from: number): number {
    let i = from;
    if (!this.#started) {
      if (i >= buf.length) return -1;
      this.#started = true;
      const first = buf[i]!;
      this.#scalar = first !== OPEN_BRACE && first !== OPEN_BRACKET && first !== QUOTE;
    }
    if (this.#scalar) return endOfScalar(buf, i);
    if (this.#inString) {
      i = this.#skipString(buf, i);
      if (i === -1) return -1;
      if (this.#depth === 0) return i;
    }
    return this.#scanStructure(buf, i);
  }

  #scanStructure(buf: Buffer, from: number): number {
    const end = buf.length;
    let depth = this.#depth;
    let i = from;
    while (i < end) {
      const byte = buf[i++]!;
      if (byte === QUOTE) {
        this.#inString = true;
        i = this.#skipString(buf, i);
        if (i === -1) {
          this.#depth = depth;
          return -1;
        }
        if (depth === 0) return i;
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        depth++;
        if (depth > this.#maxDepth) this.#maxDepth = depth;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        depth--;
        if (depth <= 0) {
          this.#depth = 0;
          return i;
        }
      }
    }
    this.#depth = depth;
    return -1;
  }

  /** Index after the closing quote, or -1 when the string continues in the next chunk. */
  #skipString(buf: Buffer, from: number): number {
    const end = buf.length;
    let i = from;
    if (this.#escaped && i < end) {
      this.#escaped = false;
      i++;
    }
    const near = Math.min(end, i + SHORT_STRING);
    while (i < near) {
      const byte = buf[i++]!;
      if (byte === QUOTE) {
        this.#inString = false;
        return i;
      }
      if (byte === BACKSLASH) i++;
    }
    if (i > end) {
      this.#escaped = true;
      return -1;
    }
    return this.#searchQuote(buf, i);
  }

  #searchQuote(buf: Buffer, from: number): number {
    let start = from;
    for (;;) {
      const quote = buf.indexOf(QUOTE, start);
      const stop = quote === -1 ? buf.length : quote;
      let back = stop - 1;
      while (back >= start && buf[back] === BACKSLASH) back--;
      const escaped = (stop - 1 - back) % 2 === 1;
      if (quote === -1) {
        this.#escaped = escaped;
        return -1;
      }
      if (!escaped) {
        this.#inString = false;
        return quote + 1;
      }
      start = quote + 1;
    }
  }
}

function endOfScalar(buf: Buffer, from: number): number {
  for (let i = from; i < buf.length; i++) {
    const byte = buf[i]!;
    if (byte === COMMA || byte === CLOSE_BRACKET || byte === CLOSE_BRACE || isSpace(byte)) return i;
  }
  return -1;
}
