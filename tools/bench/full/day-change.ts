import type { RegistryId } from '../../../contract/ids.ts';
import type { Effects } from '../../../pipeline/effects.ts';
import { completeRun, rawSetsOf, startRun } from '../../../pipeline/raw/fetch-log.ts';
import { storePage } from '../../../pipeline/raw/live-run.ts';
import { Corpus } from '../../generator/corpus.ts';
import { studyPage, trialList } from '../../generator/write-sample.ts';
import type { CorpusFacts } from './corpus.ts';

/** Records in one answer of each registry, as the fetchers request them. */
const PAGE = { clinicaltrials_gov: 1000, isrctn: 250 } as const;
const DATA_TIMESTAMP = '2026-10-02T09:00:05';
const FROM = '2026-09-30';
const TO = '2026-10-02';
const ORIGIN = 'http://127.0.0.1';

const effects: Effects = { now: () => new Date(), progress: () => {}, checkpoint: () => {} };

/**
 * Adds to the full sets what a nightly fetch would bring on the corpus' second day: every changed and every new record, in
 * pages like those of the registries. Returns the number of these records.
 */
export async function writeDayChange(dataDir: string, facts: CorpusFacts): Promise<number> {
  const corpus = new Corpus({ ...facts, bodySize: 'real', day: 1 });
  const studies = corpus.changed('clinicaltrials_gov').map((place) => corpus.study(place));
  const trials = corpus.changed('isrctn').map((place) => corpus.trial(place));
  await writeIncrement(dataDir, 'clinicaltrials_gov', studies, ({ records, first, last, total }) =>
    studyPage(records, first ? total : null, last ? null : 'next'),
  );
  await writeIncrement(dataDir, 'isrctn', trials, ({ records }) => trialList(records));
  return studies.length + trials.length;
}

async function writeIncrement(
  dataDir: string,
  registry: RegistryId,
  records: string[],
  pageOf: (page: { records: string[]; first: boolean; last: boolean; total: number }) => string,
): Promise<void> {
  const sets = await rawSetsOf(dataDir, registry);
  if (sets === null) throw new Error(`there is no full set of ${registry} that an increment could extend`);
  const window = { from: FROM, to: TO };
  const extending = { kind: 'incremental', source: 'live', base: sets.full.run } as const;
  const started = { registry, ...extending, origin: ORIGIN, dataTimestamp: DATA_TIMESTAMP, window };
  const log = await startRun(dataDir, started, effects.now());
  log.expectedRecords = records.length;
  for (let from = 0; from === 0 || from < records.length; from += PAGE[registry]) {
    const page = records.slice(from, from + PAGE[registry]);
    const last = from + PAGE[registry] >= records.length;
    const body = Buffer.from(pageOf({ records: page, first: from === 0, last, total: records.length }));
    const answer = { value: { records: page.length }, body, url: ORIGIN, receivedAt: effects.now().toISOString() };
    await storePage({ dataDir, log, effects }, answer, last ? null : String(from));
  }
  await completeRun(dataDir, log, effects.now());
}
