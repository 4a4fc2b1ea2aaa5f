import type { Measure } from './measure.ts';
import { dedupPairs } from './measures/dedup-pairs.ts';
import { fieldMapping } from './measures/field-mapping.ts';
import { filters } from './measures/filters.ts';
import { malformedIds } from './measures/malformed-ids.ts';
import { MODALITY_MEASURES } from './measures/modality.ts';
import { naturalQueries } from './measures/natural-queries.ts';
import { nestedNames } from './measures/nested-names.ts';
import { plantedPairs } from './measures/planted-pairs.ts';
import { statuses } from './measures/statuses.ts';
import { topics, topicsByConcepts } from './measures/topics.ts';

/** In the order of docs/truth.md. */
export const MEASURES: readonly Measure[] = [
  dedupPairs,
  malformedIds,
  plantedPairs,
  fieldMapping,
  statuses,
  ...MODALITY_MEASURES,
  topics,
  topicsByConcepts,
  naturalQueries,
  nestedNames,
  filters,
];

/** What has no measure yet, and why. */
export const UNMEASURED: readonly { what: string; why: string }[] = [
  {
    what: 'Recruitment status of the ISRCTN export',
    why: 'its XML form repeats the dates of the trial as those of recruitment, and its CSV form states the status itself',
  },
  {
    what: 'Statuses that the sample does not hold: withdrawn, suspended and expanded access of ClinicalTrials.gov',
    why: 'no drawn study has one; the words are read by a fixed table, which tests of the normaliser hold',
  },
  {
    what: 'Sites and ages beyond what filters ask of them, arms, eligibility text',
    why: 'no reader has written down what they should be',
  },
  {
    what: 'Dedup: pairs that name each other nowhere',
    why: 'no list of such pairs is held; rules that read identifiers only cannot find them ([deduplication](deduplication.md#limits))',
  },
];
