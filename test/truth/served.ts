import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { loadConfig } from '../../config/config.ts';
import { createGateway } from '../../gateway/app.ts';
import { openIndexServices } from '../../index-server/services.ts';
import { run } from '../../pipeline/run/run.ts';
import { NO_FEEDS } from '../support/no-feeds.ts';
import { ctgovPayloads } from './real-records.ts';

/** A snapshot of the held ClinicalTrials.gov records behind the gateway, in this process. */
export interface Served extends AsyncDisposable {
  /** The `data` of an answer of the REST interface. */
  // biome-ignore lint/suspicious/noExplicitAny: measures look into answers of every shape
  get(path: string): Promise<any>;
}

const DAY = '2026-11-21';

export async function serveStudies(data: string): Promise<Served> {
  const root = await mkdtemp(join(tmpdir(), 'trial-board-truth-'));
  const environment = { DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'snapshots'), FEEDS_FILE: NO_FEEDS };
  const config = loadConfig(environment, root);
  const now = () => new Date(`${DAY}T12:00:00.000Z`);
  const dump = join(root, 'studies.ndjson');
  await writeFile(dump, ctgovPayloads(data).join('\n'));
  await run({ source: 'dump', mode: 'auto', dumps: { clinicaltrials_gov: dump }, asOf: DAY, accept: [] }, config, {
    now,
    progress: () => {},
    checkpoint: () => {},
  });
  const log = pino({ level: 'silent' });
  const index = await openIndexServices(config.snapshotsDir, log);
  const app = createGateway({ index, log, now, baseUrl: 'http://truth.example' });
  return {
    async get(path) {
      const response = await app.fetch(new Request(`http://truth.example${path}`));
      const text = await response.text();
      if (!response.ok) throw new Error(`${path} answers ${response.status}: ${text.slice(0, 300)}`);
      return JSON.parse(text).data;
    },
    async [Symbol.asyncDispose]() {
      await index[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}
