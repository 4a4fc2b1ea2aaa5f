import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  buildTestImage,
  type CorpusSpec,
  fillWorkingDatabase,
  makeWorkingDatabase,
  publishInputs,
  quietEffects,
  temporaryDirectory,
} from '../../test/builders/working-database.ts';
import { anyCorpus, withStatements } from '../../test/builders/worlds.ts';
import { amountOf } from '../../test/support/runner/amount.ts';
import { publish } from '../publish/publish.ts';
import { gc } from '../publish/retention/gc.ts';
import { verify } from '../publish/verify/verify.ts';
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
  await fc.assert(
    fc.asyncProperty(
      fc.array(withStatements(anyCorpus), { minLength: 3, maxLength: amountOf({ quick: 3, deep: 5 }) }),
      async (corpora) => {
        await using root = await temporaryDirectory();
        const snapshots = join(root.path, 'snapshots');
        const versions = await publishAll(root.path, corpora);
        const [first, last] = [versions[0]!, versions.at(-1)!];
        const pairs = versions.flatMap((a) => versions.map((b) => [a, b] as const));
        for (const [a, b] of amountOf({ quick: [[first, last] as const], deep: pairs }))
          expect(await summed(snapshots, a, b), `${a} to ${b}`).toEqual(await compared(snapshots, a, b));
        for (const version of amountOf({ quick: [last], deep: versions }))
          expect((await verify(snapshots, version, quietEffects())).problems).toEqual([]);
        // The chain stays whole when all versions but the newest are removed.
        const before = await diff(snapshots, first, last, null);
        await gc(snapshots, { keep: 1, daily: 0, weekly: 0, monthly: 0 }, quietEffects());
        expect(await diff(snapshots, first, last, null)).toEqual(before);
      },
    ),
    { numRuns: amountOf({ quick: 1, deep: 12 }), seed: 20261125 },
  );
});

async function publishAll(root: string, corpora: readonly CorpusSpec[]): Promise<string[]> {
  await using db = await makeWorkingDatabase(join(root, 'data'), corpora[0]!);
  const versions: string[] = [];
  for (const corpus of corpora) {
    await fillWorkingDatabase(db, join(root, 'data'), corpus);
    const inputs = publishInputs(root, corpus, { accept: ACCEPT });
    versions.push((await publish(inputs, db, buildTestImage, quietEffects())).version);
  }
  return versions;
}
