import { isSpace } from './json-scanner.ts';
import { BYTE_ORDER_MARK, Collector, excerptOf, type Slice, SliceError, type Slicer } from './slice.ts';

const LESS = 0x3c;
const GREATER = 0x3e;
/** Bytes; this registry has no longer tag. */
const MAX_TAG_BYTES = 1024 * 1024;

const COMMENT_END = Buffer.from('-->');
const CDATA_END = Buffer.from(']]>');
const INSTRUCTION_END = Buffer.from('?>');

/** The elements that are one record each, and the element that holds many of them. */
const RECORD_ELEMENTS = ['fullTrial', 'trial'];
const LIST_ELEMENT = 'allTrials';

interface Tag {
  name: string;
  closing: boolean;
  empty: boolean;
  /** Index after its `>`. */
  end: number;
}

/**
 * Cuts the `fullTrial` or `trial` elements out of an ISRCTN document, inside `allTrials` or alone. Inside a record only its
 * own closing tag counts, so that broken markup in one record does not lose the whole file.
 */
export class XmlSlicer implements Slicer {
  readonly #collector = new Collector();
  /** Last bytes of the previous chunk, which need the next chunk to be read. */
  #carry: Buffer = Buffer.alloc(0);
  /** End mark of the current comment, CDATA section or instruction. */
  #skipTo: Buffer | null = null;
  #record: string | null = null;
  #inList = false;
  #sawRoot = false;
  #total: number | null = null;
  #offset = 0;
  /** Start of the current record in the current buffer; -1 between records. */
  #from = -1;
  #slices: Slice[] = [];

  statedTotal(): number | null {
    return this.#total;
  }

