import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  buildTestImage,
  fillWorkingDatabase,
  makeWorkingDatabase,
  publishInputs,
  quietEffects,
  temporaryDirectory,
} from '../../../test/builders/working-database.ts';
import { deep } from '../../../test/support/runner/amount.ts';
import { type Published, publish } from '../publish.ts';
import { renderManifest } from '../retention/version-list.ts';
import { PublicationRefused } from './gate.ts';

/** Publishes four records, and fills the working tables with what they are by an older day. */
async function published() {
  const opened = new AsyncDisposableStack();
  const root = opened.use(await temporaryDirectory());
  const corpus = (status: string) => ({
    trials: [
      { canonicalId: 'wt_aaaaaaaaaaaa', members: [{ id: 'NCT00000001' }] },
      { canonicalId: 'wt_bbbbbbbbbbbb', members: [{ id: 'ISRCTN00000001', recruitment_status: status }] },
      { canonicalId: 'wt_cccccccccccc', members: [{ id: 'ISRCTN00000002', recruitment_status: status }] },
      // It did not move with the day: its record changed.
      {
        canonicalId: 'wt_dddddddddddd',
        members: [{ id: 'ISRCTN00000003', recruitment_status: status, payload: `{"status":"${status}"}` }],
      },
    ],
  });
  const dataDir = join(root.path, 'data');
  const db = opened.use(await makeWorkingDatabase(dataDir, corpus('completed')));
  const run = (asOf: string, accept: string[] = []): Promise<Published> => {
    const inputs = publishInputs(root.path, corpus('completed'), { asOf, accept, reason: 'Ada: an older dump' });
    return publish(inputs, db, buildTestImage, quietEffects());
  };
  const first = await run('2026-11-20');
  await fillWorkingDatabase(db, dataDir, corpus('recruiting'));
  return { first, run, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

// One day counts for both registries: an older set of one changes statuses of the other.
it('the as-of day going back stops a publication and counts the statuses that move with it', async () => {
  await using made = await published();
  const { run } = made;
  const refusal = await run('2026-11-01').catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(PublicationRefused);
  expect((refusal as PublicationRefused).breaches).toEqual([
    {
      name: 'as-of',
      detail:
        'the day of the statuses goes back from 2026-11-20 to 2026-11-01 (19 days, at most 3, and none where a status goes with it); of unchanged records 2 have another status by it: isrctn completed to recruiting 2',
      examples: ['ISRCTN00000001', 'ISRCTN00000002'],
    },
  ]);
  await expect(run('2026-11-19')).rejects.toThrow('from 2026-11-20 to 2026-11-19 (1 day, at most 3, and none');
});

deep.it('the as-of day goes back where that is accepted, and by three days where no status goes with it', async () => {
  await using made = await published();
  const { first, run } = made;
  const { manifest } = await run('2026-11-01', ['as-of']);
  expect(renderManifest(manifest)).toContain('\n          as-of: 19 days, at most 3\n');
  expect(manifest.checks?.results).toContainEqual({
    ...{ name: 'as-of', figure: 19, affected: 2, limit: 3, verdict: 'accepted' },
  });
  expect(first.manifest.checks?.results.map(({ name }) => name)).not.toContain('as-of');
  expect((await run('2026-11-02')).manifest.checks?.results).toContainEqual({
    ...{ name: 'as-of', figure: 0, affected: null, limit: 3, verdict: 'passed' },
  });
  // Three days back, and no status with them: a dump of the day before yesterday after a live run.
  expect((await run('2026-10-30')).manifest.checks?.results).toContainEqual({
    ...{ name: 'as-of', figure: 3, affected: 0, limit: 3, verdict: 'passed' },
  });
  await expect(run('2026-10-26')).rejects.toThrow('(4 days, at most 3, and');
});
