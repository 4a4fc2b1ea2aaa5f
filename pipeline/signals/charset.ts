import { FeedFault } from './feed-fault.ts';

export interface DecodedText {
  text: string;
  /** Places where the bytes do not fit the charset and U+FFFD replaces them. */
  replaced: number;
}

/**
 * The text of a feed: by byte order mark, else the charset of the Content-Type header, else the XML declaration, else
 * UTF-8 (RFC 7303, section 3). Throws FeedFault `charset` for an unknown charset.
 */
export function decodeText(body: Buffer, contentType: string | null): DecodedText {
  const label = byOrderMark(body) ?? byHeader(contentType) ?? byDeclaration(body) ?? 'utf-8';
  const decoder = decoderFor(label);
  const text = decoder.decode(body);
  return { text, replaced: text.includes('\ufffd') ? text.split('\ufffd').length - 1 : 0 };
}

function decoderFor(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch (cause) {
    throw new FeedFault('charset', `the charset ${JSON.stringify(label.slice(0, 40))} is not known`, { cause });
  }
}

function byOrderMark(body: Buffer): string | null {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  return null;
}

function byHeader(contentType: string | null): string | null {
  return /;\s*charset\s*=\s*["']?([A-Za-z0-9_.:-]{1,60})/i.exec(contentType ?? '')?.[1] ?? null;
}

/** A declaration readable byte by byte cannot be in UTF-16, whatever charset it names. */
function byDeclaration(body: Buffer): string | null {
  const head = body.toString('latin1', 0, 256);
  const stated = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9_.:-]{1,60})["']/.exec(head)?.[1] ?? null;
  return stated !== null && /^(?:utf-?16|ucs-?2|iso-10646-ucs-2)/i.test(stated) ? null : stated;
}
