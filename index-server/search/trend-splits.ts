import { MODALITY_IDS } from '../../contract/modality.ts';
import type { TrendSplit } from '../../contract/schemas/trend.ts';
import { PHASES, TRIAL_STATUSES } from '../../contract/vocabularies.ts';
import { COUNTRY_NAMES } from '../../snapshot-format/countries.ts';
import { foldTerm, POSTING } from '../../snapshot-format/serving-columns.ts';
import type { Modalities } from '../modality/modalities.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { readTrial } from './held-trial.ts';
import { intersect, pageOf, type RowSet } from './row-set.ts';
import type { Split, ValueRows } from './trend.ts';

/** What a trend is split by. Waits for the modalities where they are not inferred yet. */
export async function splitOf(image: SnapshotImage, by: TrendSplit, modalities: Modalities): Promise<Split> {
  const { phase, status } = image.columns;
  if (by === 'phase') return { key: by, exclusive: true, column: phase, vocabulary: PHASES };
  if (by === 'status') return { key: by, exclusive: true, column: status, vocabulary: TRIAL_STATUSES };
  if (by === 'country') return { key: by, exclusive: false, valuesOf: (matching) => ofCountries(image, matching) };
  const groups: ValueRows[] = [];
  for (const value of MODALITY_IDS) groups.push({ value, rows: await modalities.rowsWith(image, [value]) });
  return {
    key: `${by} ${modalities.vocabulary}`,
    exclusive: false,
    valuesOf: (matching) => groups.map(({ value, rows }) => ({ value, rows: intersect([matching, rows]) })),
  };
}

/** Countries that a registration of the trial names, as the filter `country` finds them. */
function ofCountries(image: SnapshotImage, matching: RowSet): ValueRows[] {
  return image.postingsFrom(POSTING.country).map(({ rest, posting }) => {
    const rows = intersect([matching, posting]);
    return { value: countryName(image, rest, rows), rows };
  });
}

const NAMES = new Map(COUNTRY_NAMES.map((name) => [foldTerm(name), name]));

/** The name as records have it; a place that no rule knows is read from one of its trials. */
export function countryName(image: SnapshotImage, folded: string, rows: RowSet): string {
  const known = NAMES.get(folded);
  const [first] = pageOf(rows, 0, 1);
  if (known !== undefined || first === undefined) return known ?? folded;
  const stated = readTrial(image, first).registrations.flatMap(({ fields }) => fields.countries);
  return stated.find((name) => foldTerm(name) === folded) ?? folded;
}
