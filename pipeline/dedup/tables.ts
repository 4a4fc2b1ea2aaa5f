import { readFile } from 'node:fs/promises';
import type { DuckDBAppender } from '@duckdb/node-api';
import type { RegistryId } from '../../contract/ids.ts';
import type { Database, JsonRow } from '../store/database.ts';
import type { HeldRegistration, TrialMember } from './canonical-ids.ts';
import type { LedgerRow } from './ledger.ts';
import type { Link, Relation } from './resolve.ts';

type Cell = string | boolean | null;

/** Throws when the tables of the normalise stage contradict themselves. */
export async function assertCorpus(db: Database): Promise<void> {
  const faults = await db.all(await readFile(new URL('corpus-faults.sql', import.meta.url), 'utf8'));
  if (faults.length === 0) return;
  const named = faults.map((row) => row.fault).join('; ');
  throw new Error(`the normalised tables contradict themselves: ${named}. Run the normalise stage again.`);
}

/** Every held registration with its first-posted date. At full scale 629,000 small objects. */
export async function readRegistrations(db: Database): Promise<HeldRegistration[]> {
  return collect(db, 'SELECT registry, id, first_posted_date."date" AS first_posted FROM registrations', (row) => ({
    registry: row.registry as RegistryId,
    id: row.id as string,
    firstPosted: row.first_posted as string | null,
  }));
}

/** The ledger that the last run left in the working database. */
export async function readLedger(db: Database): Promise<LedgerRow[]> {
  return collect(db, 'SELECT * FROM canonical_ids', (row) => ({
    canonicalId: row.canonical_id as string,
    foundingRegistry: row.founding_registry as RegistryId,
    foundingId: row.founding_id as string,
    state: row.state as LedgerRow['state'],
    aliasOf: row.alias_of as string | null,
    firstSeen: row.first_seen as string,
  }));
}

/** Members of the last run's trials that did not found them. */
export async function readFormerPartners(db: Database): Promise<Pick<TrialMember, 'canonicalId' | 'registrationId'>[]> {
  return collect(db, 'SELECT canonical_id, registration_id FROM trial_members WHERE NOT founding', (row) => ({
    canonicalId: row.canonical_id as string,
    registrationId: row.registration_id as string,
  }));
}

/** Superseded registry ids with the held registration that goes on for them. Needs the targets resolved. */
export async function readSuccessors(db: Database): Promise<Map<string, string>> {
  const pairs = await collect(
    db,
    'SELECT "value", target FROM dedup_targets WHERE "value" <> target',
    (row): [string, string] => [row.value as string, row.target as string],
  );
  return new Map(pairs);
}

/** How many cross references name a record of the other registry that is not held. Needs the targets resolved. */
export async function countUnresolved(db: Database): Promise<number> {
  const row = await db.one(await readFile(new URL('unresolved.sql', import.meta.url), 'utf8'));
  return Number(row?.unresolved);
}

export async function replaceLinks(db: Database, links: readonly Link[]): Promise<void> {
  await replace(db, 'links', links, (link) => [
    link.linkId,
    link.from.registry,
    link.from.id,
    link.to.registry,
    link.to.id,
    link.kind,
    link.rule,
    link.field,
    link.rawValue,
    link.toField,
    link.toRawValue,
    link.identifierType,
    link.identifierValue,
    link.direction,
    link.verdict,
    link.reason,
    link.conflict,
  ]);
}

export async function replaceRelations(db: Database, relations: readonly Relation[]): Promise<void> {
  await replace(db, 'relations', relations, (relation) => [
    relation.from.registry,
    relation.from.id,
    relation.to.registry,
    relation.to.id,
    relation.kind,
    relation.reason,
    relation.linkId,
  ]);
}

export async function replaceMembers(db: Database, members: readonly TrialMember[]): Promise<void> {
  await replace(db, 'trial_members', members, (member) => [
    member.canonicalId,
    member.registry,
    member.registrationId,
    member.founding,
  ]);
}

export async function replaceLedger(db: Database, ledger: readonly LedgerRow[]): Promise<void> {
  await replace(db, 'canonical_ids', ledger, (row) => [
    row.canonicalId,
    row.foundingRegistry,
    row.foundingId,
    row.state,
    row.aliasOf,
    row.firstSeen,
  ]);
}

/** Fills `identifiers` from the stated ones. Needs the targets resolved. */
export async function replaceIdentifiers(db: Database): Promise<void> {
  await db.run('DELETE FROM identifiers');
  await db.run(await readFile(new URL('identifiers.sql', import.meta.url), 'utf8'));
}

async function collect<T>(db: Database, sql: string, decode: (row: JsonRow) => T): Promise<T[]> {
  const collected: T[] = [];
  for await (const rows of db.stream(sql)) for (const row of rows) collected.push(decode(row));
  return collected;
}

/** Replaces a table's rows inside the caller's transaction; cells in the order of the table's columns. */
async function replace<T>(
  db: Database,
  table: 'links' | 'relations' | 'trial_members' | 'canonical_ids',
  items: readonly T[],
  cells: (item: T) => Cell[],
): Promise<void> {
  await db.run(`DELETE FROM ${table}`);
  const appender = await db.appender(table);
  for (const item of items) {
    for (const cell of cells(item)) appendCell(appender, cell);
    appender.endRow();
  }
  appender.closeSync();
}

function appendCell(appender: DuckDBAppender, cell: Cell): void {
  if (cell === null) appender.appendNull();
  else if (typeof cell === 'boolean') appender.appendBoolean(cell);
  else appender.appendVarchar(cell);
}
