import { FileFault } from './files.ts';
import { excerptOf, type Part, type Slice, Slicer } from './slice.ts';

/** What may stand between records. */
const BETWEEN = /(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*/y;
/**
 * A tag up to its `>`. A `>` in a quoted attribute value does not end it. A `<` ends it even there, because XML forbids it:
 * so a lost quotation mark cannot swallow the records behind it.
 */
const TAG = /<(\/?)([^\s/<>]*)(?:[^<>"']+|"[^"<]*"?|'[^'<]*'?)*>?/y;
/** What may end a record, and what may hide an end; of the latter also one whose own end is not in the text. */
const MARK =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<\?[\s\S]*?(?:\?>|$)|<(\/?)(fullTrial|trial)(?=[\s/<>])/g;
/** The beginning of a comment or an instruction. */
const PASSAGE = /^(?:!--|\?)/;

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
  /** The bytes that were read last, and the same as text with a character for each byte. */
  #buf: Buffer = Buffer.alloc(0);
  #text = '';

  protected override next(buf: Buffer, at: number): Part | null {
    if (buf !== this.#buf) this.#text = buf.toString('latin1');
    this.#buf = buf;
    const text = this.#text;
    const i = at + matchAt(BETWEEN, text, at)[0].length;
    if (i === text.length) return { end: i, slice: null };
    if (text[i] !== '<') throw new FileFault('malformed', `text outside a record at byte ${this.offset + i}`);
    const tag = tagAt(text, i);
    if (tag === null || PASSAGE.test(tag.name)) return null;
    if (tag.name === 'allTrials' && tag.closing === this.#inList) return this.#list(tag);
    if (tag.closing || (tag.name !== 'fullTrial' && tag.name !== 'trial')) {
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
    if (total !== undefined) this.statedTotal = Number(total);
    return { end, slice: null };
  }
}

/** The record that begins with the tag `open` at `at`; null when its end is not in the text. */
function recordAt(buf: Buffer, text: string, at: number, open: Tag): Part | null {
  const partTo = (end: number): Part => ({ end, slice: { ok: true, bytes: buf.subarray(at, end) } });
  if (open.text.endsWith('/>')) return partTo(open.end);
  MARK.lastIndex = open.end;
  for (let mark = MARK.exec(text); mark !== null; mark = MARK.exec(text)) {
    if (mark[2] !== open.name) continue;
    if (mark[1] === '/') {
      const end = tagAt(text, mark.index)?.end;
      return end === undefined ? null : partTo(end);
    }
    // The registry never nests a record in a record of its kind, so this one was not closed.
    const detail = `<${open.name}> is not closed before the next one begins`;
    const excerpt = excerptOf(buf.subarray(at, mark.index));
    return { end: mark.index, slice: { ok: false, reason: 'not-xml', detail, excerpt } };
  }
  return null;
}

/** The tag at `at`; null when its end is not in the text. */
function tagAt(text: string, at: number): Tag | null {
  const match = matchAt(TAG, text, at);
  const end = at + match[0].length;
  if (end === text.length && !match[0].endsWith('>')) return null;
  return { text: match[0], name: match[2]!, closing: match[1] === '/', end };
}

/** Both patterns match at any place where they are tried. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray {
  pattern.lastIndex = at;
  return pattern.exec(text)!;
}
