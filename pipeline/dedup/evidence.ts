import { readFile } from 'node:fs/promises';
import { REGISTRY_IDS, type RegistryId } from '../../contract/ids.ts';
import type { Database } from '../store/database.ts';
import type { EvidenceRule } from './rules.ts';

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

/** SQL of this folder. */
export function sqlOf(name: string): Promise<string> {
  return readFile(new URL(name, import.meta.url), 'utf8');
}

/** All evidence between held registrations, in no particular order; tens of thousands of rows at full scale. Needs targets.sql. */
export async function readEvidence(db: Database): Promise<Evidence[]> {
  const evidence: Evidence[] = [];
  for await (const rows of db.stream(await sqlOf('evidence.sql'))) evidence.push(...(rows as unknown as Evidence[]));
  return evidence;
}

/** Order by UTF-16 code units: the same on every machine, unlike a locale's. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** ClinicalTrials.gov before ISRCTN, then by id. */
export function compareRegistrations(a: RegistrationRef, b: RegistrationRef): number {
  return REGISTRY_IDS.indexOf(a.registry) - REGISTRY_IDS.indexOf(b.registry) || compareText(a.id, b.id);
}
