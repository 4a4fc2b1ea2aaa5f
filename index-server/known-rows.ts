import { FIELD_LIST, SHOWN_FIELDS } from '../contract/fields/field-shapes.ts';
import type { TrialRecord } from '../contract/schemas/trials/trial.ts';
import { columnValues, ORIGIN_COLUMNS } from '../snapshot/sql/fields.ts';
import type { KnownTrial } from '../snapshot/sql/proof-bundle.ts';

const SERVED_FIELDS = FIELD_LIST.filter(({ json }) => json !== null);

/**
 * The values of the tables' columns that a trial's served record shows, so that a proof need not read them from Parquet. It does not
 * show a trial's founding record and, where it has two registrations, not its origins and whose text on eligibility it has; that is
 * taken for the first one's, as nearly always.
 */
export function knownRows(record: TrialRecord): KnownTrial {
  const idIn = (registry: string): string | null =>
    record.registrations.find((registration) => registration.registry === registry)?.id ?? null;
  const shown = columnValues(record, SHOWN_FIELDS);
  const [first, second] = record.registrations;
  const trial = {
    canonical_id: record.canonicalId,
    aliases: record.aliases,
    ctgov_id: idIn('clinicaltrials_gov'),
    isrctn_id: idIn('isrctn'),
    registries: record.registries,
    ...shown,
    ...(second === undefined ? { origins: originsIn(shown, first!.registry) } : {}),
  };
  const registrations = record.registrations.map((registration) => {
    const { registry, id, url, aliases, checksum, sourceVersion, fields } = registration;
    const values = {
      registry,
      id,
      url,
      aliases,
      payload_sha256: checksum.replace('sha256:', ''),
      source_version: sourceVersion,
      superseded_by: null,
      ...columnValues(fields, SERVED_FIELDS),
      ...(registration === first ? { eligibility_text: record.eligibilityText } : {}),
    };
    return [id, values] as const;
  });
  return { trial, registrations: new Map(registrations), hasLinks: record.evidence.length > 0 };
}

/** The origins of a trial of one registration. */
function originsIn(shown: Readonly<Record<string, unknown>>, registry: string): Record<string, string | null> {
  return Object.fromEntries(
    ORIGIN_COLUMNS.map(({ column }) => [column, statesSomething(shown[column]) ? registry : null]),
  );
}

/** Whether a registry says something by a value of a column; `originOf` has the same in SQL. */
function statesSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== null && value !== 'unknown' && value !== 'not-stated';
}
