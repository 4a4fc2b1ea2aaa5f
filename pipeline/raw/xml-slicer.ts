import { FileFault } from './files.ts';
import { excerptOf, type Part, type Slice, Slicer, skipSpace } from './slice.ts';

/** The elements that are one record each, and the element that holds many of them. */
const RECORD_ELEMENTS = ['fullTrial', 'trial'];
const LIST_ELEMENT = 'allTrials';

/** The end of markup that is no tag, by its beginning. */
const PASSAGE_ENDS: Readonly<Record<string, string>> = { '<!--': '-->', '<![CDATA[': ']]>', '<?': '?>' };
const PASSAGE = /<(?:!--|!\[CDATA\[|\?)/y;
/** What may end a record, and what may hide an end. */
const MARK = /<(?:!--|!\[CDATA\[|\?|\/?(?:fullTrial|trial)(?=[\s/<>]))/g;
/**
 * A tag up to its `>`. A `>` in a quoted attribute value does not end it. A `<` ends it even there, because XML forbids it:
 * so a lost quotation mark cannot swallow the records behind it.
 */
const TAG = /<(\/?)([^\s/<>]*)(?:[^<>"']+|"[^"<]*"?|'[^'<]*'?)*>?/y;
/** The longest beginning of a passage. */
const PASSAGE_BYTES = 9;

interface Tag {
  text: string;
  name: string;
  closing: boolean;
  /** Index after it. */
  end: number;
}

/**
 * Cuts the `fullTrial` or `trial` elements out of an ISRCTN document, inside `allTrials` or alone. Inside a record only its
 * own closing tag counts, so that broken markup in one record does not lose the whole file.
 */
export class XmlSlicer extends Slicer {
  #inList = false;
  #sawRoot = false;
  #total: number | null = null;
  /** The bytes that were read last, and the same as text with a character for each byte. */
  #buf: Buffer = Buffer.alloc(0);
  #text = '';

  override statedTotal(): number | null {
    return this.#total;
  }

  protected override next(buf: Buffer, at: number): Part | null {
    if (buf !== this.#buf) this.#text = buf.toString('latin1');
    this.#buf = buf;
    const text = this.#text;
    const i = skipSpace(buf, at);
    if (i === buf.length) return { end: i, slice: null };
    if (text[i] !== '<') throw new FileFault('malformed', `text outside a record at byte ${this.offset + i}`);
    const passage = matchAt(PASSAGE, text, i);
    if (passage !== null) {
      const end = passageEnd(text, i, passage[0]);
      return end === -1 ? null : { end, slice: null };
    }
    if (text.startsWith('<!', i)) {
      if (text.length - i < PASSAGE_BYTES) return null;
      throw new FileFault('malformed', 'it has a document type declaration, which this registry never sends');
    }
    const tag = tagAt(text, i);
    if (tag === null) return null;
    if (tag.name === LIST_ELEMENT && tag.closing === this.#inList) return this.#list(tag);
    if (tag.closing || !RECORD_ELEMENTS.includes(tag.name)) {
      const name = `<${tag.closing ? '/' : ''}${tag.name.slice(0, 60)}>`;
      throw new FileFault('malformed', `unexpected ${name} outside a record at byte ${this.offset + i}`);
    }
    const part = recordAt(buf, text, i, tag);
    if (part !== null) this.#sawRoot = true;
    return part;
  }

  protected override finish(rest: Buffer): Slice[] {
    if (this.#inList || rest.length > 0) {
      const bytes = this.offset + rest.length;
      throw new FileFault('truncated', `it ends after ${bytes} bytes, before its XML is closed`);
    }
    if (!this.#sawRoot) throw new FileFault('malformed', 'it has no allTrials, fullTrial or trial element');
    return [];
  }

  #list({ text, closing, end }: Tag): Part {
    this.#sawRoot = true;
    this.#inList = !closing && !text.endsWith('/>');
    const total = /\stotalCount\s*=\s*["'](\d{1,15})["']/.exec(text)?.[1];
    if (total !== undefined) this.#total = Number(total);
    return { end, slice: null };
  }
}

/** The record that begins with the tag `open` at `at`; null when its end is not in the text. */
function recordAt(buf: Buffer, text: string, at: number, open: Tag): Part | null {
  const partTo = (end: number): Part => ({ end, slice: { ok: true, bytes: buf.subarray(at, end) } });
  if (open.text.endsWith('/>')) return partTo(open.end);
  MARK.lastIndex = open.end;
  for (let mark = MARK.exec(text); mark !== null; mark = MARK.exec(text)) {
    const { index, 0: begin } = mark;
    if (begin in PASSAGE_ENDS) {
      const end = passageEnd(text, index, begin);
      if (end === -1) return null;
      MARK.lastIndex = end;
    } else if (begin === `</${open.name}`) {
      const tag = tagAt(text, index);
      return tag === null ? null : partTo(tag.end);
    } else if (begin === `<${open.name}`) {
      // The registry never nests a record in a record of its kind, so this one was not closed.
      const detail = `<${open.name}> is not closed before the next one begins`;
      const excerpt = excerptOf(buf.subarray(at, index));
      return { end: index, slice: { ok: false, reason: 'not-xml', detail, excerpt } };
    }
  }
  return null;
}

/** Index after the comment, CDATA section or instruction that begins at `at`; -1 when the text ends before. */
function passageEnd(text: string, at: number, begin: string): number {
  const end = PASSAGE_ENDS[begin]!;
  const from = text.indexOf(end, at + begin.length);
  return from === -1 ? -1 : from + end.length;
}

/** The tag at `at`; null when its end is not in the text. */
function tagAt(text: string, at: number): Tag | null {
  const match = matchAt(TAG, text, at)!;
  const end = at + match[0].length;
  if (end === text.length && !match[0].endsWith('>')) return null;
  return { text: match[0], name: match[2]!, closing: match[1] === '/', end };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
