import type { Measure } from './measure.ts';
import { dedupPairs } from './measures/dedup-pairs.ts';
import { malformedIds } from './measures/malformed-ids.ts';
import { modality } from './measures/modality.ts';
import { plantedPairs } from './measures/planted-pairs.ts';
import { topics } from './measures/topics.ts';

/** In the order of docs/truth.md. */
export const MEASURES: readonly Measure[] = [dedupPairs, malformedIds, plantedPairs, modality, topics];

/** What has no measure yet, and why. */
export const UNMEASURED: readonly { what: string; why: string }[] = [
  {
    what: 'Dedup: pairs that name each other nowhere',
    why: 'no list of such pairs is held; rules that read identifiers only cannot find them ([deduplication](deduplication.md#limits))',
  },
];
