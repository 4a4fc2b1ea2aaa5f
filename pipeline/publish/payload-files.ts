import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import type { Effects } from '../effects.ts';
import type { Connection } from '../store/database.ts';
import { writePayloadIndex } from './payload-index.ts';
import { HELD_PAYLOADS, holdPayloads, writeSuperseded } from './retention/superseded.ts';

/** What follows from the payloads in part files, as the manifest describes it. */
export type PayloadFiles = Required<Pick<Manifest, 'payloadIndex' | 'superseded'>>;

/**
 * Writes it from the part files of `dir` and from SQL of the registrations, which are the same as in the snapshot.
 */
export async function writePayloadFiles(
  db: Connection,
  from: { dir: string; registrations: string },
  raw: Pick<Manifest['tables']['raw'], 'rows' | 'files'>,
  effects: Effects,
): Promise<PayloadFiles> {
  await holdPayloads(db, from.dir, raw);
  const payloadIndex = await writePayloadIndex(db, from.dir, raw, HELD_PAYLOADS, effects);
  const superseded = await writeSuperseded(db, from, raw, effects);
  await db.run(`DROP TABLE ${HELD_PAYLOADS}; DROP TABLE IF EXISTS named_payloads`);
  return { payloadIndex, superseded };
}
