import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createGateway } from '../../gateway/app.ts';
import { openIndexServices } from '../../index-server/services.ts';
import { run } from '../../pipeline/run/run.ts';
import { loadConfig } from '../../server-kit/config/config.ts';
import { NO_FEEDS } from '../support/no-feeds.ts';
import { ctgovPayloads, isrctnPayloadsOnce } from './real-records.ts';

/** A snapshot of held records behind the gateway, in this process. */
export interface Served extends AsyncDisposable {
  /** The `data` of an answer of the REST interface. */
  // biome-ignore lint/suspicious/noExplicitAny: measures look into answers of every shape
  get(path: string): Promise<any>;
  /** The whole answer. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  answer(path: string): Promise<any>;
}

/** The as-of day of the snapshot. */
export const SERVED_DAY = '2026-11-21';

/** The held ClinicalTrials.gov records, and with `isrctn` those of ISRCTN too. */
export async function serveRecords(data: string, { isrctn }: { isrctn: boolean }): Promise<Served> {
  const root = await mkdtemp(join(tmpdir(), 'trial-board-truth-'));
  const environment = { DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'snapshots'), FEEDS_FILE: NO_FEEDS };
  const config = loadConfig(environment, root);
  const now = () => new Date(`${SERVED_DAY}T12:00:00.000Z`);
  const dumps: { clinicaltrials_gov: string; isrctn?: string } = { clinicaltrials_gov: join(root, 'studies.ndjson') };
  await writeFile(dumps.clinicaltrials_gov, ctgovPayloads(data).join('\n'));
  if (isrctn) {
    dumps.isrctn = join(root, 'trials.xml');
    await writeFile(dumps.isrctn, `<allTrials>${isrctnPayloadsOnce(data).join('\n')}</allTrials>`);
  }
  const effects = { now, progress: () => {}, checkpoint: () => {} };
  await run({ source: 'dump', mode: 'auto', dumps, asOf: SERVED_DAY, accept: [] }, config, effects);
  const log = pino({ level: 'silent' });
  const index = await openIndexServices(config.snapshotsDir, log);
  const app = createGateway({ index, log, now, baseUrl: 'http://truth.example' });
  const answer: Served['answer'] = async (path) => {
    const response = await app.fetch(new Request(`http://truth.example${path}`));
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answers ${response.status}: ${text.slice(0, 300)}`);
    return JSON.parse(text);
  };
  return {
    answer,
    get: async (path) => (await answer(path)).data,
    async [Symbol.asyncDispose]() {
      await index[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}
