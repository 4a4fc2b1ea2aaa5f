import type { RegistryId } from '../../contract/ids.ts';
import type { Effects } from '../effects.ts';
import type { RawLedger, RawRecord } from '../raw/ledger.ts';
import type { Database } from '../store/database.ts';
import type { AsOfTracker } from './as-of.ts';
import { normaliseCtgov } from './ctgov.ts';
import type { FieldFault } from './fields.ts';
import { normaliseIsrctn } from './isrctn.ts';
import type { StatusInputs } from './isrctn-status.ts';
import type { PayloadParts } from './payload-parts.ts';
import { continues, ledgerSha256, type ReadBefore, type ReadLedger } from './read-before.ts';
import {
  NORMALISER_VERSION,
  type NormaliseContext,
  type NormalisedRecord,
  payloadSha256,
  type RejectedRecord,
} from './record.ts';
import { emptyReport, type RegistryReport, StageFault } from './report.ts';
import { registrationRow } from './rows.ts';
import type { StagingTable } from './staging.ts';

/** One registry's raw sets in reading order: a full one and what lies on top of it. */
export interface RegistrySets {
  registry: RegistryId;
  full: RawLedger;
  increments: RawLedger[];
}

/** Where the raw records come from. */
export interface RawReaders {
  readRawSet(dataDir: string, ledger: RawLedger): AsyncIterable<RawRecord>;
}

export interface Staging {
  registrations: StagingTable;
  identifiers: StagingTable;
  publications: StagingTable;
  payloads: StagingTable;
  quarantine: StagingTable;
  derived: StagingTable;
}

/** The record that holds an id so far. */
interface Winner {
  seq: number;
  sha256: string;
  updated: string;
  unchanged: boolean;
}

type ReadRecord = NormalisedRecord & { statusInputs?: StatusInputs };
type Normaliser = (payload: Buffer, receivedAt: string, context: NormaliseContext) => ReadRecord | RejectedRecord;
const NORMALISERS: Record<RegistryId, Normaliser> = { clinicaltrials_gov: normaliseCtgov, isrctn: normaliseIsrctn };

/** What follows from dates is derived again once the as-of day is known; until then only its shape matters. */
const PROVISIONAL_AS_OF = '1970-01-01';
const PROGRESS_EVERY = 1000;
const MAX_ODD_FIELDS = 20;

/**
 * Newest update wins; where the times are equal or one is missing, the later in reading order does. Times are sortable
 * texts of one registry, empty when missing.
 */
export function supersedes(later: string, earlier: string): boolean {
  return later === '' || earlier === '' || later >= earlier;
}

/** Reads the raw sets of one registry, stages what changed and finds the winning record of each id. */
export class Chain {
  readonly report: RegistryReport;
  readonly winners = new Map<string, Winner>();
  /** The sets that were read, in this run or before. */
  readonly ledgersRead: ReadLedger[] = [];
  readonly #sets: RegistrySets;
  readonly #staging: Staging;
  readonly #parts: PayloadParts;
  readonly #effects: Effects;
  /** By payload hash: the registrations of the last run that this normaliser need not read again. */
  readonly #known = new Map<string, { id: string; updated: string }>();
  /** Staged records that gave way, by payload hash: one that comes back is not staged twice. */
  readonly #beaten = new Map<string, Winner>();
  readonly #oddFields = new Map<string, FieldFault & { count: number }>();
  #seq: number;

  constructor(sets: RegistrySets, staging: Staging, parts: PayloadParts, effects: Effects, firstSeq: number) {
    this.#sets = sets;
    this.#staging = staging;
    this.#parts = parts;
    this.#effects = effects;
    this.#seq = firstSeq;
    this.report = emptyReport(sets.registry, 'answered');
  }

  /** Reads every set, or those behind the ones read before. Returns the next free record number. */
  async read(
    dataDir: string,
    readers: RawReaders,
    database: Database,
    asOf: AsOfTracker,
    before: ReadBefore | undefined,
  ): Promise<number> {
    const startedAt = this.#effects.now().getTime();
    const goesOn = before !== undefined && continues(this.#ledgers(), before.ledgers);
    await this.#loadKnown(database, goesOn);
    if (goesOn) await this.#goOn(before, database);
    const total = this.#ledgers().reduce(
      (sum, ledger) => sum + ledger.files.reduce((of, file) => of + file.records, 0),
      0,
    );
    for (const [place, ledger] of this.#ledgers().entries()) {
      if (ledger.state !== 'complete') {
        throw new StageFault(
          'normalise',
          'open-set',
          this.#sets.registry,
          `raw set ${ledger.run} is not complete; resume its fetch first`,
        );
      }
      const days = asOf.begin(ledger);
      const readBefore = this.ledgersRead[place];
      if (readBefore !== undefined) {
        days.note(readBefore.newest ?? '');
        continue;
      }
      for await (const record of readers.readRawSet(dataDir, ledger)) {
        await this.#take(record, days.note);
        if (this.report.read % PROGRESS_EVERY === 0) this.#progress(total);
      }
      this.ledgersRead.push({ sha256: ledgerSha256(ledger), newest: days.newest() });
      this.#effects.checkpoint('normalise:set-read');
    }
    if (this.report.read === 0) {
      const run = this.#sets.full.run;
      throw new StageFault(
        'normalise',
        'empty-set',
        this.#sets.registry,
        `raw set ${run} yields no record; fetch the registry again`,
      );
    }
    this.#progress(total);
    this.#close();
    this.report.seconds = (this.#effects.now().getTime() - startedAt) / 1000;
    return this.#seq;
  }

  #ledgers(): RawLedger[] {
    return [this.#sets.full, ...this.#sets.increments];
  }

  #progress(total: number): void {
    const { registry } = this.#sets;
    this.#effects.progress({ stage: 'normalise', label: registry, done: this.report.read, total, unit: 'records' });
  }

