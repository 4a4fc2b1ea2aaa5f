import { REGISTRY_IDS } from '../../contract/ids.ts';
import type { TrialListItem } from '../../contract/schemas/trials/trial.ts';
import { POSTING } from '../../snapshot/format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { EMPTY, intersect, type RowSet, rowsOf, union } from './row-set.ts';

const byImage = new WeakMap<SnapshotImage, ReadonlyMap<string, RowSet>>();

/** Rows of the trials whose `conflicts` name any of the fields, as the trials show them. */
export function rowsInConflict(image: SnapshotImage, fields: readonly string[]): RowSet {
  const byField = byImage.get(image) ?? readConflicts(image);
  byImage.set(image, byField);
  return union(
    fields.flatMap((field) => byField.get(field) ?? []),
    image.trials,
  );
}

/** Only trials of both registries have conflicts, and they are few: they are read when this is first asked for. */
function readConflicts(image: SnapshotImage): ReadonlyMap<string, RowSet> {
  const inEach = REGISTRY_IDS.map((id) => image.posting(POSTING.registry + id) ?? EMPTY);
  const rowsByField = new Map<string, number[]>();
  for (const row of rowsOf(intersect(inEach))) {
    // The slice has no closing brace: the registrations follow it.
    const { conflicts } = JSON.parse(`${image.slice(row, 'head')}}`) as Pick<TrialListItem, 'conflicts'>;
    for (const { field } of conflicts) {
      const rows = rowsByField.get(field);
      if (rows === undefined) rowsByField.set(field, [row]);
      else rows.push(row);
    }
  }
  return new Map(
    [...rowsByField].map(([field, rows]) => [
      field,
      { form: 'list', count: rows.length, words: Uint32Array.from(rows) },
    ]),
  );
}
