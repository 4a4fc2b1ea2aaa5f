import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVING_DIR } from '../../snapshot/format/serving.ts';
import { basicForm, CURRENT_FILE, CURRENT_NONE, versionName } from '../../snapshot/format/versions/current-file.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { identityOf, OWN_FILES, ownTexts } from '../../snapshot/format/versions/own-files.ts';
import { readState, STATE_FILE, type State } from '../../snapshot/format/versions/state.ts';
import type { SignerKey } from '../../snapshot/proof/note.ts';
import type { Effects } from '../effects.ts';
import { bytesUnder, withSpaceTaken } from '../space.ts';
import { writeDescriptions } from './description/describe.ts';
import { type FileSum, replaceFile, settleFile, sync, walk } from './durable.ts';
import { completeLog } from './identity/log.ts';

/** Reads the Parquet tables of `snapshotDir` and writes the serving image into `outDir`. */
export type BuildServingImage = (
  paths: { snapshotDir: string; outDir: string },
  effects: Effects,
) => Promise<{ imageVersion: number }>;

/** A manifest before its snapshot has a name and an identity. */
export type ManifestDraft = Omit<Manifest, 'version' | 'createdAt' | 'identity' | 'descriptions'>;

/**
 * Runs `work` on an empty directory beside the snapshots and removes the directory when `work` fails. First removes the
 * directories of killed runs; the lock of the snapshots directory allows one run, so each that is there is one of those.
 */
export async function inTemporaryDirectory<T>(snapshotsDir: string, work: (dir: string) => Promise<T>): Promise<T> {
  await mkdir(snapshotsDir, { recursive: true });
  for (const name of await leftoversIn(snapshotsDir))
    await rm(join(snapshotsDir, name), { recursive: true, force: true });
  const dir = join(snapshotsDir, `.tmp-${process.pid}`);
  await mkdir(dir);
  try {
    return await work(dir);
  } catch (error) {
    throw await withSpaceTaken(error, { stage: 'publish', directory: snapshotsDir, written: () => bytesUnder(dir) });
  } finally {
    // A commit has renamed it already.
    await rm(dir, { recursive: true, force: true });
  }
}

/** What killed runs left in the snapshots directory; whoever asks holds its lock, so no run is under way. */
export async function leftoversIn(snapshotsDir: string): Promise<string[]> {
  const names = await readdir(snapshotsDir).catch(() => []);
  return names.filter((name) => name.startsWith('.tmp-') || name.startsWith('.trash-')).sort();
}

/** Builds the serving image into the new snapshot and makes its files durable. */
export async function addServingImage(
  dir: string,
  buildServingImage: BuildServingImage,
  effects: Effects,
): Promise<Manifest['serving']> {
  const outDir = join(dir, SERVING_DIR);
  await mkdir(outDir);
  const { imageVersion } = await buildServingImage({ snapshotDir: dir, outDir }, effects);
  const files: FileSum[] = [];
  for (const file of (await walk(outDir)).files) files.push(await settleFile(dir, `${SERVING_DIR}/${file}`, effects));
  return { imageVersion, files };
}

/**
 * Gives the snapshot in `dir` its name and manifest, makes it durable, moves it into place, adds it to the log of publications and,
 * if `makeCurrent`, points CURRENT to it. After a kill at any point, CURRENT names a whole snapshot that is in the log: the old one
 * or this one; and the log names no snapshot that was not there.
 */
export async function commitSnapshot(
  paths: { snapshotsDir: string; dir: string; signers?: readonly SignerKey[] },
  draft: ManifestDraft,
  makeCurrent: boolean,
  effects: Effects,
): Promise<Manifest> {
  const { snapshotsDir, dir, signers = [] } = paths;
  const createdAt = await freeSecond(snapshotsDir, effects.now());
  const named = { ...draft, createdAt, descriptions: await writeDescriptions(dir, draft, effects) };
  const texts = ownTexts(named);
  const identity = identityOf(texts);
  const version = versionName(createdAt, identity);
  for (const path of OWN_FILES) {
    await writeFile(join(dir, path), texts[path]);
    await settleFile(dir, path, effects);
  }
  for (const inner of [...(await walk(dir)).directories, '']) {
    await sync(join(dir, inner));
    effects.checkpoint(`synced:${inner}/`);
  }

  if (makeCurrent && !existsSync(join(snapshotsDir, CURRENT_FILE)))
    await setCurrent(snapshotsDir, CURRENT_NONE, effects);
  await rename(dir, join(snapshotsDir, version));
  effects.checkpoint('snapshot:renamed');
  await sync(snapshotsDir);
  effects.checkpoint('snapshot:durable');
  await completeLog(snapshotsDir, identity, signers, effects);
  if (makeCurrent) await setCurrent(snapshotsDir, version, effects);
  return { ...named, version, identity };
}

/** Points CURRENT to a version, in one step. */
export async function setCurrent(snapshotsDir: string, version: string, effects: Effects): Promise<void> {
  const temporary = join(snapshotsDir, `.tmp-${process.pid}-${CURRENT_FILE}`);
  await replaceFile(join(snapshotsDir, CURRENT_FILE), temporary, `${version}\n`, effects);
}

/** Changes what is noted about the versions, in one step. A member that is undefined is taken away. The caller holds the pipeline lock. */
export async function updateState(
  snapshotsDir: string,
  change: { [Member in keyof State]: State[Member] | undefined },
  effects: Effects,
): Promise<void> {
  const temporary = join(snapshotsDir, `.tmp-${process.pid}-${STATE_FILE}`);
  const text = `${JSON.stringify({ ...(await readState(snapshotsDir)), ...change }, null, 2)}\n`;
  await replaceFile(join(snapshotsDir, STATE_FILE), temporary, text, effects, 'state');
}

/** Ends the hold of a version, where there is one. */
export async function endHold(snapshotsDir: string, effects: Effects): Promise<void> {
  if ((await readState(snapshotsDir)).hold !== undefined) await updateState(snapshotsDir, { hold: undefined }, effects);
}

/** The first whole second from `now` on that no snapshot has, so that names sort by time. */
async function freeSecond(snapshotsDir: string, now: Date): Promise<string> {
  const taken = new Set(
    (await readdir(snapshotsDir)).map((name) => name.slice(0, basicForm(now.toISOString()).length)),
  );
  const second = new Date(now);
  second.setUTCMilliseconds(0);
  while (taken.has(basicForm(second.toISOString()))) second.setUTCSeconds(second.getUTCSeconds() + 1);
  return second.toISOString();
}