  /** Takes over what the last run made of the sets that are not read again; its winners are loaded already. */
  async #goOn(before: ReadBefore, database: Database): Promise<void> {
    this.ledgersRead.push(...before.ledgers);
    const { read, superseded, quarantined, quarantinedByReason } = before.report;
    Object.assign(this.report, { read, superseded, quarantined, quarantinedByReason: { ...quarantinedByReason } });
    const rows = database.stream('SELECT * FROM quarantine WHERE registry = $1', [this.#sets.registry]);
    for await (const chunk of rows) for (const row of chunk) this.#staging.quarantine.add(row);
  }

  async #loadKnown(database: Database, asWinners: boolean): Promise<void> {
    const rows = database.stream(
      'SELECT id, payload_sha256, updated FROM normalised_payloads WHERE registry = $1 AND normaliser_version = $2',
      [this.#sets.registry, NORMALISER_VERSION],
    );
    for await (const chunk of rows) {
      for (const row of chunk) {
        const [id, sha256, updated] = [String(row.id), String(row.payload_sha256), String(row.updated)];
        this.#known.set(sha256, { id, updated });
        if (asWinners) this.winners.set(id, { seq: 0, sha256, updated, unchanged: true });
      }
    }
  }

  async #take(record: RawRecord, note: (updated: string) => void): Promise<void> {
    this.report.read++;
    const seq = this.#seq++;
    if (!record.ok) {
      const { reason, detail, excerpt } = record;
      return this.#quarantine({ ok: false, id: null, reason, detail, excerpt }, record.file);
    }
    const sha256 = payloadSha256(record.payload);
    const known = this.#known.get(sha256);
    if (known !== undefined) {
      note(known.updated);
      this.#contest(known.id, { seq, sha256, updated: known.updated, unchanged: true });
      return;
    }
    const read = NORMALISERS[this.#sets.registry](record.payload, record.receivedAt, {
      asOf: PROVISIONAL_AS_OF,
      payloadSha256: sha256,
      nestingChecked: true,
    });
    if (!read.ok) return this.#quarantine(read, record.file);
    note(read.updated);
    for (const fault of read.faults) this.#noteFault(fault);
    const { id } = read.registration;
    if (this.#contest(id, { seq, sha256, updated: read.updated, unchanged: false })) {
      await this.#stage(seq, read, record.payload);
    }
  }

  /** Lets a record compete for its id; true when it is the winner so far and has to be staged. */
  #contest(id: string, candidate: Winner): boolean {
    const holder = this.winners.get(id);
    if (holder !== undefined) {
      this.report.superseded++;
      // A repeat of the same bytes brings nothing that is not staged already.
      if (holder.sha256 === candidate.sha256 || !supersedes(candidate.updated, holder.updated)) return false;
      if (!holder.unchanged) this.#beaten.set(holder.sha256, holder);
    }
    const staged = this.#beaten.get(candidate.sha256);
    this.winners.set(id, staged ?? candidate);
    return staged === undefined;
  }

  async #stage(seq: number, read: ReadRecord, payload: Buffer): Promise<void> {
    const { registration, identifiers, publications } = read;
    const { registry, id, payloadSha256: sha256 } = registration;
    const { registrations, identifiers: identifierTable, publications: publicationTable, payloads } = this.#staging;
    registrations.add({ seq, ...registrationRow(registration) });
    for (const { registrationId, rawValue, ...rest } of identifiers) {
      identifierTable.add({ seq, registration_id: registrationId, raw_value: rawValue, ...rest });
    }
    for (const { registrationId, kindRaw, ...rest } of publications) {
      publicationTable.add({ seq, registration_id: registrationId, kind_raw: kindRaw, ...rest });
    }
    const status_inputs = read.statusInputs === undefined ? null : JSON.stringify(read.statusInputs);
    const normaliser_version = NORMALISER_VERSION;
    payloads.add({
      seq,
      registry,
      id,
      payload_sha256: sha256,
      updated: read.updated,
      normaliser_version,
      status_inputs,
    });
    await this.#parts.add({ seq, registry, id, sha256, bytes: payload });
    if (registrations.isFull) {
      for (const table of [registrations, identifierTable, publicationTable, payloads]) await table.flush();
      this.#effects.checkpoint('normalise:chunk-staged');
    }
  }

  #quarantine({ id, reason, detail, excerpt }: RejectedRecord, file: string): void {
    this.report.quarantined++;
    this.report.quarantinedByReason[reason] = (this.report.quarantinedByReason[reason] ?? 0) + 1;
    this.#staging.quarantine.add({ registry: this.#sets.registry, id, reason, detail, excerpt, file });
  }

  #noteFault(fault: FieldFault): void {
    const key = `${fault.path} ${fault.expected} ${fault.found}`;
    const held = this.#oddFields.get(key);
    if (held === undefined) this.#oddFields.set(key, { ...fault, count: 1 });
    else held.count++;
  }

  #close(): void {
    this.#known.clear();
    this.#beaten.clear();
    for (const winner of this.winners.values()) {
      if (winner.unchanged) this.report.unchanged++;
      else this.report.normalised++;
    }
    this.report.kept = this.winners.size;
    const odd = [...this.#oddFields.values()].sort((left, right) => right.count - left.count);
    this.report.oddFields = odd.slice(0, MAX_ODD_FIELDS);
  }
}
