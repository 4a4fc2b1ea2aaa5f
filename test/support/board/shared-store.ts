import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { type CorpusSpec, tinyCorpus } from '../../builders/working-database.ts';
import { CRASH_KEY } from '../faults/crash-key.ts';
import { TestPublisher } from '../snapshots/publisher.ts';

const nextCorpus: CorpusSpec = {
  ...tinyCorpus,
  trials: tinyCorpus.trials.map((trial, index) => ({
    ...trial,
    members: trial.members.map((member) => (index === 0 ? { ...member, title: 'Another title' } : member)),
  })),
};

/** A publisher's directory of snapshots after its first publication and after its second, and what it published. */
export interface PublishedTwice {
  first: string;
  second: string;
  versions: [string, string];
}

/** Publishes two versions, whose log CRASH_KEY signs, and leaves copies of the snapshots below `root`. */
export async function publishTwice(root: string): Promise<PublishedTwice> {
  await using publisher = await TestPublisher.of();
  const published = async (corpus: CorpusSpec, copy: string) => {
    const { version } = await publisher.publishNext(corpus, { signers: [CRASH_KEY] });
    await copied(publisher.snapshots, copy);
    return version;
  };
  const [first, second] = [join(root, 'first'), join(root, 'second')];
  return { first, second, versions: [await published(tinyCorpus, first), await published(nextCorpus, second)] };
}

/** A copy whose files may be damaged: nothing is shared by links. */
export async function copied(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true });
}
