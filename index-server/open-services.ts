import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Literature, type LiteratureSettings, openLiterature } from '../literature/client.ts';
import { Comparisons } from './comparisons.ts';
import { loadExplorationWords } from './exploration/words.ts';
import { Modalities } from './modality/modalities.ts';
import { loadModalityVocabulary } from './modality/vocabulary.ts';
import { ModelRunPool } from './model-runs/pool.ts';
import { loadReferences } from './patient-model/references.ts';
import { loadReviewedFiles } from './reviewed-data.ts';
import { prepareCoverage } from './search/coverage.ts';
import { prepareLandscape } from './search/landscape.ts';
import type { IndexServices } from './services.ts';
import { loadCuratedSignals } from './signals/curated.ts';
import { loadDiseaseIds } from './signals/hope.ts';
import { SnapshotCatalogue } from './snapshot/snapshot-catalogue.ts';
import { SnapshotHolder } from './snapshot/snapshot-holder.ts';
import type { SnapshotImage } from './snapshot/snapshot-image.ts';
import { loadRegistrySources } from './sources.ts';
import { LateStore } from './store/late-store.ts';
import { ClverSource } from './twin/clver.ts';

/**
 * Opens what the index reads; it serves 503 until the first snapshot can be opened, and follows CURRENT from then on.
 * Without `literature` no source of literature is asked.
 */
export async function openIndexServices(
  snapshotsDir: string,
  log: Logger,
  literature: LiteratureSettings | null = null,
): Promise<IndexServices & AsyncDisposable> {
  const modalities = new Modalities(loadModalityVocabulary());
  const store = new LateStore();
  const holder = new SnapshotHolder({
    snapshotsDir,
    onFault: ({ version, error }) =>
      log.error({ version, err: error }, 'CURRENT cannot be served; the snapshot before it stays'),
    prepare: (image, isWanted) => prepareCounts(image, isWanted, log),
    onChange: (version) => {
      log.info({ version }, 'serving snapshot');
      prepareServed(holder, log);
      setTimeout(prepareModalities, LABELS_AFTER_MS, holder, modalities, log).unref();
      setTimeout(prepareStore, STORE_AFTER_MS, store, log).unref();
    },
  });
  await holder.start();
  const preparing = setInterval(() => prepareServed(holder, log), PREPARE_INTERVAL_MS).unref();
  const curated = loadCuratedSignals();
  const modelRuns = new ModelRunPool({ log });
  const comparisons = new Comparisons({ log });
  return {
    holder,
    catalogue: new SnapshotCatalogue(snapshotsDir),
    comparisons,
    store,
    literature: literature && literatureOf(literature, log),
    sources: loadRegistrySources(),
    curated: { ...curated, diseases: loadDiseaseIds() },
    log,
    clver: new ClverSource(store),
    modalities,
    modelRuns,
    reviewed: loadReviewedFiles(),
    explorationWords: loadExplorationWords(),
    references: loadReferences(curated.research),
    async [Symbol.asyncDispose]() {
      clearInterval(preparing);
      await modalities[Symbol.asyncDispose]();
      await modelRuns[Symbol.asyncDispose]();
      await comparisons[Symbol.asyncDispose]();
      await holder.close();
      await store[Symbol.asyncDispose]();
    },
  };
}

const MS_PER_DAY = 86_400_000;
/** How often the coming day is looked at, and how long before it begins its landscapes are prepared. */
const PREPARE_INTERVAL_MS = 60_000;
const PREPARE_AHEAD_MS = 5 * PREPARE_INTERVAL_MS;
/** After each slice of a preparation that nobody waits for. */
const PAUSE_MS = 16;

/** The thread that infers labels does not take a processor from a start, which is through by then. */
const LABELS_AFTER_MS = 1000;
/** Nor does the database that payloads and publications are read with. */
const STORE_AFTER_MS = 500;

/** What is served, and the coming day of it. */
function prepareServed(holder: SnapshotHolder, log: Logger): void {
  const lease = holder.acquire();
  if (lease === null) return;
  const { image } = lease;
  void prepareCounts(image, () => holder.version === image.version, log).finally(() => lease[Symbol.dispose]());
}

/** So that neither the first counts of a snapshot nor those of a new day wait for all trials to be counted. Never rejects. */
async function prepareCounts(image: SnapshotImage, isWanted: () => boolean, log: Logger): Promise<void> {
  const now = Date.now();
  const days = new Set([now, now + PREPARE_AHEAD_MS].map((instant) => Math.floor(instant / MS_PER_DAY)));
  const beside = { pause: () => delay(PAUSE_MS), isWanted };
  try {
    await prepareCoverage(image, beside);
    for (const day of days) await prepareLandscape(image, day, beside);
  } catch (err) {
    log.error({ version: image.version, err }, 'the trials of the snapshot cannot be counted');
  }
}

/** So that who asks for modalities first does not wait for all trials to be read. */
function prepareModalities(holder: SnapshotHolder, modalities: Modalities, log: Logger): void {
  using lease = holder.acquire();
  if (lease === null) return;
  const { version } = lease.image;
  modalities
    .prepare(lease.image)
    .catch((err) => log.error({ version, err }, 'the modalities of the snapshot cannot be inferred'));
}

/** So that who asks for a payload first does not wait for it, and one that cannot be loaded is told of at the start. */
function prepareStore(store: LateStore, log: Logger): void {
  store.ready().catch((err) => log.error({ err }, 'payloads and publications cannot be read'));
}

function literatureOf(settings: LiteratureSettings, log: Logger): Literature {
  const { pubmedUrl, europepmcUrl, ncbiApiKey, contactEmail } = settings;
  return openLiterature({
    ...{ pubmedUrl, europepmcUrl, ncbiApiKey, contactEmail },
    now: () => new Date(),
    askedBy: 'index',
    onFault: ({ source, reason, message }) => log.warn({ source, reason }, message),
  });
}
