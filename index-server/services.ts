import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ConfigError } from '../server-kit/config/config.ts';
import { type Literature, type LiteratureSettings, openLiterature } from '../server-kit/literature/client.ts';
import type { Pace } from '../server-kit/literature/source-client.ts';
import { loadRegistrySources, type RegistrySources } from '../snapshot/format/registry-sources.ts';
import { KeyFileFault, readTrustedKeys } from '../snapshot/format/versions/key-files.ts';
import { RunLog } from '../snapshot/format/versions/run-log.ts';
import { VersionList } from '../snapshot/format/versions/version-list.ts';
import { type ExplorationWords, loadExplorationWords } from './exploration/words.ts';
import { ExportThread } from './exports/export-thread.ts';
import { HistoryStore } from './history/history-store.ts';
import { Modalities } from './modality/modalities.ts';
import { idSumsOf } from './receipts/id-sums.ts';
import { type ReviewedFile, reviewedFiles } from './reviewed-data.ts';
import { terminologyOf } from './search/concepts/image-terminology.ts';
import { rowConditionsOf } from './search/groupings/conditions.ts';
import { type CuratedSignals, loadCuratedSignals } from './signals/curated.ts';
import { PublicationTrust, SnapshotDistrust } from './snapshot/publication-trust.ts';
import { SnapshotDamage } from './snapshot/snapshot-check.ts';
import { SnapshotHolder } from './snapshot/snapshot-holder.ts';
import type { SnapshotImage } from './snapshot/snapshot-image.ts';
import { Comparisons } from './store/comparisons.ts';
import { type KeyedReads, KeyedStore } from './store/keyed-store.ts';
import { ProofStore } from './store/proof-store.ts';
import { openTwin, type Twin } from './twin/twin.ts';

/** What the handlers of the index may use. */
export interface IndexServices {
  snapshotsDir: string;
  holder: SnapshotHolder;
  /** All versions on disk, including those that are not served. */
  versionList: VersionList;
  comparisons: Comparisons;
  /** What changed in the served version and in those that it comes from. */
  history: HistoryStore;
  /** Makes files of whole results. */
  exports: ExportThread;
  /** The record of the runs of the pipeline. */
  runLog: RunLog;
  sources: RegistrySources;
  store: KeyedReads;
  proofs: ProofStore;
  /** Null in a deployment that reads no literature. */
  literature: Literature | null;
  curated: CuratedSignals;
  log: Logger;
  modalities: Modalities;
  /** The research models. */
  twin: Twin;
  /** Reviewed files of data/, for their age. */
  reviewed: readonly ReviewedFile[];
  explorationWords: ExplorationWords;
}

/**
 * Opens everything the index reads. It answers 503 until the first snapshot can be opened, and follows CURRENT from then
 * on. Without `literature` it reads no source of literature.
 */
export async function openIndexServices(
  snapshotsDir: string,
  log: Logger,
  literature: (LiteratureSettings & { pace?: Pace | undefined }) | null = null,
  trustedKeysFile: string | null = null,
): Promise<IndexServices & AsyncDisposable> {
  if (trustedKeysFile !== null) await usableKeys(trustedKeysFile);
  const modalities = new Modalities();
  const store = new KeyedStore();
  const versionList = new VersionList(snapshotsDir);
  const history = new HistoryStore(versionList, log, new PublicationTrust(snapshotsDir, trustedKeysFile));
  const holder = new SnapshotHolder({
    snapshotsDir,
    trustedKeysFile,
    onFault: ({ version, error }) => logRefusal(log, version, error),
    prepare: (image, isWanted) => prepareCounts(image, isWanted, log),
    onChange: (version) => {
      log.info({ version }, 'serving snapshot');
      void inBackground(holder, (image) => prepareCounts(image, () => holder.version === version, log));
      const later = setTimeout(async () => {
        await history.of(version).catch(() => {});
        await inBackground(holder, (image) => modalities.prepare(image)).catch((err) =>
          log.error({ version, err }, 'the modalities of the snapshot cannot be inferred'),
        );
      }, AFTER_START_MS);
      later.unref();
    },
  });
  await holder.start();
  const curated = loadCuratedSignals();
  const twin = openTwin(log, curated.research);
  const comparisons = new Comparisons({ log });
  const proofs = new ProofStore();
  const exports = new ExportThread();
  return {
    snapshotsDir,
    holder,
    versionList,
    history,
    comparisons,
    exports,
    runLog: new RunLog(snapshotsDir),
    store,
    proofs,
    literature:
      literature &&
      openLiterature({
        ...literature,
        now: () => new Date(),
        askedBy: 'index',
        onFault: ({ source, reason, message }) => log.warn({ source, reason }, message),
      }),
    sources: loadRegistrySources(),
    curated,
    log,
    modalities,
    twin,
    reviewed: reviewedFiles(),
    explorationWords: loadExplorationWords(),
    async [Symbol.asyncDispose]() {
      await modalities[Symbol.asyncDispose]();
      await twin.runs[Symbol.asyncDispose]();
      await comparisons[Symbol.asyncDispose]();
      await exports[Symbol.asyncDispose]();
      await history[Symbol.asyncDispose]();
      await holder.close();
      await proofs[Symbol.asyncDispose]();
    },
  };
}

const REFUSED =
  'the snapshot is refused; the last sound one before it is served, if there is one; `npm run pipeline -- verify` names every damaged file';
const ANEW = 'restore the file, or publish again';

function logRefusal(log: Logger, version: string | null, error: Error): void {
  const cause = error instanceof SnapshotDamage ? error.damage : { err: error };
  log.error({ event: 'snapshot-refused', version, ...cause }, `${REFUSED}; ${adviceFor(error)}`);
}

function adviceFor(error: Error): string {
  if (error instanceof SnapshotDistrust)
    return 'publish with a key whose public key is in TRUSTED_KEYS_FILE, or bring snapshots/log as it was signed (docs/log.md)';
  return ANEW;
}

/** Throws ConfigError, so that a start fails with a file of keys that cannot be used. */
async function usableKeys(path: string): Promise<void> {
  await readTrustedKeys(path).catch((error: unknown) => {
    throw error instanceof KeyFileFault ? new ConfigError([`TRUSTED_KEYS_FILE: ${error.message}`]) : error;
  });
}

/** Pause after each slice of a background preparation. */
const PAUSE_MS = 16;

/** Files of changes are checked, and labels inferred, once the start is over, so that they take no processor from it. */
const AFTER_START_MS = 1000;

/** Holds the served snapshot while work on its image goes on. */
async function inBackground(holder: SnapshotHolder, work: (image: SnapshotImage) => Promise<unknown>): Promise<void> {
  using lease = holder.acquire();
  if (lease !== null) await work(lease.image);
}

/** Reads the terminology and counts all trials in the background, so that the first request of a snapshot does not wait. Never rejects. */
async function prepareCounts(image: SnapshotImage, isWanted: () => boolean, log: Logger): Promise<void> {
  const beside = { pause: () => delay(PAUSE_MS), isWanted };
  try {
    terminologyOf(image);
    await idSumsOf(image).prepare(beside);
    await rowConditionsOf(image).prepare(beside);
  } catch (err) {
    log.error({ version: image.version, err }, 'the trials of the snapshot cannot be counted');
  }
}
