import { buildServingImage } from '../../../pipeline/publish/serving/build-serving-image.ts';
import { buildTestImage, type CorpusSpec } from '../../builders/working-database.ts';
import { TestPublisher } from './publisher.ts';

export const ONE = 'wt_one000000000';
export const TWO = 'wt_two000000000';
export const OTHER = 'wt_other0000000';
export const GONE = 'wt_gone00000000';

const one = (title: string) => ({ canonicalId: ONE, members: [{ id: 'NCT00000001', title }] });
const two = { canonicalId: TWO, members: [{ id: 'ISRCTN00000001', title: 'Insulin for diabetes' }] };
const other = (enrollment_count: number) => ({
  canonicalId: OTHER,
  members: [{ id: 'NCT00000009', title: 'Aspirin for pain', enrollment_count }],
});
const gone = { canonicalId: GONE, members: [{ id: 'NCT00000007', title: 'Rest for pain' }] };
const merged = {
  canonicalId: ONE,
  members: [
    { id: 'NCT00000001', title: 'Metformin for type 2 diabetes' },
    { id: 'ISRCTN00000001', title: 'Insulin for diabetes' },
  ],
};
const formerIds: CorpusSpec['formerIds'] = [[TWO, 'alias', ONE]];

/** A title changes; then one trial joins another and one is gone; then an enrolment changes. */
const CORPORA: CorpusSpec[] = [
  { trials: [one('Metformin for diabetes'), two, other(5), gone] },
  { trials: [one('Metformin for type 2 diabetes'), two, other(5), gone] },
  { trials: [merged, other(5)], formerIds },
  { trials: [merged, other(7)], formerIds },
];
const ACCEPT = ['shrink:isrctn', 'shrink:clinicaltrials_gov', 'merge-jump'];

export interface FollowedVersions extends AsyncDisposable {
  /** A folder for copies. */
  path: string;
  snapshots: string;
  /** Oldest first; CURRENT names the last. */
  versions: string[];
}

/**
 * Four versions with known changes, published as any others, on the days from 2026-11-21. Those before `servedFrom` have images
 * that no server can open, which cost less.
 */
export async function followedVersions({ servedFrom = 0 } = {}): Promise<FollowedVersions> {
  const publisher = await TestPublisher.of(CORPORA[0]);
  const versions: string[] = [];
  for (const [index, corpus] of CORPORA.entries()) {
    await publisher.fill(corpus);
    const now = () => new Date(`2026-11-2${1 + index}T03:15:00.000Z`);
    const buildImage = index < servedFrom ? buildTestImage : buildServingImage;
    versions.push((await publisher.publish({ accept: ACCEPT }, { now }, buildImage)).version);
  }
  await publisher.close();
  const { path, snapshots } = publisher;
  return { path, snapshots, versions, [Symbol.asyncDispose]: () => publisher[Symbol.asyncDispose]() };
}
