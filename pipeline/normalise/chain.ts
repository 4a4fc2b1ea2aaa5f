import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { RegistryId } from '../../contract/ids.ts';
import { sqlLiteral } from '../../snapshot-sql/connection.ts';
import type { Effects } from '../effects.ts';
import type { FetchLog, RawRecord } from '../raw/fetch-log.ts';
import type { Database, JsonRow } from '../store/database.ts';
import type { AsOfTracker } from './as-of.ts';
import { BatchReader, type SourceRecord, threadsFor } from './batch-reader.ts';
import { canonicalJson } from './canonical-json.ts';
import type { FieldFault } from './fields.ts';
import { type OlderRecord, olderThanPublished, type PublishedTables, publishedPayload } from './newer-published.ts';
import { type PayloadParts, rawPartsDirectory } from './payload-parts.ts';
import { LINE_TABLES, type ReadRecord, readBatch, readRecordsOf } from './read-batch.ts';
import { continues, fetchLogSha256, type ReadBefore, type ReadLog } from './read-before.ts';
import { NORMALISER_VERSION, type RejectedRecord } from './record.ts';
import { emptyReport, type RegistryReport, StageFault } from './report.ts';
import type { StagingTable } from './staging.ts';

/** One registry's raw sets in reading order: a full one, then the increments to it. */
export interface RegistrySets {
  registry: RegistryId;
  full: FetchLog;
  increments: FetchLog[];
}

/** Where the raw records come from. */
export interface RawReaders {
  readRawSet(dataDir: string, log: FetchLog): AsyncIterable<RawRecord>;
}

export interface Staging {
  registrations: StagingTable;
  identifiers: StagingTable;
  publications: StagingTable;
  payloads: StagingTable;
  quarantine: StagingTable;
  derived: StagingTable;
}

/** Where a chain puts the records that it reads. */
export interface ChainStores {
  staging: Staging;
  parts: PayloadParts;
  /** The last published snapshot, whose newer versions of records stay; null where there is none to keep to. */
  published: PublishedTables | null;
}

/** A registration of the last run. */
interface KnownPayload {
  id: string;
  updated: string;
}

/** The record that holds an id so far. */
interface Winner {
  seq: number;
  sha256: string;
  updated: string;
  unchanged: boolean;
}

const PROGRESS_EVERY = 1000;
const MAX_ODD_FIELDS = 20;

/** Registrations of the registry `$1` that the last run kept. */
const KEPT = 'SELECT id, payload_sha256, updated FROM normalised_payloads WHERE registry = $1';

async function countKept(database: Database, registry: RegistryId): Promise<number> {
  const row = await database.one(`SELECT CAST(count(*) AS DOUBLE) AS kept FROM (${KEPT})`, [registry]);
  return Number(row?.kept);
}

/** SHA-256 of the canonical form of a record that was read as JSON. */
function canonicalOf(payload: Buffer | string): string {
  return hash('sha256', canonicalJson(JSON.parse(String(payload).replace(/^\uFEFF/, ''))), 'hex');
}

function recordsOf(logs: readonly FetchLog[]): number {
  return logs.reduce((sum, { files }) => sum + files.reduce((of, { records }) => of + records, 0), 0);
}

/**
 * True when the record that was read later wins: its update is newer or equal, or one of the times is missing. Times
 * are sortable texts of one registry, empty when missing.
 */
export function supersedes(later: string, earlier: string): boolean {
  return later === '' || earlier === '' || later >= earlier;
}

