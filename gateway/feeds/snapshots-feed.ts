import type { OperationOutput } from '../../contract/operation.ts';
import { getSnapshots } from '../../contract/operations/trials/snapshots.ts';
import type { Taken } from '../exports/taken.ts';
import { changesInWords } from '../pages/words/snapshots.ts';
import { ATOM_HEADERS, type AtomEntry, atomOf, tagOf } from './atom.ts';
import { REGISTRY_RIGHTS } from './rights.ts';

type Snapshot = OperationOutput<typeof getSnapshots>['snapshots'][number];

const ENTRIES = 50;

export const snapshotsFeed: Taken = {
  id: 'snapshots-atom',
  async answer({ reads, baseUrl, now }) {
    const { data } = await reads.read(getSnapshots, { pageSize: ENTRIES });
    const feed = {
      self: `${baseUrl}/snapshots.atom`,
      title: 'Published versions of the trial index',
      subtitle: 'Each version that is held, with how it differs from the one before.',
      page: `${baseUrl}/snapshots`,
      updated: data.snapshots[0]?.publishedAt ?? now.toISOString(),
      rights: REGISTRY_RIGHTS,
      entries: data.snapshots.map((snapshot) => entryOf(snapshot, baseUrl)),
    };
    return { body: atomOf(feed), headers: ATOM_HEADERS };
  },
};

function entryOf(
  { version, publishedAt, parent, asOf, counts, changes, corpus }: Snapshot,
  baseUrl: string,
): AtomEntry {
  const difference =
    parent === null
      ? 'The first version.'
      : `Against ${parent}: ${changesInWords(changes)}. Field by field: ${baseUrl}/snapshots/diff?${new URLSearchParams({ from: parent, to: version })}`;
  return {
    id: tagOf(baseUrl, 'snapshots', version),
    title: `Version ${version}`,
    updated: publishedAt,
    href: `${baseUrl}/snapshots/${version}`,
    text: [
      ...(corpus === 'sample' ? ['Synthetic sample: no record in it is a real trial.'] : []),
      `${counts.trials.toLocaleString('en-GB')} distinct trials, data as of ${asOf}.`,
      difference,
    ].join('\n'),
  };
}
