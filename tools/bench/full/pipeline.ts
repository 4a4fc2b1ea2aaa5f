import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SAMPLE_DIRECTORY, withUnpacked } from '../../../pipeline/run/sample.ts';
import { readCurrent, readManifest, snapshotPath } from '../../../snapshot/format/versions/current.ts';
import { measureRun } from '../process.ts';
import type { CorpusDump } from './corpus.ts';
import { writeDayChange } from './day-change.ts';
import type { Row } from './rows.ts';

/** Folders of one pipeline, and the environment of its programs and servers. */
export interface Workspace {
  dataDir: string;
  snapshotsDir: string;
  feedsDir: string;
  environment: Record<string, string>;
}

/** Makes a workspace with the sample's feeds. No program in it uses a service outside this machine. */
export async function makeWorkspace(root: string): Promise<Workspace> {
  const [dataDir, snapshotsDir, feedsDir] = [join(root, 'data'), join(root, 'snapshots'), join(root, 'feeds')];
  await mkdir(feedsDir, { recursive: true });
  await withUnpacked(join(SAMPLE_DIRECTORY, 'feeds'), join(root, 'unpacked'), (unpacked) =>
    cp(unpacked, feedsDir, { recursive: true }),
  );
  const environment = {
    PATH: '',
    DATA_DIR: dataDir,
    SNAPSHOTS_DIR: snapshotsDir,
    FEEDS_FILE: join(SAMPLE_DIRECTORY, 'feeds.json'),
    PUBMED_URL: 'off',
    EUROPEPMC_URL: 'off',
    LOG_LEVEL: 'info',
  };
  return { dataDir, snapshotsDir, feedsDir, environment };
}

export async function currentVersion({ snapshotsDir }: Workspace): Promise<string> {
  const version = await readCurrent(snapshotsDir);
  if (version === null) throw new Error('the pipeline published nothing');
  return version;
}

async function command(workspace: Workspace, words: string[]): Promise<{ seconds: number; peakRssMb: number | null }> {
  const { seconds, peakRssMb } = await measureRun(['pipeline/cli.ts', ...words], workspace.environment);
  return { seconds, peakRssMb };
}

/** Stages, one after the other, each in a process of its own, and their sum without reading the dumps. */
async function stageRows(workspace: Workspace, stages: readonly string[][], sum: Row): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name = '', ...words] of stages) {
    const { seconds, peakRssMb } = await command(workspace, [name, '--source', 'dump', ...words]);
    rows.push({ what: name, value: seconds, unit: 's', peakRssMb });
  }
  const counted = rows.filter(({ what }) => ['normalise', 'dedup', 'publish'].includes(what));
  const seconds = counted.reduce((total, { value }) => total + (value ?? 0), 0);
  return [...rows, { ...sum, value: seconds }];
}

export async function runPipeline(workspace: Workspace, { ctgov, isrctn }: CorpusDump): Promise<Row[]> {
  const stages = [
    ['fetch', '--ctgov', ctgov, '--isrctn', isrctn],
    ['normalise'],
    ['dedup'],
    ['signals', '--feeds', workspace.feedsDir],
    ['publish'],
  ];
  const sum = { what: 'normalise + dedup + publish', value: null, unit: 's', most: 420 };
  const rows = await stageRows(workspace, stages, sum);
  const peaks = rows.flatMap(({ peakRssMb }) => peakRssMb ?? []);
  const peak = peaks.length === 0 ? null : Math.max(...peaks);
  const { tables, serving } = await readManifest(snapshotPath(workspace.snapshotsDir, await currentVersion(workspace)));
  const bytes = [...Object.values(tables), ...serving.files].reduce((total, file) => total + file.bytes, 0);
  return [
    ...rows,
    { what: 'largest peak RSS of a stage', value: peak, unit: 'MB', most: 4096 },
    { what: 'tables and image of the snapshot', value: bytes / 1e6, unit: 'MB' },
  ];
}

export async function dayRows(workspace: Workspace, dump: CorpusDump): Promise<Row[]> {
  const records = await writeDayChange(workspace.dataDir, dump.facts);
  const sum = { what: `a day's change, ${records} records`, value: null, unit: 's', most: 240 };
  const rows = await stageRows(workspace, [['normalise'], ['dedup'], ['publish']], sum);
  return rows.map((row) => (row.what === sum.what ? row : { ...row, what: `a day's change: ${row.what}` }));
}

export async function diffRows(workspace: Workspace, first: string): Promise<Row[]> {
  const { seconds, peakRssMb } = await command(workspace, ['diff', first, await currentVersion(workspace)]);
  return [{ what: 'diff of two snapshots', value: seconds, unit: 's', most: 30, peakRssMb }];
}

export async function verifyRows(workspace: Workspace): Promise<Row[]> {
  const { seconds, peakRssMb } = await command(workspace, ['verify', 'current']);
  return [{ what: 'verify', value: seconds, unit: 's', peakRssMb }];
}