  push(chunk: Buffer): Slice[] {
    this.#slices = [];
    const buf = this.#carry.length > 0 ? Buffer.concat([this.#carry, chunk]) : chunk;
    this.#from = this.#record === null ? -1 : 0;
    let i = 0;
    let keep = buf.length;
    while (i < buf.length) {
      const next = this.#skipTo ? this.#skip(buf, i) : this.#advance(buf, i);
      if (next < 0) {
        keep = -next - 1;
        break;
      }
      i = next;
    }
    if (this.#from >= 0) this.#collector.add(buf.subarray(this.#from, keep));
    this.#carry = buf.subarray(keep);
    this.#offset += keep;
    return this.#slices;
  }

  end(): Slice[] {
    const at = this.#offset + this.#carry.length;
    if (this.#record !== null || this.#inList || this.#skipTo !== null || this.#carry.length > 0) {
      throw new SliceError('truncated', `it ends after ${at} bytes, before its XML is closed`);
    }
    if (!this.#sawRoot) throw new SliceError('malformed', 'it has no allTrials, fullTrial or trial element');
    return [];
  }

  /** Next index, or `-(index + 1)` of the first byte that must be kept for the next chunk. */
  #skip(buf: Buffer, i: number): number {
    const mark = this.#skipTo!;
    const at = buf.indexOf(mark, i);
    if (at === -1) return -Math.max(i, buf.length - mark.length + 1) - 1;
    this.#skipTo = null;
    return at + mark.length;
  }

  #advance(buf: Buffer, i: number): number {
    const at = buf.indexOf(LESS, i);
    const stop = at === -1 ? buf.length : at;
    if (this.#record === null) this.#refuseText(buf, i, stop);
    if (at === -1) return buf.length;
    const second = buf[at + 1];
    if (second === undefined) return -at - 1;
    if (second === 0x21) return this.#declaration(buf, at);
    if (second === 0x3f) {
      this.#skipTo = INSTRUCTION_END;
      return at + 2;
    }
    // Inside a record only the record's own tag matters; any other tag ends at the next `<`.
    if (this.#record !== null && !mayBeNamed(buf, at, this.#record)) return at + 1;
    const tag = readTag(buf, at);
    if (tag === null) {
      if (buf.length - at > MAX_TAG_BYTES)
        throw new SliceError('malformed', `a tag is longer than ${MAX_TAG_BYTES} bytes`);
      return -at - 1;
    }
    if (this.#record !== null) this.#insideRecord(buf, at, tag);
    else this.#outsideRecord(buf, at, tag);
    return tag.end;
  }

  #declaration(buf: Buffer, at: number): number {
    if (buf.length - at < 9) return -at - 1;
    const head = buf.toString('latin1', at, at + 9);
    if (head.startsWith('<!--')) {
      this.#skipTo = COMMENT_END;
      return at + 4;
    }
    if (head === '<![CDATA[') {
      this.#skipTo = CDATA_END;
      return at + 9;
    }
    throw new SliceError('malformed', 'it has a document type declaration, which this registry never sends');
  }

  #insideRecord(buf: Buffer, at: number, tag: Tag): void {
    if (tag.name !== this.#record) return;
    if (tag.closing) {
      this.#collector.add(buf.subarray(this.#from, tag.end));
      this.#slices.push(this.#collector.take());
      this.#record = null;
      this.#from = -1;
      return;
    }
    // The registry never nests a record in a record of its kind, so the previous one was not closed.
    this.#collector.add(buf.subarray(this.#from, at));
    const open = this.#collector.take();
    const detail = `<${tag.name}> is not closed before the next one begins`;
    this.#slices.push(open.ok ? { ok: false, reason: 'not-xml', detail, excerpt: excerptOf(open.bytes) } : open);
    this.#from = at;
  }

  #outsideRecord(buf: Buffer, at: number, tag: Tag): void {
    if (tag.name === LIST_ELEMENT) {
      if (tag.closing !== this.#inList) throw this.#unexpected(tag, at);
      this.#sawRoot = true;
      this.#inList = !tag.closing && !tag.empty;
      if (!tag.closing) this.#total = statedCount(buf.toString('utf8', at, tag.end)) ?? this.#total;
      return;
    }
    if (tag.closing || !RECORD_ELEMENTS.includes(tag.name)) throw this.#unexpected(tag, at);
    this.#sawRoot = true;
    if (tag.empty) {
      this.#slices.push({ ok: true, bytes: buf.subarray(at, tag.end) });
      return;
    }
    this.#record = tag.name;
    this.#from = at;
  }

  #unexpected(tag: Tag, at: number): SliceError {
    const shown = `<${tag.closing ? '/' : ''}${tag.name.slice(0, 60)}>`;
    return new SliceError('malformed', `unexpected ${shown} outside a record at byte ${this.#offset + at}`);
  }

  #refuseText(buf: Buffer, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const byte = buf[i]!;
      if (isSpace(byte) || BYTE_ORDER_MARK[this.#offset + i] === byte) continue;
      throw new SliceError('malformed', `text outside a record at byte ${this.#offset + i}`);
    }
  }
}

/** False when the tag at `at` certainly has another name; a tag that the buffer cuts off may have any name. */
function mayBeNamed(buf: Buffer, at: number, name: string): boolean {
  const from = at + (buf[at + 1] === 0x2f ? 2 : 1);
  for (let i = 0; i < name.length && from + i < buf.length; i++) {
    if (buf[from + i] !== name.charCodeAt(i)) return false;
  }
  return true;
}

/**
 * The tag at `at`, or null when its end is not in the buffer. A `>` in a quoted attribute value does not end it. A `<` ends
 * it even there, because XML forbids it: so a lost quotation mark cannot swallow the records after it.
 */
function readTag(buf: Buffer, at: number): Tag | null {
  const closing = buf[at + 1] === 0x2f;
  const nameFrom = at + (closing ? 2 : 1);
  let nameTo = -1;
  let quote = 0;
  for (let i = nameFrom; i < buf.length; i++) {
    const byte = buf[i]!;
    if (byte === LESS) {
      return { name: buf.toString('latin1', nameFrom, nameTo === -1 ? i : nameTo), closing, empty: false, end: i };
    }
    if (quote !== 0) {
      if (byte === quote) quote = 0;
    } else if (byte === GREATER) {
      const empty = buf[i - 1] === 0x2f && i - 1 >= nameFrom;
      if (nameTo === -1) nameTo = empty ? i - 1 : i;
      return { name: buf.toString('latin1', nameFrom, nameTo), closing, empty, end: i + 1 };
    } else if (nameTo === -1) {
      if (isSpace(byte) || byte === 0x2f) nameTo = i;
    } else if (byte === 0x22 || byte === 0x27) quote = byte;
  }
  return null;
}

function statedCount(tag: string): number | null {
  const match = /\stotalCount\s*=\s*["'](\d{1,15})["']/.exec(tag);
  return match ? Number(match[1]) : null;
}
