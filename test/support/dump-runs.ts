import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunOptions, type RunReport, run } from '../../pipeline/run/run.ts';
import { type Config, loadConfig } from '../../server-kit/config/config.ts';
import { quietEffects } from '../builders/working-database.ts';
import { nct, study } from './live-records.ts';
import { NO_FEEDS } from './no-feeds.ts';

export type Dumps = NonNullable<RunOptions['dumps']>;

/** Records of either registry; one whose records are not given has no dump. */
export interface DumpedRecords {
  /** Studies, or lines of JSON as they are. */
  studies?: readonly (object | string)[];
  /** XML of trials of ISRCTN. */
  trials?: readonly string[];
}

/** Studies numbered from 0 on. */
export function someStudies(count: number, more: Partial<Parameters<typeof study>[0]> = {}): object[] {
  return Array.from({ length: count }, (_, index) => study({ nctId: nct(index), ...more }));
}

export async function writeDumps(folder: string, { studies, trials }: DumpedRecords): Promise<Dumps> {
  await mkdir(folder, { recursive: true });
  const dumps: Dumps = {};
  if (studies !== undefined) {
    dumps.clinicaltrials_gov = join(folder, 'ctgov.ndjson');
    const lines = studies.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
    await writeFile(dumps.clinicaltrials_gov, lines.map((line) => `${line}\n`).join(''));
  }
  if (trials !== undefined) {
    dumps.isrctn = join(folder, 'isrctn.xml');
    await writeFile(dumps.isrctn, `<allTrials totalCount="${trials.length}">${trials.join('')}</allTrials>`);
  }
  return dumps;
}

/** Settings of a pipeline whose data and snapshots lie in `folder`, without feeds. */
export function configIn(folder: string, environment: Record<string, string> = {}): Config {
  const places = { DATA_DIR: join(folder, 'data'), SNAPSHOTS_DIR: join(folder, 'snapshots'), FEEDS_FILE: NO_FEEDS };
  return loadConfig({ ...places, ...environment }, folder);
}

/** Publishes the records in `folder`, read from dumps that are written there. */
export async function runRecords(
  folder: string,
  records: DumpedRecords,
  options: Partial<RunOptions> = {},
  { config = configIn(folder), effects = quietEffects() } = {},
): Promise<RunReport> {
  const dumps = await writeDumps(folder, records);
  return run({ source: 'dump', mode: 'auto', dumps, accept: [], ...options }, config, effects);
}
