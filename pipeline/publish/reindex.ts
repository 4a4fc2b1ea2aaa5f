import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readCurrent, readManifest, snapshotPath } from '../../snapshot/format/versions/current.ts';
import { changeFiles, SNAPSHOT_TABLES } from '../../snapshot/format/versions/manifest.ts';
import { readHold } from '../../snapshot/format/versions/state.ts';
import type { SignerKey } from '../../snapshot/proof/note.ts';
import { parquetSource } from '../../snapshot/sql/tables.ts';
import type { Effects } from '../effects.ts';
import { withScratchDatabase } from '../store/scratch-database.ts';
import {
  addServingImage,
  type BuildServingImage,
  commitSnapshot,
  inTemporaryDirectory,
  setCurrent,
  updateState,
} from './commit.ts';
import { linkOrCopy, sumFile } from './durable.ts';
import { boundAnew } from './identity/bound.ts';
import { soundLog } from './identity/log.ts';
import { writePayloadFiles } from './payload-files.ts';
import { type Published, publishedAs } from './publish.ts';

/**
 * Rebuilds the serving image of a snapshot, and the index of its payloads, from its Parquet tables alone. Snapshots never change, so this makes a new
 * snapshot with the same tables, content hash, parent and changes under another name. CURRENT is moved to it if it named
 * the old one. The caller holds the pipeline lock. Throws when a table file is not as the manifest describes it.
 */
export async function reindex(
  snapshotsDir: string,
  version: string,
  buildServingImage: BuildServingImage,
  effects: Effects,
  { codeCommit = null, signers = [] }: { codeCommit?: string | null; signers?: readonly SignerKey[] } = {},
): Promise<Published> {
  await soundLog(snapshotsDir);
  const source = snapshotPath(snapshotsDir, version);
  const manifestOfSource = await readManifest(source);
  const {
    version: _old,
    createdAt: _then,
    identity: _of,
    descriptions: _made,
    payloadIndex: _index,
    superseded: _places,
    ...kept
  } = manifestOfSource;
  const tables = SNAPSHOT_TABLES.flatMap((table) => kept.tables[table].files);
  const makeCurrent = (await readCurrent(snapshotsDir)) === version;
  const manifest = await inTemporaryDirectory(snapshotsDir, async (dir) => {
    for (const file of [...tables, ...changeFiles(kept), ...kept.proofs]) {
      const found = await sumFile(source, file.path);
      if (found.sha256 !== file.sha256) {
        throw new Error(`${join(source, file.path)} is damaged: run \`pipeline verify ${version}\``);
      }
      await mkdir(dirname(join(dir, file.path)), { recursive: true });
      await linkOrCopy(join(source, file.path), join(dir, file.path));
      effects.checkpoint(`written:${file.path}`);
    }
    const registrations = parquetSource(dir, 'registrations');
    const payloadFiles = await withScratchDatabase((db) =>
      writePayloadFiles(db, { dir, registrations }, kept.tables.raw, effects),
    );
    const serving = await addServingImage(dir, buildServingImage, effects);
    const hold = makeCurrent ? await readHold(snapshotsDir, version) : null;
    const made = await commitSnapshot(
      { snapshotsDir, dir, signers },
      {
        ...kept,
        bound: await boundAnew(kept.bound, serving, codeCommit),
        ...payloadFiles,
        serving,
      },
      makeCurrent && hold === null,
      effects,
    );
    if (hold !== null) {
      // The hold goes before CURRENT, so that a kill between leaves no version served without it.
      await updateState(snapshotsDir, { hold: { ...hold, version: made.version } }, effects);
      await setCurrent(snapshotsDir, made.version, effects);
    }
    return made;
  });
  return publishedAs(snapshotsDir, manifest, { checks: [], replaced: null });
}
