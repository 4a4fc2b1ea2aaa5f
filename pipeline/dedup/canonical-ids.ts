import type { RegistryId } from '../../contract/ids.ts';
import type { RegistrationRef } from './evidence.ts';
import { assertLedger, type LedgerRow } from './ledger.ts';
import { compareRegistrations, compareText } from './order.ts';
import { shortHash, unusedId } from './short-hash.ts';

export interface HeldRegistration extends RegistrationRef {
  /** YYYY-MM-DD or YYYY-MM; null where the registry gives none. */
  firstPosted: string | null;
}

export interface TrialMember {
  canonicalId: string;
  registry: RegistryId;
  registrationId: string;
  /** True for the one member that the trial has its id from. */
  founding: boolean;
}

export interface CanonicalIdInputs {
  /** Held registrations by trial; each registration is in exactly one. */
  trials: readonly (readonly HeldRegistration[])[];
  /** Superseded registry ids with the held registration that goes on for them. */
  successors: ReadonlyMap<string, string>;
  ledger: readonly LedgerRow[];
  /** Members of the last run's trials that did not found them: they carry the id on when its founder is gone. */
  formerPartners: readonly Pick<TrialMember, 'canonicalId' | 'registrationId'>[];
  /** Ids beside the ledger's that are given already. */
  otherIds?: ReadonlySet<string>;
  /** ISO 8601 UTC: `firstSeen` of ids that are given now. */
  now: string;
  /** The hash that ids are made of; another one only to provoke collisions. */
  hash?: (text: string, length: number) => string;
}

export const CANONICAL_ID_PREFIX = 'wt_';

/**
 * Gives every trial its canonical id and brings the ledger up to date. Members come in the order of the trials, the
 * ledger's rows in their order with new ones behind, by founder. An id goes where its founding
 * registration goes (or that one's successor), so that it can never be at two trials. Of several ids that meet in one
 * trial a current one stays before others, then the older, and the rest become aliases. No row ever leaves the ledger.
 * Throws when the ledger contradicts itself.
 */
export function assignCanonicalIds(inputs: CanonicalIdInputs): { members: TrialMember[]; ledger: LedgerRow[] } {
  const rows = inputs.ledger.map((row) => ({ ...row }));
  const byId = assertLedger(rows);
  const trialOf = new Map<string, number>();
  inputs.trials.forEach((trial, index) => {
    for (const { id } of trial) {
      if (trialOf.has(id)) throw new Error(`registration ${id} is in two trials`);
      trialOf.set(id, index);
    }
  });

  const idsOfTrial: (LedgerRow[] | undefined)[] = new Array(inputs.trials.length);
  const orphans: LedgerRow[] = [];
  for (const row of rows) {
    const trial = trialOf.get(holderOf(row, trialOf, inputs.successors));
    if (trial === undefined) orphans.push(row);
    else if (idsOfTrial[trial] === undefined) idsOfTrial[trial] = [row];
    else idsOfTrial[trial].push(row);
  }
  const heirs = findHeirs(orphans, rows, inputs, trialOf);

  const idOfTrial: LedgerRow[] = new Array(inputs.trials.length);
  const unnamed: { index: number; founder: HeldRegistration }[] = [];
  inputs.trials.forEach((trial, index) => {
    const met = idsOfTrial[index];
    if (met === undefined) unnamed.push({ index, founder: foundingRegistration(trial) });
    else idOfTrial[index] = keepOneId(met, trial, inputs.successors);
  });
  // In a fixed order, since of two colliding founders the later one gets the longer id.
  unnamed.sort((x, y) => compareRegistrations(x.founder, y.founder));
  for (const { index, founder } of unnamed) {
    const row = newRow(founder, byId, inputs);
    byId.set(row.canonicalId, row);
    rows.push(row);
    idOfTrial[index] = row;
  }

  settleOrphans(orphans, heirs, idOfTrial, byId);
  const members = inputs.trials.flatMap((trial, index) =>
    trial.map((member) => toMember(member, idOfTrial[index]!, trialOf, inputs.successors)),
  );
  return { members, ledger: rows };
}

/** The text whose hash the id of a trial is that this registration founds. */
export function foundingKey({ registry, id }: RegistrationRef): string {
  return `${registry}:${id}`;
}

/** The registration that carries an id: its founder where held, else the one that the founder was merged into. */
function holderOf(row: LedgerRow, held: ReadonlyMap<string, unknown>, successors: ReadonlyMap<string, string>): string {
  return held.has(row.foundingId) ? row.foundingId : (successors.get(row.foundingId) ?? row.foundingId);
}

/** The earliest first-posted one, then in order of registry and id; one without a date comes last. */
export function foundingRegistration(trial: readonly HeldRegistration[]): HeldRegistration {
  const [first] = [...trial].sort(compareFounders);
  if (first === undefined) throw new Error('a trial without a registration');
  return first;
}

