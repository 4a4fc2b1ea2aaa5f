import { readFile } from 'node:fs/promises';
import type { DuckDBAppender } from '@duckdb/node-api';
import type { RegistryId } from '../../contract/ids.ts';
import type { Database } from '../store/database.ts';
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

/** Every held registration that counts, with its first-posted date. */
export async function readRegistrations(db: Database): Promise<HeldRegistration[]> {
  const columns = ['r.registry', 'r.id', 'r.first_posted_date."date"'];
  const held = 'registrations r WHERE r.superseded_by IS NULL';
  return collect(db, columns, held, ([registry, id, date]) => ({
    registry: registry as RegistryId,
    id: id as string,
    firstPosted: date as string | null,
  }));
}

/** The previous run's ledger in the working database. */
export async function readLedger(db: Database): Promise<LedgerRow[]> {
  const columns = ['canonical_id', 'founding_registry', 'founding_id', 'state', 'alias_of', 'first_seen', 'partner_id'];
  return collect(db, columns, 'canonical_ids', (row) => ({
    canonicalId: row[0] as string,
    foundingRegistry: row[1] as RegistryId,
    foundingId: row[2] as string,
    state: row[3] as LedgerRow['state'],
    aliasOf: row[4] as string | null,
    firstSeen: row[5] as string,
    partnerId: row[6] as string | null,
  }));
}

/** Members of the previous run's trials other than their founders. */
export async function readFormerPartners(db: Database): Promise<Pick<TrialMember, 'canonicalId' | 'registrationId'>[]> {
  const partners = 'trial_members WHERE NOT founding';
  return collect(db, ['canonical_id', 'registration_id'], partners, ([id, member]) => ({
    canonicalId: id as string,
    registrationId: member as string,
  }));
}

/** Superseded registry ids, each with the held registration that succeeds it. Needs resolved targets. */
export async function readSuccessors(db: Database): Promise<Map<string, string>> {
  const successors = new Map<string, string>();
  const pairs = db.stream('SELECT "value", target FROM dedup_targets WHERE "value" <> target');
  for await (const rows of pairs) for (const row of rows) successors.set(row.value as string, row.target as string);
  return successors;
}

/** When the newest record was retrieved, ISO 8601; null without any. It follows from the inputs, so that equal inputs give equal files. */
export async function newestRetrieval(db: Database): Promise<string | null> {
  const row = await db.one('SELECT max(retrieved_at)::VARCHAR AS newest FROM registrations');
  return (row?.newest ?? null) as string | null;
}

export async function countSuperseded(db: Database): Promise<number> {
  const row = await db.one('SELECT count(superseded_by)::DOUBLE AS superseded FROM registrations');
  return Number(row?.superseded);
}

/** Number of cross references to a record of the other registry that is not held. Needs resolved targets. */
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
    row.partnerId,
  ]);
}

/** Replaces `identifiers` by the stated ones with the records that they mean. Needs resolved targets. */
export async function replaceIdentifiers(db: Database): Promise<void> {
  await db.run(
    `DELETE FROM identifiers;
     INSERT INTO identifiers
     SELECT registry, registration_id, "type", "value", "role", field, raw_value, suspect, target IS NOT NULL, target
     FROM dedup_stated`,
  );
}

/** Rows decoded from their cells, which are in the order of `columns`. */
async function collect<T>(
  db: Database,
  columns: readonly string[],
  from: string,
  decode: (cells: (string | null)[]) => T,
): Promise<T[]> {
  const collected: T[] = [];
  for await (const values of db.streamColumns(`SELECT ${columns.join(', ')} FROM ${from}`)) {
    const texts = values as (string | null)[][];
    for (let row = 0; row < texts[0]!.length; row += 1) collected.push(decode(texts.map((column) => column[row]!)));
  }
  return collected;
}

type WrittenTable = 'links' | 'relations' | 'trial_members' | 'canonical_ids';

/** Replaces a table's rows inside the caller's transaction; cells in the order of the table's columns. */
async function replace<T>(
  db: Database,
  table: WrittenTable,
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
