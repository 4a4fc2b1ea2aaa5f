import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { publish } from '../../../pipeline/publish/publish.ts';
import {
  buildTestImage,
  type CorpusSpec,
  fillWorkingDatabase,
  makeWorkingDatabase,
  publishInputs,
  quietEffects,
  tinyCorpus,
} from '../../builders/working-database.ts';
import { CRASH_KEY } from '../faults/crash-key.ts';

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

/** Publishes two versions below `root`, whose log CRASH_KEY signs. */
export async function publishTwice(root: string): Promise<PublishedTwice> {
  await using db = await makeWorkingDatabase(join(root, 'data'), tinyCorpus);
  const published = async (corpus: CorpusSpec, copy: string) => {
    await fillWorkingDatabase(db, join(root, 'data'), corpus);
    const inputs = publishInputs(root, corpus, { signers: [CRASH_KEY] });
    const { version } = await publish(inputs, db, buildTestImage, quietEffects());
    await copied(join(root, 'snapshots'), copy);
    return version;
  };
  const [first, second] = [join(root, 'first'), join(root, 'second')];
  return { first, second, versions: [await published(tinyCorpus, first), await published(nextCorpus, second)] };
}

/** A copy whose files may be damaged: nothing is shared by links. */
export async function copied(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true });
}
