import { expect, it } from 'vitest';
import { basisOf } from '../../snapshot/format/registry-answer.ts';
import { readRunLog } from '../../snapshot/format/versions/run-log.ts';
import { quietEffects } from '../../test/builders/working-database.ts';
import { configIn, someStudies, writeDumps } from '../../test/support/dump-runs.ts';
import { folderOfTest } from '../../test/support/folders.ts';
import { isrctnTrial } from '../../test/support/live-records.ts';
import { deep } from '../../test/support/runner/amount.ts';
import { publishedFacts } from '../cli/reports.ts';
import { textOf } from '../cli/text.ts';
import { outcomeOfPublished } from './outcome.ts';
import { type RunReport, run } from './run.ts';

const root = folderOfTest();

async function runDump(studies: number, { isrctn }: { isrctn: boolean }): Promise<RunReport> {
  const trials = isrctn ? { trials: [isrctnTrial({ number: '91000000' }).xml] } : {};
  const dumps = await writeDumps(root.path, { studies: someStudies(studies), ...trials });
  const options = { source: 'dump', mode: 'auto', dumps, accept: [] as string[] } as const;
  return run(options, configIn(root.path), quietEffects());
}

async function runBoth(): Promise<RunReport> {
  const both = await runDump(3, { isrctn: true });
  expect(outcomeOfPublished(both.published)).toEqual({ code: 'PUBLISHED', exitCode: 0 });
  expect(textOf(publishedFacts(both.published))).toContain('no parent to compare with');
  return both;
}

/** Runs without ISRCTN, with a study more than the first run had, and looks at what is told of the registry that was not given. */
async function runWithout({ unchanged }: { unchanged: boolean }): Promise<void> {
  const { published } = await runDump(4, { isrctn: false });
  expect(published.unchangedAt !== null).toBe(unchanged);
  expect(outcomeOfPublished(published)).toEqual({ code: 'PUBLISHED_DEGRADED', exitCode: 3 });
  const [ctgov, isrctn] = published.manifest.registries;
  expect(ctgov).toMatchObject({ stale: false, degraded: false, registrations: 4 });
  const degradedReason = 'no --isrctn was given; this is the last good set, of 2026-11-01';
  expect(isrctn).toMatchObject({ stale: true, degraded: true, registrations: 1, degradedReason });
  expect(basisOf(isrctn!, published.manifest)).toMatchObject({ answer: 'kept', dataDay: '2026-11-01' });
  const [row] = await readRunLog(configIn(root.path).snapshotsDir);
  const nothingNew = unchanged ? [`nothing new: ${published.version} stays served`] : [];
  expect(row!.end!.message).toBe([...nothingNew, `isrctn (kept): ${degradedReason}`].join('\n'));
  expect(row!.end!.rows!.read).toEqual({ clinicaltrials_gov: 4 });
  if (!unchanged)
    expect(textOf(publishedFacts(published))).toContain(
      'changes   added 1, changed 0, removed 0, merged 0, split 0\nparent ',
    );
  expect(textOf(publishedFacts(published))).toContain(`\nDEGRADED  isrctn (kept): ${degradedReason}`);
}

it('a registry that a run was not given is kept with its day, and the run is degraded', async () => {
  await runBoth();
  await runWithout({ unchanged: false });
});

deep.it('the run is degraded until the registry is given again, also where nothing is new', async () => {
  await runBoth();
  await runWithout({ unchanged: false });
  await runWithout({ unchanged: true });
  const again = await runDump(4, { isrctn: true });
  expect(outcomeOfPublished(again.published)).toEqual({ code: 'UNCHANGED', exitCode: 0 });
});
