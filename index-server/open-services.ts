import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Literature, type LiteratureSettings, openLiterature } from '../literature/client.ts';
import { Comparisons } from './comparisons.ts';
import { loadExplorationWords } from './exploration/words.ts';
import { Modalities } from './modality/modalities.ts';
import { loadModalityVocabulary } from './modality/vocabulary.ts';
import { ModelRunPool } from './model-runs/pool.ts';
import { loadReferences } from './patient-model/references.ts';
import { loadReviewedFiles } from './reviewed-data.ts';
import { type Preparation, prepareLandscape } from './search/landscape.ts';
import type { IndexServices } from './services.ts';
import { loadCuratedSignals } from './signals/curated.ts';
import { loadDiseaseIds } from './signals/hope.ts';
import { SnapshotCatalogue } from './snapshot/snapshot-catalogue.ts';
import { SnapshotHolder } from './snapshot/snapshot-holder.ts';
import { loadRegistrySources } from './sources.ts';
import { ParquetStore } from './store/parquet-store.ts';
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
  const holder = new SnapshotHolder({
    snapshotsDir,
    onFault: ({ version, error }) =>
      log.error({ version, err: error }, 'CURRENT cannot be served; the snapshot before it stays'),
    onChange: (version) => {
      log.info({ version }, 'serving snapshot');
      prepareModalities(holder, modalities, log);
      prepareLandscapes(holder, log);
    },
  });
  await holder.start();
  const preparing = setInterval(() => prepareLandscapes(holder, log), PREPARE_INTERVAL_MS).unref();
  const store = await ParquetStore.open();
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

/** So that neither the first landscape of a snapshot nor that of a new day waits for all trials to be counted. */
function prepareLandscapes(holder: SnapshotHolder, log: Logger): void {
  const lease = holder.acquire();
  if (lease === null) return;
  const { image } = lease;
  const now = Date.now();
  const days = new Set([now, now + PREPARE_AHEAD_MS].map((instant) => Math.floor(instant / MS_PER_DAY)));
  const background: Preparation = {
    pause: () => setTimeout(PAUSE_MS, undefined, { ref: false }),
    isWanted: () => holder.version === image.version,
  };
  const prepare = async (): Promise<void> => {
    using _held = lease;
    for (const day of days) await prepareLandscape(image, day, background);
  };
  prepare().catch((err) =>
    log.error({ version: image.version, err }, 'the landscapes of the snapshot cannot be counted'),
  );
}

/** So that who asks for modalities first does not wait for all trials to be read. */
function prepareModalities(holder: SnapshotHolder, modalities: Modalities, log: Logger): void {
  using lease = holder.acquire();
  if (lease === null) return;
  const { version } = lease.image;
  modalities
    .prepare(lease.image, () => holder.version === version)
    .catch((err) => log.error({ version, err }, 'the modalities of the snapshot cannot be inferred'));
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
