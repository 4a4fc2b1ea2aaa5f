import { eudractNumber, isrctnId, nctId, utn } from './ids.ts';
import type { CtgovPlant, IsrctnPlant } from './planted.ts';
import { Random, weightedTable } from './random.ts';
import { STREAM } from './trial.ts';

/** How the two registrations of a background trial point at each other. */
export type OverlapKind = 'declared-by-isrctn' | 'mutual' | 'declared-by-ctgov' | 'shared-eudract' | 'shared-utn';

/** Share of ISRCTN trials that ClinicalTrials.gov holds as well (38 of 270 trials counted by hand in a public study). */
const OVERLAP = 0.14;

/** Most links are declared by ISRCTN alone; the exact shares are a guess. */
const KINDS = weightedTable<OverlapKind>([
  ['declared-by-isrctn', 70],
  ['mutual', 18],
  ['shared-eudract', 6],
  ['declared-by-ctgov', 4],
  ['shared-utn', 2],
]);

export interface Overlap {
  kind: OverlapKind;
  ctgovIndex: number;
  isrctnIndex: number;
}

/**
 * Which background trials stand in both registries, as arithmetic in both directions, so that either side of a pair
 * can be rendered without looking at the other. Trial j behind the planted ones may meet study j * stride.
 */
export class OverlapMap {
  readonly #seed: number;
  readonly #plantedCtgov: number;
  readonly #plantedIsrctn: number;
  readonly #ctgov: number;
  readonly #isrctn: number;
  readonly #stride: number;

  constructor(seed: number, planted: { ctgov: number; isrctn: number }, counts: { ctgov: number; isrctn: number }) {
    this.#seed = seed;
    this.#plantedCtgov = planted.ctgov;
    this.#plantedIsrctn = planted.isrctn;
    this.#ctgov = counts.ctgov;
    this.#isrctn = counts.isrctn;
    this.#stride = Math.max(
      1,
      Math.floor((counts.ctgov - planted.ctgov) / Math.max(1, counts.isrctn - planted.isrctn)),
    );
  }

  ofIsrctn(isrctnIndex: number): Overlap | null {
    const place = isrctnIndex - this.#plantedIsrctn;
    const ctgovIndex = this.#plantedCtgov + place * this.#stride;
    if (place < 0 || isrctnIndex >= this.#isrctn || ctgovIndex >= this.#ctgov) return null;
    const random = new Random(this.#seed, STREAM.overlap, isrctnIndex);
    return random.chance(OVERLAP) ? { kind: random.weighted(KINDS), ctgovIndex, isrctnIndex } : null;
  }

  ofCtgov(ctgovIndex: number): Overlap | null {
    const distance = ctgovIndex - this.#plantedCtgov;
    return distance >= 0 && distance % this.#stride === 0
      ? this.ofIsrctn(this.#plantedIsrctn + distance / this.#stride)
      : null;
  }

  *all(): Generator<Overlap> {
    for (let index = this.#plantedIsrctn; index < this.#isrctn; index++) {
      const overlap = this.ofIsrctn(index);
      if (overlap) yield overlap;
    }
  }
}

/** Shared numbers follow from the trial's place, behind those of the planted cases, so that no two trials share one. */
function sharedEudract(isrctnIndex: number): string {
  return eudractNumber(10_000 + isrctnIndex);
}

export function ctgovSide({ kind, isrctnIndex }: Overlap): CtgovPlant {
  switch (kind) {
    case 'mutual':
    case 'declared-by-ctgov':
      return { secondaryIds: [{ id: isrctnId(isrctnIndex), type: 'OTHER', domain: 'ISRCTN registry' }] };
    case 'shared-eudract':
      return { secondaryIds: [{ id: sharedEudract(isrctnIndex), type: 'EUDRACT_NUMBER' }] };
    case 'shared-utn':
      return { secondaryIds: [{ id: utn(10_000 + isrctnIndex), type: 'OTHER', domain: 'WHO' }] };
    default:
      return {};
  }
}

export function isrctnSide({ kind, ctgovIndex, isrctnIndex }: Overlap): IsrctnPlant {
  switch (kind) {
    case 'mutual':
    case 'declared-by-isrctn':
      return { clinicalTrialsGovNumber: nctId(ctgovIndex) };
    case 'shared-eudract':
      return { eudraCTNumber: sharedEudract(isrctnIndex) };
    case 'shared-utn':
      return { protocolSerialNumber: utn(10_000 + isrctnIndex) };
    default:
      return {};
  }
}