/** Reads the raw sets of one registry, stages what changed and finds the winning record of each id. */
export class Chain {
  readonly report: RegistryReport;
  readonly winners = new Map<string, Winner>();
  /** Registrations of the last run that keep their rows and are not among `winners`. */
  unrecalled = 0;
  /** The sets that were read, in this run or before. */
  readonly logsRead: ReadLog[] = [];
  readonly #sets: RegistrySets;
  readonly #staging: Staging;
  readonly #parts: PayloadParts;
  readonly #published: PublishedTables | null;
  readonly #effects: Effects;
  /** How many workers read; null to choose by the number of records. */
  readonly #threads: number | null;
  /** Registrations of the last run that need not be read again, by payload hash. */
  readonly #known = new Map<string, KnownPayload>();
  /** Update of each known ClinicalTrials.gov record; its JSON may come in another serialisation. */
  readonly #heldUpdates = new Map<string, string>();
  /** Records with other bytes and the update of the known ones. */
  readonly #sameUpdate = new Map<string, { seq: number; canonical: string }>();
  /** Staged records that lost their id, by payload hash, so that one that wins again is not staged twice. */
  readonly #beaten = new Map<string, Winner>();
  readonly #oddFields = new Map<string, FieldFault & { count: number }>();
  #seq: number;

  constructor(sets: RegistrySets, stores: ChainStores, effects: Effects, firstSeq: number, threads: number | null) {
    this.#sets = sets;
    this.#staging = stores.staging;
    this.#parts = stores.parts;
    this.#published = stores.published;
    this.#threads = threads;
    this.#effects = effects;
    this.#seq = firstSeq;
    this.report = emptyReport(sets.registry, 'answered');
  }

