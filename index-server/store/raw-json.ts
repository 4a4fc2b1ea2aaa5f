import type { RawPayload } from './records.ts';

/** Payloads as the JSON text of an array, in UTF-8. */
export function rawJson(payloads: readonly RawPayload[]): Buffer {
  const pieces: Buffer[] = [];
  for (const { payload, ...head } of payloads) {
    const before = `${pieces.length === 0 ? '[' : '},'}${JSON.stringify(head).slice(0, -1)},"payload":`;
    pieces.push(Buffer.from(before), jsonString(payload));
  }
  return Buffer.concat([...pieces, Buffer.from(payloads.length === 0 ? '[]' : '}]')]);
}

/**
 * A text in UTF-8 as a JSON string in UTF-8. JSON escapes only ASCII, so each byte may stand for a character meanwhile: the engine
 * takes a third less time for such strings.
 */
function jsonString(utf8: Buffer): Buffer {
  return Buffer.from(JSON.stringify(utf8.toString('latin1')), 'latin1');
}
