import { columnName } from './field-shapes.ts';
import { type Column, MERGE_RULES, type RegistryField } from './field-types.ts';
import { RECORD_COLUMNS, REGISTRY_FIELDS, TRIAL_COLUMNS } from './registry-fields.ts';

/** A column of the published tables `registrations` and `trials`, in plain words. */
export interface DictionaryEntry {
  column: string;
  tables: readonly ('registrations' | 'trials')[];
  type: Column['type'];
  /** Every value of a column of words. */
  words: readonly string[] | null;
  meaning: string;
  /** What null means; the column is never null where this is null. */
  null: string | null;
  clinicaltrialsGov: string | null;
  isrctn: string | null;
  /** What a reader must know before trusting it. */
  defect: string | null;
  /** How a trial of two registrations shows it; null where a trial does not show it, or has it of its own. */
  merged: string | null;
  /** Whether the comparison of two snapshots looks at it. */
  compared: boolean;
}

/** Every column in the order of the tables: a registration's record, a trial's own, then what registries state. */
export function dataDictionary(): DictionaryEntry[] {
  return [
    ...Object.entries(RECORD_COLUMNS).map(([name, column]) => entryOf(name, column, ['registrations'])),
    ...Object.entries(TRIAL_COLUMNS).map(([name, column]) => entryOf(name, column, ['trials'])),
    ...Object.entries(REGISTRY_FIELDS).map(([name, field]) =>
      entryOf(name, field, field.trial === null ? ['registrations'] : ['registrations', 'trials']),
    ),
  ];
}

function entryOf(name: string, column: Column & Partial<RegistryField>, tables: DictionaryEntry['tables']) {
  return {
    column: columnName(name),
    tables,
    type: column.type,
    words: column.words ?? null,
    meaning: column.meaning,
    null: column.null ?? null,
    clinicaltrialsGov: column.source?.clinicaltrials_gov ?? null,
    isrctn: column.source?.isrctn ?? null,
    defect: column.defect ?? null,
    merged: column.trial === undefined || column.trial === null ? null : MERGE_RULES[column.trial],
    compared: column.hashed !== false,
  };
}
