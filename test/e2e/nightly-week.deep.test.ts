import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordedRun } from '../../pipeline/cli/recorded-run.ts';
import { renderRuns } from '../../pipeline/cli/render-runs.ts';
import { loadConfig } from '../../server-kit/config/config.ts';
import { readCurrent } from '../../snapshot/format/versions/current.ts';
import { readRunLog } from '../../snapshot/format/versions/run-log-reader.ts';
import { quietEffects } from '../builders/working-database.ts';
import { type FakeRegistry, startFakeRegistry } from '../fakes/registry-server.ts';
import { openGateway } from '../support/gateway.ts';
import { isrctnTrial, nct, study } from '../support/live-records.ts';
import { NO_FEEDS } from '../support/no-feeds.ts';
import { seenText } from '../support/read-page.ts';

/** A week of nightly runs against registries with faults, over a month's end, as an operator finds it recorded. */

let root: string;
let registry: FakeRegistry;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'trial-board-week-'));
  registry = await startFakeRegistry({
    studies: Array.from({ length: 60 }, (_, index) => study({ nctId: nct(index), updated: '2026-10-20' })),
    trials: Array.from({ length: 12 }, (_, index) =>
      isrctnTrial({ number: `9100${String(index).padStart(4, '0')}`, updated: '2026-10-20T10:00:00.000Z' }),
    ),
    dataTimestamp: '2026-10-28T09:00:05',
  });
});
afterAll(async () => {
  await registry.close();
  await rm(root, { recursive: true, force: true });
});

type Section = Record<string, Record<string, unknown>>;

it('publishes what is right, refuses what is not, and records each night', async () => {
  const config = loadConfig(
    {
      DATA_DIR: join(root, 'data'),
      SNAPSHOTS_DIR: join(root, 'snapshots'),
      FEEDS_FILE: NO_FEEDS,
      CTGOV_URL: registry.url,
      ISRCTN_URL: registry.url,
      FETCH_RATE: '50',
    },
    root,
  );
  const night = async (day: string): Promise<string> => {
    registry.dataTimestamp = `${day}T01:00:05`;
    // The registry writes the day of its whole data set into every record.
    for (const one of registry.studies as Section[]) one.derivedSection!.miscInfoModule = { versionHolder: day };
    const effects = { ...quietEffects(), now: () => new Date(`${day}T03:00:00.000Z`) };
    const options = { source: 'live' as const, mode: 'full' as const, accept: [] };
    await recordedRun(options, { command: 'run', words: ['--source', 'live'] }, config, effects).catch(() => undefined);
    const [last] = await readRunLog(config.snapshotsDir);
    return last?.end?.code ?? 'none';
  };
  const sections = (): Section[] =>
    (registry.studies as { protocolSection: Section }[]).map((one) => one.protocolSection);
  const served = (): Promise<string | null> => readCurrent(config.snapshotsDir);

  expect(await night('2026-10-28')).toBe('PUBLISHED');
  const first = await served();
  // Run again by hand; the next night the statuses are as of another day.
  expect(await night('2026-10-28')).toBe('UNCHANGED');
  expect(await served()).toBe(first);

  sections()[0]!.identificationModule!.briefTitle = 'A new title';
  sections()[0]!.statusModule!.lastUpdatePostDateStruct = { date: '2026-10-29' };
  expect(await night('2026-10-30')).toBe('PUBLISHED');
  const second = await served();
  expect(second).not.toBe(first);

  const right = structuredClone(registry.studies);
  // A field is renamed in every record, over the month's end.
  for (const section of sections()) {
    section.sponsorsModule = section.sponsorCollaboratorsModule!;
    delete section.sponsorCollaboratorsModule;
  }
  expect(await night('2026-10-31')).toBe('REFUSED');
  expect(await served()).toBe(second);
  registry.studies = right;

  // A registry that sends half of its records, and counts no more.
  const all = registry.studies;
  registry.studies = all.slice(0, 30);
  expect(await night('2026-11-01')).toBe('REFUSED');
  registry.studies = all;

  registry.faults.push({ endpoint: 'isrctn', at: 1, kind: 'status', status: 403, times: Number.POSITIVE_INFINITY });
  sections()[1]!.identificationModule!.briefTitle = 'Another title';
  sections()[1]!.statusModule!.lastUpdatePostDateStruct = { date: '2026-11-01' };
  expect(await night('2026-11-02')).toBe('PUBLISHED_DEGRADED');
  registry.faults.length = 0;
  expect(await night('2026-11-03')).toBe('PUBLISHED');

  const runs = await readRunLog(config.snapshotsDir);
  expect(runs.map(({ at, end }) => [at.slice(0, 10), end?.exitCode])).toEqual([
    ['2026-11-03', 0],
    ['2026-11-02', 3],
    ['2026-11-01', 4],
    ['2026-10-31', 4],
    ['2026-10-30', 0],
    ['2026-10-28', 0],
    ['2026-10-28', 0],
  ]);
  const text = renderRuns(runs);
  expect(text).toContain('--accept shrink:clinicaltrials_gov');
  expect(text).toMatch(/sponsor.*for example NCT\d{8}/);
});

