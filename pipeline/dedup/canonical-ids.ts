import type { RegistryId } from '../../contract/ids.ts';
import type { RegistrationRef } from './evidence.ts';
import { compareRegistrations, compareText } from './evidence.ts';
import { assertLedger, type LedgerRow } from './ledger.ts';
import { shortHash, unusedId } from './short-hash.ts';

export interface HeldRegistration extends RegistrationRef {
  /** YYYY-MM-DD or YYYY-MM; null where the registry gives none. */
  firstPosted: string | null;
}

export interface TrialMember {
  canonicalId: string;
  registry: RegistryId;
  registrationId: string;
  /** True for the one member that gives the trial its id. */
  founding: boolean;
}

export interface CanonicalIdInputs {
  /** Held registrations by trial; each registration is in exactly one. */
  trials: readonly (readonly HeldRegistration[])[];
  /** Superseded registry ids, each with the held registration that succeeds it. */
  successors: ReadonlyMap<string, string>;
  ledger: readonly LedgerRow[];
  /** Members of the previous run's trials other than their founders: they inherit the id when its founder is gone. */
  formerPartners: readonly Pick<TrialMember, 'canonicalId' | 'registrationId'>[];
  /** ISO 8601 UTC: `firstSeen` of new ids, when the newest record was retrieved. */
  now: string;
  /** Hash that makes the ids; tests pass another one to provoke collisions. */
  hash?: (text: string, length: number) => string;
}

const CANONICAL_ID_PREFIX = 'wt_';

/**
 * Gives every trial its canonical id and updates the ledger. Members come in the order of the trials; the ledger's rows
 * keep their order, and new ones follow by founder. An id follows its founding registration (or that one's successor), so
 * that it never has two trials. Where the founder comes to stand with another partner than before, the id would mean
 * another study: it is divided, leads to the trials of both for good, and each has another id. If several ids meet in one trial, a current one is kept before others, then the older;
 * the rest become aliases. No row ever leaves the ledger. Throws if the ledger contradicts itself.
 */
export function assignCanonicalIds(inputs: CanonicalIdInputs): { members: TrialMember[]; ledger: LedgerRow[] } {
  const formerPartner = new Map(inputs.formerPartners.map((member) => [member.canonicalId, member.registrationId]));
  const rows = inputs.ledger.map((row) => ({
    ...row,
    partnerId: row.partnerId ?? formerPartner.get(row.canonicalId) ?? null,
  }));
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
  const divided = new Set<string>();
  for (const row of rows) {
    const holder = holderOf(row, trialOf, inputs.successors);
    const trial = trialOf.get(holder);
    if (row.state !== 'divided' && trial !== undefined) {
      meetPartner(row, holder, inputs.trials[trial]!, (id) =>
        trialOf.has(id) ? id : (inputs.successors.get(id) ?? id),
      );
    }
    // The line above may have divided it.
    if (row.state === 'divided') divided.add(row.foundingId);
    else if (trial === undefined) orphans.push(row);
    else if (idsOfTrial[trial] === undefined) idsOfTrial[trial] = [row];
    else idsOfTrial[trial].push(row);
  }
  const heirs = findHeirs(orphans, rows, inputs, trialOf);

  const idOfTrial: LedgerRow[] = new Array(inputs.trials.length);
  const unnamed: { index: number; founder: HeldRegistration }[] = [];
  inputs.trials.forEach((trial, index) => {
    const met = idsOfTrial[index];
    if (met === undefined) {
      // One that has founded no id yet, if there is one: its id has the usual length.
      const fresh = trial.filter(({ id }) => !divided.has(id));
      unnamed.push({ index, founder: foundingRegistration(fresh.length > 0 ? fresh : trial) });
    } else idOfTrial[index] = keepOneId(met, trial, inputs.successors);
  });
  // In a fixed order, because the later of two colliding founders gets the longer id.
  unnamed.sort((x, y) => compareRegistrations(x.founder, y.founder));
  for (const { index, founder } of unnamed) {
    const row = newRow(founder, byId, inputs);
    row.partnerId = inputs.trials[index]!.find(({ id }) => id !== founder.id)?.id ?? null;
    byId.set(row.canonicalId, row);
    rows.push(row);
    idOfTrial[index] = row;
  }

  settleOrphans(orphans, heirs, idOfTrial, byId);
  const members = inputs.trials.flatMap((trial, index) => {
    const row = idOfTrial[index]!;
    const founder = holderOf(row, trialOf, inputs.successors);
    return trial.map(({ registry, id }): TrialMember => {
      return { canonicalId: row.canonicalId, registry, registrationId: id, founding: id === founder };
    });
  });
  return { members, ledger: rows };
}

