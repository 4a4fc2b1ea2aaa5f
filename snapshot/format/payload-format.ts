import type { RegistryId } from '../../contract/ids.ts';
import type { PAYLOAD_FORMATS } from '../../contract/vocabularies.ts';

const CSV_HEAD = /^"?ISRCTN"?,/;
const HEAD_BYTES = 16;

/** What form a registry's record has. ISRCTN's own export is a table whose first column is named ISRCTN. */
export function payloadFormat(registry: RegistryId, payload: Uint8Array): (typeof PAYLOAD_FORMATS)[number] {
  if (registry !== 'isrctn') return 'json';
  const { buffer, byteOffset, length } = payload;
  const head = Buffer.from(buffer, byteOffset, Math.min(length, HEAD_BYTES)).toString('latin1');
  return CSV_HEAD.test(head) ? 'csv' : 'xml';
}
