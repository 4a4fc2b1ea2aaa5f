import type { RegistryId } from '../../contract/ids.ts';
import type { Effects } from '../effects.ts';
import { ledgerRoot } from '../publish/identity/table-root.ts';
import { appendRows, type Cell } from '../store/append-rows.ts';
import type { Database } from '../store/database.ts';
import {
  assignCanonicalIds,
  type CanonicalIdInputs,
  type HeldRegistration,
  type TrialMember,
} from './canonical-ids.ts';
import { readEvidence, sqlOf } from './evidence.ts';
import type { LedgerRow } from './ledger.ts';
import { type Link, type Merge, type Resolution, resolveEvidence } from './resolve.ts';
import { type DedupRules, type EvidenceRule, loadDedupRules, type RejectionRule } from './rules.ts';
import { findSuperseded } from './superseded.ts';

export interface DedupReport {
  rules: { id: string; sha256: string; count: number };
  /** Records that count, each in one trial. */
  registrations: number;
  /** Records that count no more, because the registry keeps another in their place. */
  superseded: number;
  trials: number;
  /** Trials that hold a registration of both registries. */
  merged: number;
  linksAccepted: number;
  linksRejected: number;
  /** In order of rule, verdict and reason; `reason` is null for accepted links. */
  links: { rule: EvidenceRule; verdict: Link['verdict']; reason: RejectionRule | null; count: number }[];
  /** Links that carry `conflict`. */
  conflicts: number;
  relations: number;
  /** Cross references to a record of the other registry that is not held, each registration and id once. */
  unresolved: number;
  /** Pairs across the registries by their strongest evidence, whatever the verdict. */
  pairs: Resolution['pairs'];
  canonicalIds: { current: number; alias: number; retired: number; given: number };
}

const STAGE = 'dedup';

/**
 * Finds which registrations are one trial, from the `registrations` and `stated_identifiers` tables, and replaces
 * `links`, `relations`, `trial_members`, `canonical_ids`, `identifiers`, which registrations are superseded, and its row of
 * `stage_state` in one transaction: killed or failed at any point, it leaves the previous run's state unchanged. Continues
 * the ledger in `canonical_ids`. Throws on invalid rules, or on a ledger that contradicts itself.
 */
export async function dedup(db: Database, effects: Effects): Promise<DedupReport> {
  const rules = await loadDedupRules();
  const now = effects.now().toISOString();
  return db.transaction(async () => {
    const ledgerBefore = await ledgerRoot(db);
    const claims = await findSuperseded(db);
    await db.run(await sqlOf('targets.sql'));
    const resolution = resolveEvidence(await readEvidence(db), claims);
    effects.checkpoint('dedup:resolved');

    const before = await readLedger(db);
    const newest = await db.one('SELECT max(retrieved_at)::VARCHAR AS newest FROM registrations');
    const { members, ledger } = assignCanonicalIds({
      trials: await formTrials(db, resolution.merges),
      successors: await readSuccessors(db),
      ledger: before,
      formerPartners: await readFormerPartners(db),
      // It follows from the inputs, so that equal inputs give equal files.
      now: (newest?.newest ?? now) as string,
    });
    effects.checkpoint('dedup:named');

    await writeTables(db, effects, resolution, members, ledger);
    const report = await makeReport(db, rules, resolution.pairs, ledger.length - before.length);
    await recordStage(db, now, { rules, ledger: ledgerBefore }, report);
    effects.checkpoint('dedup:before-commit');
    return report;
  });
}

/** Trials as lists of the registrations that count: one for each merge, and one for each registration without a merge. */
async function formTrials(db: Database, merges: readonly Merge[]): Promise<HeldRegistration[][]> {
  const mergeOf = new Map(merges.flatMap((merge) => merge.map(({ id }) => [id, merge] as const)));
  const trials: HeldRegistration[][] = [];
  const merged = new Map<Merge, HeldRegistration[]>();
  const columns = db.streamColumns(
    'SELECT registry, id, first_posted_date."date" FROM registrations WHERE superseded_by IS NULL',
  );
  for await (const [registries, ids, days] of columns as AsyncIterable<[RegistryId[], string[], (string | null)[]]>) {
    for (const [row, id] of ids.entries()) {
      const registration = { registry: registries[row]!, id, firstPosted: days[row] ?? null };
      const merge = mergeOf.get(registration.id);
      const begun = merge && merged.get(merge);
      begun?.push(registration);
      if (begun === undefined) trials.push([registration]);
      if (merge !== undefined && begun === undefined) merged.set(merge, trials.at(-1)!);
    }
  }
  return trials;
}