/** Notes the founder's partner; one that is not the partner that the id was cited with divides the id. */
function meetPartner(
  row: LedgerRow,
  holder: string,
  trial: readonly HeldRegistration[],
  heldAs: (id: string) => string,
): void {
  const partner = trial.find(({ id }) => id !== holder);
  if (partner === undefined) return;
  if (row.partnerId === null || heldAs(row.partnerId) === partner.id) row.partnerId = partner.id;
  else Object.assign(row, { state: 'divided', aliasOf: null });
}

/** The registration that carries an id: its founder if held, else the founder's successor. */
function holderOf(row: LedgerRow, held: ReadonlyMap<string, unknown>, successors: ReadonlyMap<string, string>): string {
  return held.has(row.foundingId) ? row.foundingId : (successors.get(row.foundingId) ?? row.foundingId);
}

/** The registration posted first, then by registry and id; one without a date comes last. */
export function foundingRegistration(trial: readonly HeldRegistration[]): HeldRegistration {
  const [first] = [...trial].sort(compareFounders);
  if (first === undefined) throw new Error('a trial without a registration');
  return first;
}

function compareFounders(a: HeldRegistration, b: HeldRegistration): number {
  return compareText(firstDay(a), firstDay(b)) || compareRegistrations(a, b);
}

/** First possible day of a date, so that a month-only date can be compared. */
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
  const byId = met.length === 1 ? null : new Map(trial.map((registration) => [registration.id, registration]));
  const founder = (row: LedgerRow): HeldRegistration => byId!.get(holderOf(row, byId!, successors))!;
  // A current id comes first at any age: a trial that gains a registration keeps its id, and a corrected first-posted
  // date moves no id.
  const [kept, ...rest] = met.sort(
    (x, y) =>
      Number(y.state === 'current') - Number(x.state === 'current') ||
      compareText(x.firstSeen, y.firstSeen) ||
      compareFounders(founder(x), founder(y)) ||
      compareText(x.canonicalId, y.canonicalId),
  ) as [LedgerRow];
  Object.assign(kept, { state: 'current', aliasOf: null });
  for (const row of rest) Object.assign(row, { state: 'alias', aliasOf: kept.canonicalId });
  return kept;
}

function newRow(founder: HeldRegistration, byId: ReadonlyMap<string, LedgerRow>, inputs: CanonicalIdInputs): LedgerRow {
  const text = `${founder.registry}:${founder.id}`;
  return {
    canonicalId: unusedId(CANONICAL_ID_PREFIX, text, (id) => byId.has(id), inputs.hash ?? shortHash),
    foundingRegistry: founder.registry,
    foundingId: founder.id,
    state: 'current',
    aliasOf: null,
    firstSeen: inputs.now,
    partnerId: null,
  };
}

/**
 * For each current id without its founder: the trial that now holds its other registration. That registration is known
 * from the previous run's members or, with a ledger from outside, because its own id is an alias of this one.
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

/** Ids without their founder: aliases keep their target; the others become aliases of their heir's id, or retire. */
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
  // Last, because the target of an alias may have become an alias above.
  for (const row of aliases) {
    let target = byId.get(row.aliasOf!)!;
    while (target.aliasOf !== null) target = byId.get(target.aliasOf)!;
    row.aliasOf = target.canonicalId;
  }
}
