import { MODALITY_IDS } from '../../../contract/declared/modality.ts';
import type { TrendSplit } from '../../../contract/schemas/trials/trend.ts';
import { PHASES, TRIAL_STATUSES } from '../../../contract/vocabularies.ts';
import type { Modalities } from '../../modality/modalities.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import type { TrialFilters } from '../filters.ts';
import { countryName, rowsByCountry } from '../groupings/countries.ts';
import { intersect, type RowSet } from '../row-set.ts';
import type { Split, ValueRows } from './trend.ts';

/** What a trend is split by. Waits for the modalities where they are not inferred yet. */
export async function splitOf(
  image: SnapshotImage,
  by: TrendSplit,
  modalities: Modalities,
  asked: TrialFilters,
): Promise<Split> {
  const { phase, status } = image.columns;
  if (by === 'phase') return { key: by, exclusive: true, column: phase, vocabulary: PHASES };
  if (by === 'status') return { key: by, exclusive: true, column: status, vocabulary: TRIAL_STATUSES };
  if (by === 'country')
    return { key: by, exclusive: false, valuesOf: (matching) => ofCountries(image, matching, asked) };
  const groups: ValueRows[] = [];
  for (const value of MODALITY_IDS) groups.push({ value, rows: await modalities.rowsWith(image, [value]) });
  return {
    key: `${by} ${modalities.vocabulary}`,
    exclusive: false,
    valuesOf: (matching) => groups.map(({ value, rows }) => ({ value, rows: intersect([matching, rows]) })),
  };
}

/** Countries that a registration of the trial names, as the filter `country` finds them. */
function ofCountries(image: SnapshotImage, matching: RowSet, asked: TrialFilters): ValueRows[] {
  return rowsByCountry(image, asked).map(({ folded, rows }) => ({
    value: countryName(image, folded),
    rows: intersect([matching, rows]),
  }));
}