it('is read as an operator reads it in the morning: the list, the page and the metrics', async () => {
  // Nine hours after the last night.
  await using gateway = await openGateway(join(root, 'snapshots'), () => new Date('2026-11-03T12:00:00.000Z'));
  const { body: list } = await gateway.get('/api/v1/pipeline/runs');
  type Listed = { outcome: string; message: string | null; checks: { refused: number }; next: string | null };
  const runs = list.data.runs as Listed[];
  expect(runs.map(({ outcome }) => outcome)).toEqual([
    'PUBLISHED',
    'PUBLISHED_DEGRADED',
    'REFUSED',
    'REFUSED',
    'PUBLISHED',
    'UNCHANGED',
    'PUBLISHED',
  ]);
  const [, degraded, shrunk, renamed] = runs;
  expect(degraded?.next).toContain('pipeline doctor');
  expect(degraded?.message).toMatch(/^isrctn \(kept\): the attempt of 2026-11-02T.* failed; .*: .*HTTP 403/);
  expect(shrunk?.message).toContain('shrink:clinicaltrials_gov');
  expect(renamed?.checks.refused).toBeGreaterThan(0);
  expect(renamed?.message).toContain('sponsor');
  expect(renamed?.next).toContain('with the `--accept` that the message ends with');
  expect(JSON.stringify(list)).not.toContain(root);

  const { body: last } = await gateway.get('/api/v1/pipeline/runs/latest');
  const current = await readCurrent(join(root, 'snapshots'));
  expect(last.data.served.version).toBe(current);

  const page = await gateway.app.fetch(
    new Request('http://test.example/snapshots/runs', { headers: { accept: 'text/html' } }),
  );
  const shown = seenText(await page.text());
  expect(shown).toContain('A registry is missing or kept');
  expect(shown).toMatch(/Refused by the publication gate .* Refused by the publication gate/);
  expect(shown).toMatch(/Refused by the publication gate [^:]*:00 UTC .*shrink:clinicaltrials_gov/);
  expect(shown).toContain('Records read: ClinicalTrials.gov: 60; ISRCTN: 12; together 72 distinct trials');

  const metrics = await (await gateway.app.fetch(new Request('http://test.example/metrics'))).text();
  const sample = (name: string): string | undefined =>
    new RegExp(`^trial_board_${name} (\\S+)$`, 'm').exec(metrics)?.[1];
  const nineHours = String(9 * 3600);
  const halfADay = String(12 * 3600);
  expect(sample('snapshot_age_seconds')).toBe(nineHours);
  expect(sample('registry_data_age_seconds\\{registry="clinicaltrials_gov"\\}')).toBe(halfADay);
  expect(sample('registry_data_age_seconds\\{registry="isrctn"\\}')).toBe(halfADay);
  expect(sample('pipeline_last_outcome\\{outcome="PUBLISHED"\\}')).toBe('1');
  expect(sample('pipeline_last_outcome\\{outcome="REFUSED"\\}')).toBe('0');
  expect(sample('pipeline_last_success_timestamp_seconds')).toBe(String(Date.parse('2026-11-03T03:00:00Z') / 1000));
});
