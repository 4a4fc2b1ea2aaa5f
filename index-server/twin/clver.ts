import type { BetaCellDataset } from '../../contract/schemas/research/beta-cell.ts';
import { heldRow, readTrial } from '../search/hints/held-trial.ts';
import type { SnapshotLease } from '../snapshot/snapshot-holder.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { type KeyedReads, payloadText } from '../store/keyed-store.ts';
import { type Read, readClver } from './clver-payload.ts';
import { BETA_CELL_TEXTS } from './texts.ts';

const CLVER_REGISTRATION = 'NCT04233034';
export const CLVER_CITATION = `https://clinicaltrials.gov/study/${CLVER_REGISTRATION}`;

const known = new WeakMap<SnapshotImage, Read<BetaCellDataset>>();

/** The built-in dataset, or why there is none; it is read once for each snapshot. Rejects if the snapshot's files cannot be read. */
export async function clverDataset(store: KeyedReads, lease: SnapshotLease | null): Promise<Read<BetaCellDataset>> {
  if (lease === null) return { value: null, reason: 'the index serves no snapshot yet' };
  const dataset = known.get(lease.image) ?? (await datasetIn(store, lease));
  known.set(lease.image, dataset);
  return dataset;
}

async function datasetIn(store: KeyedReads, { image, manifest }: SnapshotLease): Promise<Read<BetaCellDataset>> {
  const row = heldRow(image, CLVER_REGISTRATION);
  // A superseded number leads to the trial of another record.
  const registrations = row === null ? [] : readTrial(image, row).registrations;
  const held = registrations.find(({ id }) => id === CLVER_REGISTRATION);
  if (held === undefined) return { value: null, reason: `the snapshot does not hold ${CLVER_REGISTRATION}` };
  const [raw] = await store.rawPayloads({ image, manifest }, [held]);
  const { value, reason } = readClver(payloadText(raw!));
  if (value === null) return { value, reason };
  const { control, comparator, ...stated } = value;
  const synthetic = manifest.corpus === 'sample';
  const { population, populationOfSynthetic, assay } = BETA_CELL_TEXTS.clver;
  return {
    value: {
      ...{ id: 'clver', citation: CLVER_CITATION },
      ...{ kind: synthetic ? 'synthetic' : 'experimental', synthetic },
      ...{ population: synthetic ? populationOfSynthetic : population, assay },
      ...stated,
      arms: [
        { id: 'control', label: 'Placebo', points: control },
        { id: 'comparator', label: 'Verapamil', points: comparator },
      ],
      ...{ registration: CLVER_REGISTRATION, snapshot: manifest.version, checksum: raw!.checksum },
    },
    reason,
  };
}
