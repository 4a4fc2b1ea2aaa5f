import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quietEffects } from '../../test/builders/working-database.ts';
import { anyCorpus, withStatements } from '../../test/builders/worlds.ts';
import { onlyNewest, TestPublisher } from '../../test/support/snapshots/publisher.ts';
import { gc } from '../publish/retention/gc.ts';
import { diff, type SnapshotDiff } from './diff.ts';
import { addUp } from './stored-diff.ts';

const ACCEPT = ['shrink', 'lost', 'nulls', 'unknown', 'vocabulary', 'changed', 'newest', 'older']
  .flatMap((check) => ['clinicaltrials_gov', 'isrctn'].map((registry) => `${check}:${registry}`))
  .concat('merge-jump', 'as-of');

/** The comparison that the stored changes add up to, in the form of `diff`. */
async function summed(snapshots: string, a: string, b: string): Promise<Omit<SnapshotDiff, 'from' | 'to'>> {
  const { totals, trials, registrations, links } = await addUp(snapshots, a, b);
  return JSON.parse(JSON.stringify({ totals, limit: null, trials, registrations, links }));
}

async function compared(snapshots: string, a: string, b: string): Promise<Omit<SnapshotDiff, 'from' | 'to'>> {
  const { from: _from, to: _to, ...lists } = await diff(snapshots, a, b, null);
  return lists;
}

test('of consecutive versions, the diff of any two in either direction is the sum of the stored changes between', async () => {
  const worlds = fc.array(withStatements(anyCorpus), { minLength: 3, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(worlds, async (corpora) => {
      await using publisher = await TestPublisher.of(corpora[0]);
      const { snapshots } = publisher;
      const versions: string[] = [];
      for (const corpus of corpora) versions.push((await publisher.publishNext(corpus, { accept: ACCEPT })).version);
      const [first, last] = [versions[0]!, versions.at(-1)!];
      // Neighbours are compared by the sum of one; the others by all between them.
      const far = versions.flatMap((a, at) => versions.filter((_, to) => Math.abs(at - to) > 1).map((b) => [a, b]));
      for (const [a, b] of [...far, [first, first], versions.slice(0, 2)])
        expect(await summed(snapshots, a!, b!), `${a} to ${b}`).toEqual(await compared(snapshots, a!, b!));
      expect(await publisher.problems(last)).toEqual([]);
      // The chain stays whole when all versions but the newest are removed.
      const before = await diff(snapshots, first, last, null);
      await gc(snapshots, onlyNewest(1), quietEffects());
      expect(await diff(snapshots, first, last, null)).toEqual(before);
    }),
    { numRuns: 4, seed: 20261125 },
  );
});
