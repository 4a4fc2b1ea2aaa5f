import { REGISTRY_IDS } from '../../contract/ids.ts';
import type { TrialListItem } from '../../contract/schemas/trials/trial.ts';
import { POSTING } from '../../snapshot/format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { madeOnce } from './image-cache.ts';
import { EMPTY, intersect, type RowSet, rowsOf, union } from './row-set.ts';

/** Rows of the trials whose `conflicts` name any of the fields, as the trials show them. */
export function rowsInConflict(image: SnapshotImage, fields: readonly string[]): RowSet {
  const byField = conflictsOf(image);
  const sets = fields.map((field): RowSet => {
    const words = Uint32Array.from(byField.get(field) ?? [], ({ row }) => row);
    return { form: 'list', count: words.length, words };
  });
  return union(sets, image.trials);
}

/** Only trials of both registries have conflicts, and they are few: they are read when this is first asked for. */
const conflictsOf = madeOnce((image: SnapshotImage) => {
  const inEach = REGISTRY_IDS.map((id) => image.posting(POSTING.registry + id) ?? EMPTY);
  const stated = [...rowsOf(intersect(inEach))].flatMap((row) => {
    // The slice has no closing brace: the registrations follow it.
    const { conflicts } = JSON.parse(`${image.slice(row, 'head')}}`) as Pick<TrialListItem, 'conflicts'>;
    return conflicts.map(({ field }) => ({ field: field as string, row }));
  });
  return Map.groupBy(stated, ({ field }) => field);
});
