import { beforeAll, expect, it } from 'vitest';
import type { CorpusSpec } from '../../../test/builders/working-database.ts';
import { deep } from '../../../test/support/runner/amount.ts';
import { TestPublisher } from '../../../test/support/snapshots/publisher.ts';
import { renderManifest } from '../../cli/reports.ts';
import type { Published } from '../publish.ts';
import { PublicationRefused } from './gate.ts';

/** Four records. The last one did not move with the day: its record changed. */
const corpus = (status: string): CorpusSpec => {
  const of = (id: string, more = {}) => ({
    canonicalId: `wt_${id.toLowerCase()}`,
    members: [{ id, recruitment_status: status, ...more }],
  });
  const changed = { payload: `{"status":"${status}"}` };
  const trials = [of('ISRCTN00000001'), of('ISRCTN00000002'), of('ISRCTN00000003', changed)];
  return { trials: [{ canonicalId: 'wt_aaaaaaaaaaaa', members: [{ id: 'NCT00000001' }] }, ...trials] };
};

let publisher: TestPublisher;
let first: Published;
const run = (asOf: string, accept: string[] = []): Promise<Published> =>
  publisher.publish({ asOf, accept, reason: 'Ada: an older dump' });

// The working tables are filled with what the records are by an older day.
beforeAll(async () => {
  publisher = await TestPublisher.of(corpus('completed'));
  first = await run('2026-11-20');
  await publisher.fill(corpus('recruiting'));
  return () => publisher[Symbol.asyncDispose]();
});

// One day counts for both registries: an older set of one changes statuses of the other.
it('the as-of day going back stops a publication and counts the statuses that move with it', async () => {
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
  const { manifest } = await run('2026-11-01', ['as-of']);
  expect(renderManifest(manifest)).toContain('\n          as-of: 19, at most 3\n');
  const check = (figure: number, affected: number | null, verdict: string) =>
    expect.objectContaining({ name: 'as-of', figure, affected, limit: 3, verdict });
  expect(manifest.checks?.results).toContainEqual(check(19, 2, 'accepted'));
  expect(first.manifest.checks?.results.map(({ name }) => name)).not.toContain('as-of');
  expect((await run('2026-11-02')).manifest.checks?.results).toContainEqual(check(0, null, 'passed'));
  // Three days back, and no status with them: a dump of the day before yesterday after a live run.
  expect((await run('2026-10-30')).manifest.checks?.results).toContainEqual(check(3, 0, 'passed'));
  await expect(run('2026-10-26')).rejects.toThrow('(4 days, at most 3, and');
});
