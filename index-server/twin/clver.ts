import type { BetaCellDataset } from '../../contract/schemas/research/beta-cell.ts';
import { heldRow, readTrial } from '../search/hints/held-trial.ts';
import type { SnapshotLease } from '../snapshot/snapshot-holder.ts';
import type { KeyedReads } from '../store/keyed-store.ts';
import { payloadText } from '../store/raw-json.ts';
import { type ClverVisits, type Read, readClver } from './clver-payload.ts';

export const CLVER_REGISTRATION = 'NCT04233034';
export const CLVER_CITATION = `https://clinicaltrials.gov/study/${CLVER_REGISTRATION}`;

const NO_SNAPSHOT = 'the index serves no snapshot yet';
const NO_RECORD = `the snapshot does not hold ${CLVER_REGISTRATION}`;

/** The built-in dataset, read from the served snapshot once per snapshot. */
export class ClverSource {
  readonly #store: Pick<KeyedReads, 'rawPayloads'>;
  #read: { snapshot: string; dataset: Read<BetaCellDataset> } | null = null;

  constructor(store: Pick<KeyedReads, 'rawPayloads'>) {
    this.#store = store;
  }

  /** The dataset, or why there is none. Rejects if the snapshot's files cannot be read. */
  async dataset(lease: SnapshotLease | null): Promise<Read<BetaCellDataset>> {
    if (lease === null) return { value: null, reason: NO_SNAPSHOT };
    const { version } = lease.manifest;
    if (this.#read?.snapshot !== version) {
      this.#read = { snapshot: version, dataset: await this.#fromSnapshot(lease) };
    }
    return this.#read.dataset;
  }

  async #fromSnapshot({ image, manifest }: SnapshotLease): Promise<Read<BetaCellDataset>> {
    const row = heldRow(image, CLVER_REGISTRATION);
    // A superseded number leads to the trial of another record.
    const held =
      row === null ? undefined : readTrial(image, row).registrations.find(({ id }) => id === CLVER_REGISTRATION);
    if (held === undefined) return { value: null, reason: NO_RECORD };
    const [raw] = await this.#store.rawPayloads({ image, manifest }, [held]);
    const { value, reason } = readClver(payloadText(raw!));
    if (value === null) return { value, reason };
    const synthetic = manifest.corpus === 'sample';
    return { value: presented(value, { synthetic, checksum: raw!.checksum, snapshot: manifest.version }), reason };
  }
}

function presented(
  { reportedUnit, statistic, control, comparator }: ClverVisits,
  { synthetic, checksum, snapshot }: { synthetic: boolean; checksum: string; snapshot: string },
): BetaCellDataset {
  return {
    id: 'clver',
    citation: CLVER_CITATION,
    kind: synthetic ? 'synthetic' : 'experimental',
    synthetic,
    population: synthetic
      ? 'SYNTHETIC: an invented record in the place of the registry record; nobody was measured'
      : 'People aged 7 to 17 with newly diagnosed stage 3 type 1 diabetes, randomised within 31 days of diagnosis',
    assay:
      'Mixed-meal tolerance test, C-peptide area under the curve; the laboratory method is not stated in the sources used',
    reportedUnit,
    statistic,
    arms: [
      { id: 'control', label: 'Placebo', points: control },
      { id: 'comparator', label: 'Verapamil', points: comparator },
    ],
    registration: CLVER_REGISTRATION,
    snapshot,
    checksum,
  };
}