  /** Reads every set, or only those after the sets read before. Returns the next free record number. */
  async read(
    dataDir: string,
    readers: RawReaders,
    database: Database,
    asOf: AsOfTracker,
    before: ReadBefore | undefined,
  ): Promise<number> {
    const startedAt = this.#effects.now().getTime();
    const goesOn = before !== undefined && continues(this.#logs(), before.ledgers);
    if (goesOn) await this.#goOn(before, database);
    const total = recordsOf(this.#logs());
    const threads = this.#threads ?? threadsFor(recordsOf(this.#logs().slice(this.logsRead.length)));
    const recalls = goesOn && threads === 0;
    if (recalls) this.unrecalled = await countKept(database, this.#sets.registry);
    else await this.#loadKnown(database, goesOn);
    await using reader = new BatchReader(this.#sets.registry, this.#known, threads);
    for (const [place, log] of this.#logs().entries()) {
      if (log.state !== 'complete') {
        throw new StageFault(
          'normalise',
          'open-set',
          this.#sets.registry,
          `raw set ${log.run} is not complete; resume its fetch first`,
        );
      }
      const days = asOf.begin(log);
      const readBefore = this.logsRead[place];
      if (readBefore !== undefined) {
        days.note(readBefore.newest ?? '');
        continue;
      }
      for await (const batch of reader.read(readers.readRawSet(dataDir, log), this.#seq)) {
        if (recalls) await this.#recall(batch, database);
        for (const record of batch) {
          await this.#take(record, days.note);
          if (this.report.read % PROGRESS_EVERY === 0) this.#progress(total);
        }
      }
      this.logsRead.push({ sha256: fetchLogSha256(log), newest: days.newest() });
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
    await this.#keepSerialisation(database, rawPartsDirectory(dataDir));
    if (this.#published !== null) await this.#keepNewer(database, this.#published, recalls);
    this.#progress(total);
    this.#close();
    this.report.seconds = (this.#effects.now().getTime() - startedAt) / 1000;
    return this.#seq;
  }

  #logs(): FetchLog[] {
    return [this.#sets.full, ...this.#sets.increments];
  }

  #progress(total: number): void {
    const { registry } = this.#sets;
    this.#effects.progress({ stage: 'normalise', label: registry, done: this.report.read, total, unit: 'records' });
  }

  /** Takes over the last run's counts and quarantine of the sets that are not read again. */
  async #goOn(before: ReadBefore, database: Database): Promise<void> {
    this.logsRead.push(...before.ledgers);
    const { read, superseded, quarantined, quarantinedByReason } = before.report;
    Object.assign(this.report, { read, superseded, quarantined, quarantinedByReason: { ...quarantinedByReason } });
    const rows = database.stream('SELECT * FROM quarantine WHERE registry = $1', [this.#sets.registry]);
    for await (const chunk of rows) for (const row of chunk) this.#staging.quarantine.add(row);
  }

  async #loadKnown(database: Database, asWinners: boolean): Promise<void> {
    const rows = database.stream(`${KEPT} AND normaliser_version = $2`, [this.#sets.registry, NORMALISER_VERSION]);
    for await (const chunk of rows) for (const row of chunk) this.#know(row, asWinners);
  }

  /**
   * Loads only the registrations of the last run that a batch may touch; loading all would cost more than the batch.
   */
  async #recall(batch: readonly SourceRecord[], database: Database): Promise<void> {
    const read = batch.filter((record) => record.kind === 'read');
    const [ids, sha256s] = [read.map(({ id }) => id).join(), read.map(({ sha256 }) => sha256).join()];
    const rows = await database.all(
      `${KEPT} AND normaliser_version = $2
         AND (id IN (SELECT unnest(string_split($3, ','))) OR payload_sha256 IN (SELECT unnest(string_split($4, ','))))`,
      [this.#sets.registry, NORMALISER_VERSION, ids, sha256s],
    );
    for (const row of rows) this.unrecalled -= this.#know(row, true);
  }

  /** Returns 1 when the registration became the winner of its id, else 0. */
  #know(row: JsonRow, asWinner: boolean): number {
    const [id, sha256, updated] = [String(row.id), String(row.payload_sha256), String(row.updated)];
    this.#known.set(sha256, { id, updated });
    if (this.#sets.registry === 'clinicaltrials_gov') this.#heldUpdates.set(id, updated);
    if (!asWinner || this.winners.has(id)) return 0;
    this.winners.set(id, { seq: 0, sha256, updated, unchanged: true });
    return 1;
  }

  async #take(record: SourceRecord, note: (updated: string) => void): Promise<void> {
    this.report.read++;
    this.#seq++;
    if (record.kind === 'rejected') return this.#quarantine(record.rejected, record.file);
    const { seq, sha256 } = record;
    const known = this.#known.get(sha256);
    if (record.kind === 'known' || known !== undefined) {
      const { id, updated } = known as KnownPayload;
      note(updated);
      this.#contest(id, { seq, sha256, updated, unchanged: true });
      return;
    }
    const { id, updated } = record;
    note(updated);
    // A record that really changed has a later update as a rule, so that few are compared.
    if (this.#heldUpdates.get(id) === updated)
      this.#sameUpdate.set(id, { seq, canonical: canonicalOf(record.payload) });
    for (const fault of record.faults) this.#noteFault(fault);
    if (this.#contest(id, { seq, sha256, updated, unchanged: false })) await this.#stage(record);
  }

  /** Lets a record compete for its id; true when it is the winner so far and has to be staged. */
  #contest(id: string, candidate: Winner): boolean {
    const holder = this.winners.get(id);
    if (holder !== undefined) {
      this.report.superseded++;
      // The same bytes again are staged already.
      if (holder.sha256 === candidate.sha256 || !supersedes(candidate.updated, holder.updated)) return false;
      if (!holder.unchanged) this.#beaten.set(holder.sha256, holder);
    }
    const staged = this.#beaten.get(candidate.sha256);
    this.winners.set(id, staged ?? candidate);
    return staged === undefined;
  }

  /** Keeps the bytes of each record that was only serialised anew, so that it counts as unchanged. */
  async #keepSerialisation(database: Database, partsDir: string): Promise<void> {
    const won = [...this.#sameUpdate].filter(([id, { seq }]) => this.winners.get(id)?.seq === seq);
    if (won.length === 0) return;
    const canonicals = new Map(won.map(([id, { canonical }]) => [id, canonical]));
    const held = await database.all(
      `SELECT raw_part, string_agg(payload_sha256, ',') AS sha256s FROM registrations
       WHERE registry = $1 AND id IN (SELECT unnest(string_split($2, ','))) GROUP BY raw_part ORDER BY raw_part`,
      [this.#sets.registry, [...canonicals.keys()].join()],
    );
    for (const { raw_part, sha256s } of held) {
      const payloads = database.stream(
        `SELECT payload_sha256, payload FROM read_parquet(${sqlLiteral(join(partsDir, String(raw_part)))})
         WHERE payload_sha256 IN (SELECT unnest(string_split($1, ',')))`,
        [String(sha256s)],
      );
      for await (const chunk of payloads) {
        for (const { payload_sha256, payload } of chunk) {
          const sha256 = String(payload_sha256);
          const known = this.#known.get(sha256);
          if (known === undefined || canonicals.get(known.id) !== canonicalOf(String(payload))) continue;
          this.winners.set(known.id, { seq: 0, sha256, updated: known.updated, unchanged: true });
        }
      }
    }
  }

  /** Puts the published version of each record that was received in an older one in its place again. */
  async #keepNewer(database: Database, published: PublishedTables, keepsOthers: boolean): Promise<void> {
    const registry = this.#sets.registry;
    await this.#staging.registrations.flush();
    await database.run('CREATE OR REPLACE TEMP TABLE contested (seq BIGINT, id VARCHAR, unchanged BOOLEAN)');
    const appender = await database.appender('contested');
    for (const [id, { seq, unchanged }] of this.winners) {
      appender.appendBigInt(BigInt(seq));
      appender.appendVarchar(id);
      appender.appendBoolean(unchanged);
      appender.endRow();
    }
    appender.closeSync();
    for (const older of await olderThanPublished(database, published, { registry, keepsOthers })) {
      const { id, detail, title: excerpt } = older;
      this.#quarantine(
        { ok: false, id, reason: 'older-than-published', detail, excerpt },
        this.#logs().at(-1)?.run ?? '',
      );
      // The record that was received counts as quarantined, the published one as read.
      this.report.read++;
      await this.#putBack(database, published, older);
    }
    await database.run('DROP TABLE contested');
  }

  async #putBack(database: Database, published: PublishedTables, older: OlderRecord): Promise<void> {
    const { id, sha256, retrievedAt: receivedAt } = older;
    const known = this.#known.get(sha256);
    if (known !== undefined) {
      this.winners.set(id, { seq: 0, sha256, updated: known.updated, unchanged: true });
      return;
    }
    const bytes = await publishedPayload(database, published, this.#sets.registry, older);
    const seq = this.#seq++;
    const batch = { bytes, records: [{ seq, receivedAt, end: bytes.length }] };
    for (const record of readRecordsOf(readBatch(this.#sets.registry, batch, () => false))) {
      if (record.kind !== 'read') throw new Error(`the published payload of ${id} cannot be read any more`);
      if (!this.winners.has(id)) this.unrecalled--;
      this.winners.set(id, { seq, sha256, updated: record.updated, unchanged: false });
      await this.#stage(record);
    }
  }

  async #stage({ seq, id, sha256, payload, lines }: Extract<ReadRecord, { kind: 'read' }>): Promise<void> {
    const tables = LINE_TABLES.map((name) => this.#staging[name]);
    for (const [place, table] of tables.entries()) table.addLines(lines[place] as Uint8Array);
    await this.#parts.add({ seq, registry: this.#sets.registry, id, sha256, bytes: payload });
    if (this.#staging.registrations.isFull) {
      for (const table of tables) await table.flush();
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
    this.#heldUpdates.clear();
    this.#sameUpdate.clear();
    for (const winner of this.winners.values()) {
      if (winner.unchanged) this.report.unchanged++;
      else this.report.normalised++;
    }
    this.report.unchanged += this.unrecalled;
    this.report.kept = this.winners.size + this.unrecalled;
    const odd = [...this.#oddFields.values()].sort((left, right) => right.count - left.count);
    this.report.oddFields = odd.slice(0, MAX_ODD_FIELDS);
  }
}
