import { readFile } from 'node:fs/promises';
import type { RegistryId } from '../../contract/ids.ts';
import type { Database, JsonRow } from '../store/database.ts';
import { DECLARED_RULE, type EvidenceRule } from './rules.ts';

export interface RegistrationRef {
  registry: RegistryId;
  /** With its prefix, which names the registry. */
  id: string;
}

/** One statement that two held registrations belong together. */
export interface Evidence {
  kind: 'explicit-cross-reference' | 'shared-identifier';
  rule: EvidenceRule;
  /** The side that declares; for a shared number the ClinicalTrials.gov side. */
  from: RegistrationRef;
  /** The side that the evidence counts for: `from`, or the record that superseded it. */
  standsFor: RegistrationRef;
  to: RegistrationRef;
  field: string;
  rawValue: string;
  /** The other side's field and its content, for a shared number; else null. */
  toField: string | null;
  toRawValue: string | null;
  identifierType: string;
  identifierValue: string;
  /** False for a number that several records of a registry hold; such evidence is shown but not counted. */
  counts: boolean;
  /** True where the record says that the number is its parent's, sub-study's or extension's: the pair never merges. */
  relates: boolean;
}

/** One registration that holds a shared number. */
export interface NumberHolder extends RegistrationRef {
  /** The record that states it: `id`, or one that it superseded. */
  by: string;
  type: 'eudract' | 'euct' | 'utn';
  value: string;
  field: string;
  rawValue: string;
  /** As in `Evidence`. */
  relates: boolean;
}

/** Above this many holders, a number gives one link per holder instead of one per pair, so that links grow linearly. */
export const MAX_HOLDERS_FOR_ALL_PAIRS = 10;

const SHARED_RULE: Record<NumberHolder['type'], EvidenceRule> = {
  eudract: 'shared-eudract',
  euct: 'shared-euct',
  utn: 'shared-utn',
};

/** Makes the temporary tables that say which held registration a stated id means (`dedup_targets`, `dedup_stated`). Needs `findSuperseded`. */
export async function resolveTargets(db: Database): Promise<void> {
  await db.run(await readFile(new URL('targets.sql', import.meta.url), 'utf8'));
}

/** All evidence between held registrations, in no particular order; tens of thousands of rows at full scale. */
export async function readEvidence(db: Database): Promise<Evidence[]> {
  const evidence: Evidence[] = [];
  const explicit = db.stream(`
    SELECT DISTINCT registry, registration_id, stands_for, named_registry, target, "type", "value", "role", field, raw_value
    FROM dedup_stated
    WHERE "role" NOT IN ('own', 'alias') AND target IS NOT NULL AND target <> stands_for`);
  for await (const rows of explicit) for (const row of rows) evidence.push(decodeReference(row));

  let group: NumberHolder[] = [];
  for await (const rows of db.stream(await readFile(new URL('shared.sql', import.meta.url), 'utf8'))) {
    for (const holder of rows.map(decodeHolder)) {
      const first = group[0];
      if (first !== undefined && (first.type !== holder.type || first.value !== holder.value)) {
        evidence.push(...sharedNumberEvidence(group));
        group = [];
      }
      group.push(holder);
    }
  }
  evidence.push(...sharedNumberEvidence(group));
  return evidence;
}

/** Evidence from the holders of one number, each registration once and in order of id. */
export function sharedNumberEvidence(holders: readonly NumberHolder[]): Evidence[] {
  const ctgov = holders.filter((holder) => holder.registry === 'clinicaltrials_gov');
  const isrctn = holders.filter((holder) => holder.registry === 'isrctn');
  const [ownCtgov, ownIsrctn] = [ctgov, isrctn].map((side) => side.filter((holder) => !holder.relates));
  const firstCtgov = ownCtgov?.[0] ?? ctgov[0];
  const firstIsrctn = ownIsrctn?.[0] ?? isrctn[0];
  if (firstCtgov === undefined || firstIsrctn === undefined) return [];
  const counts = ownCtgov?.length === 1 && ownIsrctn?.length === 1;
  const pairs: [NumberHolder, NumberHolder][] =
    holders.length <= MAX_HOLDERS_FOR_ALL_PAIRS
      ? ctgov.flatMap((from) => isrctn.map((to): [NumberHolder, NumberHolder] => [from, to]))
      : [
          ...ctgov.map((from): [NumberHolder, NumberHolder] => [from, firstIsrctn]),
          ...isrctn.filter((to) => to !== firstIsrctn).map((to): [NumberHolder, NumberHolder] => [firstCtgov, to]),
        ];
  return pairs.map(([from, to]) => ({
    kind: 'shared-identifier',
    rule: SHARED_RULE[from.type],
    from: { registry: from.registry, id: from.by },
    standsFor: { registry: from.registry, id: from.id },
    to: { registry: to.registry, id: to.id },
    field: from.field,
    rawValue: from.rawValue,
    toField: to.field,
    toRawValue: to.rawValue,
    identifierType: from.type,
    identifierValue: from.value,
    counts,
    relates: from.relates || to.relates,
  }));
}

function decodeReference(row: JsonRow): Evidence {
  const registry = row.registry as RegistryId;
  return {
    kind: 'explicit-cross-reference',
    rule: row.role === 'repaired' ? 'read-by-repair' : DECLARED_RULE[registry],
    from: { registry, id: row.registration_id as string },
    standsFor: { registry, id: row.stands_for as string },
    to: { registry: row.named_registry as RegistryId, id: row.target as string },
    field: row.field as string,
    rawValue: row.raw_value as string,
    toField: null,
    toRawValue: null,
    identifierType: row.type as string,
    identifierValue: row.value as string,
    counts: true,
    relates: row.role === 'related',
  };
}

function decodeHolder(row: JsonRow): NumberHolder {
  return {
    type: row.type as NumberHolder['type'],
    value: row.value as string,
    registry: row.registry as RegistryId,
    id: row.id as string,
    by: row.by as string,
    field: row.field as string,
    rawValue: row.raw_value as string,
    relates: row.relates as boolean,
  };
}
