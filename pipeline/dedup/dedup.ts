import type { Effects } from '../effects.ts';
import { ledgerRoot } from '../publish/identity/table-root.ts';
import type { Database } from '../store/database.ts';
import { assignCanonicalIds, type HeldRegistration, type TrialMember } from './canonical-ids.ts';
import { readEvidence, resolveTargets } from './evidence.ts';
import type { LedgerRow } from './ledger.ts';
import { compareText } from './order.ts';
import { type Link, type Merge, type Resolution, resolveEvidence } from './resolve.ts';
import { DEDUP_RULES_PATH, type DedupRules, type EvidenceRule, loadDedupRules, type RejectionRule } from './rules.ts';
import { findSuperseded } from './superseded.ts';
import * as tables from './tables.ts';

export interface DedupInputs {
  /** Ledger to continue, e.g. the parent snapshot's `canonical_ids`; default: the working database's own. */
  previousLedger?: readonly LedgerRow[];
  /** Members of that snapshot's trials other than their founders; used only with `previousLedger`. */
  previousPartners?: readonly Pick<TrialMember, 'canonicalId' | 'registrationId'>[];
  /** Root of that ledger; used only with `previousLedger`. */
  previousRoot?: string;
  /** Rule file; default: the repository's. */
  rulesPath?: string | URL;
}

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
 * `links`, `relations`, `trial_members`, `canonical_ids`, `identifiers`, which registrations are superseded, and its row of `stage_state` in one
 * transaction: killed or failed at any point, it leaves the previous run's state unchanged. Throws on invalid rules, or on
 * a corpus or ledger that contradicts itself.
 */
export async function dedup(inputs: DedupInputs, db: Database, effects: Effects): Promise<DedupReport> {
  const rules = await loadDedupRules(inputs.rulesPath ?? DEDUP_RULES_PATH);
  const now = effects.now().toISOString();
  return db.transaction(async () => {
    const ledgerBefore = inputs.previousLedger === undefined ? await ledgerRoot(db) : (inputs.previousRoot ?? null);
    await tables.assertCorpus(db);
    const claims = await findSuperseded(db);
    await resolveTargets(db);
    const resolution = resolveEvidence(await readEvidence(db), claims);
    effects.checkpoint('dedup:resolved');

    const registrations = await tables.readRegistrations(db);
    const trials = formTrials(registrations, resolution.merges);
    const previousLedger = inputs.previousLedger ?? (await tables.readLedger(db));
    const { members, ledger } = assignCanonicalIds({
      trials,
      successors: await tables.readSuccessors(db),
      ledger: previousLedger,
      formerPartners:
        inputs.previousLedger === undefined ? await tables.readFormerPartners(db) : (inputs.previousPartners ?? []),
      now: (await tables.newestRetrieval(db)) ?? now,
    });
    effects.checkpoint('dedup:named');

    const corpus = {
      registrations: registrations.length,
      superseded: await tables.countSuperseded(db),
      trials: trials.length,
      unresolved: await tables.countUnresolved(db),
    };
    const given = ledger.length - previousLedger.length;
    const report = makeReport(rules, corpus, resolution, { rows: ledger, given });
    await writeTables(db, effects, { ...resolution, members, ledger });
    await recordStage(db, now, { rules, ledger: ledgerBefore }, report);
    effects.checkpoint('dedup:before-commit');
    return report;
  });
}

/** What the stage began with, as its record tells. */
interface DedupOrigin {
  rules: DedupRules;
  /** Root of the ledger; null where it came from outside without one. */
  ledger: string | null;
}

/** Trials as lists of registrations: one for each merge, and one for each registration without a merge. */
function formTrials(registrations: readonly HeldRegistration[], merges: readonly Merge[]): HeldRegistration[][] {
  const mergeOf = new Map(merges.flatMap((merge) => merge.map(({ id }) => [id, merge] as const)));
  const trials: HeldRegistration[][] = [];
  const merged = new Map<Merge, HeldRegistration[]>();
  for (const registration of registrations) {
    const merge = mergeOf.get(registration.id);
    const begun = merge && merged.get(merge);
    if (begun !== undefined) {
      begun.push(registration);
      continue;
    }
    const trial = [registration];
    trials.push(trial);
    if (merge !== undefined) merged.set(merge, trial);
  }
  return trials;
}

type NamedTrials = ReturnType<typeof assignCanonicalIds>;

async function writeTables(
  db: Database,
  effects: Effects,
  { links, relations, members, ledger }: Pick<Resolution, 'links' | 'relations'> & NamedTrials,
): Promise<void> {
  const steps: [table: string, write: () => Promise<void>][] = [
    ['links', () => tables.replaceLinks(db, links)],
    ['relations', () => tables.replaceRelations(db, relations)],
    ['trial_members', () => tables.replaceMembers(db, members)],
    ['canonical_ids', () => tables.replaceLedger(db, ledger)],
    ['identifiers', () => tables.replaceIdentifiers(db)],
  ];
  for (const [index, [table, write]] of steps.entries()) {
    await write();
    effects.progress({ stage: STAGE, label: table, done: index + 1, total: steps.length, unit: 'tables' });
  }
}

async function recordStage(
  db: Database,
  now: string,
  { rules, ledger }: DedupOrigin,
  report: DedupReport,
): Promise<void> {
  const normalised = await db.one(`SELECT completed_at, inputs FROM stage_state WHERE stage = 'normalise'`);
  const inputs = { rules: { id: rules.id, sha256: rules.sha256 }, normalise: normalised, ledger };
  await db.run('DELETE FROM stage_state WHERE stage = $1', [STAGE]);
  await db.run('INSERT INTO stage_state VALUES ($1, $2, $3, $4)', [
    STAGE,
    now,
    JSON.stringify(inputs),
    JSON.stringify(report),
  ]);
  await db.run('DROP VIEW dedup_stated; DROP TABLE dedup_targets; DROP TABLE dedup_successors');
}

function makeReport(
  rules: DedupRules,
  corpus: { registrations: number; superseded: number; trials: number; unresolved: number },
  resolution: Resolution,
  ledger: { rows: readonly LedgerRow[]; given: number },
): DedupReport {
  const { links, relations, merges, pairs } = resolution;
  const states = Map.groupBy(ledger.rows, (row) => row.state);
  const accepted = links.filter((link) => link.verdict === 'accepted').length;
  return {
    rules: { id: rules.id, sha256: rules.sha256, count: rules.rules.length },
    ...corpus,
    merged: merges.length,
    linksAccepted: accepted,
    linksRejected: links.length - accepted,
    links: countLinks(links),
    conflicts: links.filter((link) => link.conflict).length,
    relations: relations.length,
    pairs,
    canonicalIds: {
      current: states.get('current')?.length ?? 0,
      alias: states.get('alias')?.length ?? 0,
      retired: states.get('retired')?.length ?? 0,
      given: ledger.given,
    },
  };
}

function countLinks(links: readonly Link[]): DedupReport['links'] {
  const groups = Map.groupBy(links, (link) => `${link.rule} ${link.verdict} ${link.reason}`);
  return [...groups]
    .sort(([x], [y]) => compareText(x, y))
    .map(([, group]) => {
      const { rule, verdict, reason } = group[0]!;
      return { rule, verdict, reason, count: group.length };
    });
}
