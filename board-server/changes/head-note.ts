import type { ChangesHead } from '../../contract/schemas/board/change.ts';
import { UNSIGNED_ORIGIN } from '../../snapshot/format/versions/publication-log.ts';
import { type SignerKey, signNote } from '../../snapshot/proof/note.ts';
import { GENESIS_HASH } from '../store/event-chain.ts';
import { toIso } from '../store/instants.ts';
import type { EventRow } from '../store/tables.ts';

/**
 * The head of the chain of events as a note: the board's name, the time of its newest event, which is unique and grows, and that
 * event's hash in hex. A checkpoint of the log of publications, which the same keys sign, has another name and a root in base64.
 */
export function headNote(head: Pick<EventRow, 'ts' | 'hash'> | undefined, signers: readonly SignerKey[]): ChangesHead {
  const keys = signers.map(({ verifier }) => verifier.vkey);
  const signed = head !== undefined && signers.length > 0;
  if (head === undefined) return { ts: null, hash: GENESIS_HASH, signed, note: null, keys };
  const ts = toIso(head.ts);
  const text = `${signers[0]?.verifier.name ?? UNSIGNED_ORIGIN}/board\n${ts}\n${head.hash}\n`;
  return { ts, hash: head.hash, signed, note: signed ? signNote(text, signers) : text, keys };
}