function compareFounders(a: HeldRegistration, b: HeldRegistration): number {
  return compareText(firstDay(a), firstDay(b)) || compareRegistrations(a, b);
}

/** The first day that a date may mean, so that a month-only date can be compared. */
function firstDay(registration: HeldRegistration): string {
  const date = registration.firstPosted;
  if (date === null) return '9999-99-99';
  return date.length === 'YYYY-MM'.length ? `${date}-01` : date;
}

/** Keeps one of the ids that meet in a trial as current and makes the others its aliases; returns the kept one. */
function keepOneId(
  met: LedgerRow[],
  trial: readonly HeldRegistration[],
  successors: ReadonlyMap<string, string>,
): LedgerRow {
  const [only] = met;
  if (only !== undefined && met.length === 1) {
    // Nearly every trial: without this short way the full corpus takes seconds longer.
    only.state = 'current';
    only.aliasOf = null;
    return only;
  }
  const byId = new Map(trial.map((registration) => [registration.id, registration]));
  const founder = (row: LedgerRow): HeldRegistration => byId.get(holderOf(row, byId, successors))!;
  // A current id comes first whatever its age: a trial that gains a registration keeps its id, and a registry that
  // corrects a first-posted date moves none.
  const [kept, ...rest] = [...met].sort(
    (x, y) =>
      Number(y.state === 'current') - Number(x.state === 'current') ||
      compareText(x.firstSeen, y.firstSeen) ||
      compareFounders(founder(x), founder(y)) ||
      compareText(x.canonicalId, y.canonicalId),
  );
  kept!.state = 'current';
  kept!.aliasOf = null;
  for (const row of rest) {
    row.state = 'alias';
    row.aliasOf = kept!.canonicalId;
  }
  return kept!;
}

function newRow(founder: HeldRegistration, byId: ReadonlyMap<string, LedgerRow>, inputs: CanonicalIdInputs): LedgerRow {
  const isTaken = (id: string): boolean => byId.has(id) || inputs.otherIds?.has(id) === true;
  return {
    canonicalId: unusedId(CANONICAL_ID_PREFIX, foundingKey(founder), isTaken, inputs.hash ?? shortHash),
    foundingRegistry: founder.registry,
    foundingId: founder.id,
    state: 'current',
    aliasOf: null,
    firstSeen: inputs.now,
  };
}

/**
 * For each current id whose founder is gone, the trial in which its other registration is now. That registration is
 * known from the last run's members or, with a ledger from elsewhere, from its own id being an alias of this one.
 */
function findHeirs(
  orphans: readonly LedgerRow[],
  rows: readonly LedgerRow[],
  inputs: CanonicalIdInputs,
  trialOf: ReadonlyMap<string, number>,
): Map<string, number> {
  const bereft = new Set(orphans.filter((row) => row.state === 'current').map((row) => row.canonicalId));
  const heirs = new Map<string, number>();
  if (bereft.size === 0) return heirs;
  const partners = [
    ...inputs.formerPartners.map((member) => [member.canonicalId, member.registrationId] as const),
    ...rows.map((row) => [row.aliasOf ?? '', holderOf(row, trialOf, inputs.successors)] as const),
  ].sort((x, y) => compareText(x[1], y[1]));
  for (const [canonicalId, registrationId] of partners) {
    const trial = trialOf.get(registrationId);
    if (bereft.has(canonicalId) && trial !== undefined && !heirs.has(canonicalId)) heirs.set(canonicalId, trial);
  }
  return heirs;
}

/** Ids whose founder is gone: aliases keep pointing, others follow their heir or retire. */
function settleOrphans(
  orphans: readonly LedgerRow[],
  heirs: ReadonlyMap<string, number>,
  idOfTrial: readonly LedgerRow[],
  byId: ReadonlyMap<string, LedgerRow>,
): void {
  const aliases = orphans.filter((row) => row.state === 'alias');
  for (const row of orphans) {
    if (row.state === 'alias') continue;
    const heir = heirs.get(row.canonicalId);
    row.state = heir === undefined ? 'retired' : 'alias';
    row.aliasOf = heir === undefined ? null : idOfTrial[heir]!.canonicalId;
  }
  // Last, because what an alias points to may itself have just become one.
  for (const row of aliases) {
    let target = byId.get(row.aliasOf!)!;
    while (target.aliasOf !== null) target = byId.get(target.aliasOf)!;
    row.aliasOf = target.canonicalId;
  }
}

function toMember(
  member: HeldRegistration,
  row: LedgerRow,
  held: ReadonlyMap<string, unknown>,
  successors: ReadonlyMap<string, string>,
): TrialMember {
  return {
    canonicalId: row.canonicalId,
    registry: member.registry,
    registrationId: member.id,
    founding: holderOf(row, held, successors) === member.id,
  };
}