/** The previous run's ledger in the working database. */
async function readLedger(db: Database): Promise<LedgerRow[]> {
  const ledger: LedgerRow[] = [];
  const rows = db.stream(
    `SELECT canonical_id AS "canonicalId", founding_registry AS "foundingRegistry", founding_id AS "foundingId", state,
       alias_of AS "aliasOf", first_seen AS "firstSeen", partner_id AS "partnerId" FROM canonical_ids`,
  );
  for await (const some of rows) ledger.push(...(some as unknown as LedgerRow[]));
  return ledger;
}

/** Members of the previous run's trials other than their founders. */
async function readFormerPartners(db: Database): Promise<CanonicalIdInputs['formerPartners']> {
  const rows = await db.all(
    'SELECT canonical_id AS "canonicalId", registration_id AS "registrationId" FROM trial_members WHERE NOT founding',
  );
  return rows as unknown as CanonicalIdInputs['formerPartners'];
}

/** Superseded registry ids, each with the held registration that succeeds it. */
async function readSuccessors(db: Database): Promise<Map<string, string>> {
  const pairs = await db.all('SELECT "value", target FROM dedup_targets WHERE "value" <> target');
  return new Map(pairs.map(({ value, target }) => [String(value), String(target)]));
}

async function writeTables(
  db: Database,
  effects: Effects,
  { links, relations }: Pick<Resolution, 'links' | 'relations'>,
  members: readonly TrialMember[],
  ledger: readonly LedgerRow[],
): Promise<void> {
  let done = 0;
  const progress = (label: string): void =>
    effects.progress({ stage: STAGE, label, done: ++done, total: 5, unit: 'tables' });
  const write = async (table: string, rows: Iterable<readonly Cell[]>): Promise<void> => {
    await db.run(`DELETE FROM ${table}`);
    await appendRows(db, table, rows);
    progress(table);
  };
  await write('links', links.values().map(linkCells));
  const ends = relations.values().map(({ from, to, kind, reason, linkId }) => {
    return [from.registry, from.id, to.registry, to.id, kind, reason, linkId];
  });
  await write('relations', ends);
  const membership = members.values().map(({ canonicalId, registry, registrationId, founding }) => {
    return [canonicalId, registry, registrationId, founding];
  });
  await write('trial_members', membership);
  const given = ledger.values().map((row) => {
    const founder = [row.canonicalId, row.foundingRegistry, row.foundingId];
    return [...founder, row.state, row.aliasOf, row.firstSeen, row.partnerId];
  });
  await write('canonical_ids', given);
  await db.run(
    `DELETE FROM identifiers;
     INSERT INTO identifiers
     SELECT registry, registration_id, "type", "value", "role", field, raw_value, suspect, target IS NOT NULL, target
     FROM dedup_stated`,
  );
  progress('identifiers');
}

function linkCells({ linkId, from, to, ...link }: Link): Cell[] {
  return [
    ...[linkId, from.registry, from.id, to.registry, to.id, link.kind, link.rule, link.field, link.rawValue],
    ...[link.toField, link.toRawValue, link.identifierType, link.identifierValue],
    ...[link.direction, link.verdict, link.reason, link.conflict],
  ];
}

async function makeReport(
  db: Database,
  { id, sha256, rules }: DedupRules,
  pairs: Resolution['pairs'],
  given: number,
): Promise<DedupReport> {
  const row = (await db.one(await sqlOf('report.sql'))) as Record<string, number>;
  const { current = 0, alias = 0, retired = 0, ...figures } = row;
  const links = await db.all(
    `SELECT rule, verdict, reason, count(*)::DOUBLE AS "count" FROM links GROUP BY ALL
     ORDER BY rule, verdict, reason NULLS FIRST`,
  );
  return {
    rules: { id, sha256, count: rules.length },
    ...(figures as Pick<DedupReport, 'registrations' | 'superseded' | 'trials' | 'merged' | 'linksAccepted'> &
      Pick<DedupReport, 'linksRejected' | 'conflicts' | 'relations' | 'unresolved'>),
    links: links as DedupReport['links'],
    pairs,
    canonicalIds: { current, alias, retired, given },
  };
}

async function recordStage(
  db: Database,
  now: string,
  { rules: { id, sha256 }, ledger }: { rules: DedupRules; ledger: string },
  report: DedupReport,
): Promise<void> {
  const normalise = await db.one(`SELECT completed_at, inputs FROM stage_state WHERE stage = 'normalise'`);
  const inputs = { rules: { id, sha256 }, normalise, ledger };
  await db.run('DELETE FROM stage_state WHERE stage = $1', [STAGE]);
  const row = [STAGE, now, JSON.stringify(inputs), JSON.stringify(report)];
  await db.run('INSERT INTO stage_state VALUES ($1, $2, $3, $4)', row);
  await db.run('DROP VIEW dedup_stated; DROP TABLE dedup_targets; DROP TABLE dedup_successors');
}
