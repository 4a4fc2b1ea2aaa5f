import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../server-kit/config/config.ts';
import { basisOf } from '../../snapshot/format/registry-answer.ts';
import { readRunLog } from '../../snapshot/format/versions/run-log-reader.ts';
import { quietEffects } from '../../test/builders/working-database.ts';
import { isrctnTrial, nct, study } from '../../test/support/live-records.ts';
import { NO_FEEDS } from '../../test/support/no-feeds.ts';
import { deep } from '../../test/support/runner/amount.ts';
import { outcomeOfPublished } from '../cli/outcome.ts';
import { recordedRun } from '../cli/recorded-run.ts';
import { renderNormalise, renderPublished } from '../cli/render.ts';
import type { RunReport } from './run.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'trial-board-not-asked-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function runDump(studies: number, { isrctn }: { isrctn: boolean }): Promise<RunReport> {
  const places = { DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'snapshots'), FEEDS_FILE: NO_FEEDS };
  const lines = Array.from({ length: studies }, (_, index) => `${JSON.stringify(study({ nctId: nct(index) }))}\n`);
  await writeFile(join(root, 'ctgov.ndjson'), lines.join(''));
  await writeFile(join(root, 'isrctn.xml'), isrctnTrial({ number: '91000000' }).xml);
  const dumps = {
    clinicaltrials_gov: join(root, 'ctgov.ndjson'),
    ...(isrctn ? { isrctn: join(root, 'isrctn.xml') } : {}),
  };
  const options = { source: 'dump', mode: 'auto', dumps, accept: [] } as const;
  const asked = { command: 'run', words: [] } as const;
  return recordedRun({ ...options, accept: [] }, asked, loadConfig(places, root), quietEffects());
}

async function runBoth(): Promise<RunReport> {
  const both = await runDump(3, { isrctn: true });
  expect(outcomeOfPublished(both.published)).toEqual({ code: 'PUBLISHED', exitCode: 0 });
  expect(renderPublished(both.published)).toContain('no parent to compare with');
  return both;
}

/** Runs without ISRCTN, with a study more than the first run had, and looks at what is told of the registry that was not given. */
async function runWithout(both: RunReport, { unchanged }: { unchanged: boolean }): Promise<void> {
  const { published } = await runDump(4, { isrctn: false });
  expect(published.unchangedAt !== null).toBe(unchanged);
  expect(outcomeOfPublished(published)).toEqual({ code: 'PUBLISHED_DEGRADED', exitCode: 3 });
  const [ctgov, isrctn] = published.manifest.registries;
  expect(ctgov).toMatchObject({ stale: false, degraded: false, registrations: 4 });
  const degradedReason = 'no --isrctn was given; this is the last good set, of 2026-11-01';
  expect(isrctn).toMatchObject({ stale: true, degraded: true, registrations: 1, degradedReason });
  expect(basisOf(isrctn!, published.manifest)).toMatchObject({ answer: 'kept', dataDay: '2026-11-01' });
  const [row] = await readRunLog(join(root, 'snapshots'));
  const nothingNew = unchanged ? [`nothing new: ${published.version} stays served`] : [];
  expect(row!.end!.message).toBe([...nothingNew, `isrctn (kept): ${degradedReason}`].join('\n'));
  expect(row!.end!.rows!.read).toEqual({ clinicaltrials_gov: 4 });
  if (!unchanged) expect(renderPublished(published)).toContain(`trials against ${both.published.version}: 1 added, 0`);
  expect(renderPublished(published)).toContain(`\n          DEGRADED  isrctn (kept): ${degradedReason}`);
}

it('a registry that a run was not given is kept with its day, and the run is degraded', async () => {
  await runWithout(await runBoth(), { unchanged: false });
});

deep.it('the run is degraded until the registry is given again, also where nothing is new', async () => {
  const both = await runBoth();
  await runWithout(both, { unchanged: false });
  await runWithout(both, { unchanged: true });
  const again = await runDump(4, { isrctn: true });
  expect(outcomeOfPublished(again.published)).toEqual({ code: 'UNCHANGED', exitCode: 0 });
});

// Four runs. A refused run leaves its tables, so that normalise and publish compare with different things.
deep.it('reports name what their counts are against, also after a refused run', async () => {
  const { published } = await runDump(100, { isrctn: true });
  await expect(runDump(196, { isrctn: true }).then(() => runDump(100, { isrctn: true }))).rejects.toThrow('shrink');
  expect(renderPublished(published)).toContain('no parent to compare with');
  const { normalise, published: third } = await runDump(197, { isrctn: true });
  expect(renderNormalise(normalise).split('\n')[0]).toMatch(/0 quarantined$/);
  expect(renderPublished(third)).toContain(`trials against ${third.manifest.parent}: 1 added, 0 changed, 0 removed`);
});
