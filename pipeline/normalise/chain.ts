import type { RegistryId } from '../../contract/ids.ts';
import type { Effects } from '../effects.ts';
import { isIsrctnCsv } from '../raw/csv.ts';
import type { FetchLog, RawRecord } from '../raw/fetch-log.ts';
import type { Database } from '../store/database.ts';
import { BatchReader, type SourceRecord, threadsFor } from './batches/batch-reader.ts';
import { type PayloadParts, rawPartsDirectory } from './batches/payload-parts.ts';
import {
  findDiffering,
  olderThanPublished,
  type PublishedTables,
  type PublishedVersion,
  publishedRecords,
  serialisedAnew,
} from './batches/published-versions.ts';
import { LINE_TABLES, type ReadRecord } from './batches/read-batch.ts';
import type { StagingTable } from './batches/staging.ts';
import type { FieldFault } from './fields.ts';
import { NORMALISER_VERSION, type RejectedRecord } from './record.ts';
import { emptyReport, type RegistryReport, StageFault } from './report.ts';

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
  /** The last published snapshot, to which records keep; null where there is none. */
  published: PublishedTables | null;
  /** Whether older versions take the place of published ones all the same. */
  takesOlder: boolean;
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
  /** A row of a CSV export, which holds a part of the record; null for the published version that is kept. */
  isRow: boolean | null;
  /** When its payload was first received in these sets; null where the published version is kept. */
  receivedAt: string | null;
}

const PROGRESS_EVERY = 1000;
const MAX_ODD_FIELDS = 20;
/** Characters of a day. */
const DAY = 10;
/** Enough of a payload to know a row by. */
const ROW_HEAD = 16;
/** Stands for the file of a record that was read, and is older than the published one. */
const NO_FILE = '';

function recordsOf(logs: readonly FetchLog[]): number {
  return logs.reduce((sum, { files }) => sum + files.reduce((of, { records }) => of + records, 0), 0);
}

/** The winners as rows of the table `contested`. */
async function loadContested(database: Database, winners: ReadonlyMap<string, Winner>): Promise<void> {
  await database.run('CREATE OR REPLACE TEMP TABLE contested (seq BIGINT, id VARCHAR, unchanged BOOLEAN)');
  const appender = await database.appender('contested');
  for (const [id, { seq, unchanged }] of winners) {
    appender.appendBigInt(BigInt(seq));
    appender.appendVarchar(id);
    appender.appendBoolean(unchanged);
    appender.endRow();
  }
  appender.closeSync();
}

/**
 * True when the record that was read later wins: its update is newer or equal, or one of the times is missing. Times
 * are sortable texts of one registry, empty when missing.
 */
export function supersedes(later: string, earlier: string): boolean {
  return later === '' || earlier === '' || later >= earlier;
}

/** A row of an export states the day alone and holds less, so that a whole record of that day wins in either order. */
function wins(later: Winner, earlier: Winner): boolean {
  if (later.isRow === null || earlier.isRow === null || later.isRow === earlier.isRow) {
    return supersedes(later.updated, earlier.updated);
  }
  const [laterDay, earlierDay] = [later.updated.slice(0, DAY), earlier.updated.slice(0, DAY)];
  return laterDay === earlierDay ? earlier.isRow : supersedes(laterDay, earlierDay);
}

/** Reads the raw sets of one registry, stages what changed and finds the winning record of each id. */
export class Chain {
  readonly report: RegistryReport;
  readonly winners = new Map<string, Winner>();
  readonly #sets: RegistrySets;
  readonly #staging: Staging;
  readonly #parts: PayloadParts;
  readonly #published: PublishedTables | null;
  readonly #takesOlder: boolean;
  readonly #effects: Effects;
  /** How many workers read; null to choose by the number of records. */
  readonly #threads: number | null;
  /** Registrations of the last run that need not be read again, by payload hash. */
  readonly #known = new Map<string, KnownPayload>();
  /** Staged records that lost their id, by payload hash, so that one that wins again is not staged twice. */
  readonly #beaten = new Map<string, Winner>();
  /** Ids whose row of an export replaced a whole record. */
  readonly #rowsForRecords = new Set<string>();
  readonly #oddFields = new Map<string, FieldFault & { count: number }>();
  #seq: number;

  constructor(sets: RegistrySets, stores: ChainStores, effects: Effects, firstSeq: number, threads: number | null) {
    this.#sets = sets;
    this.#staging = stores.staging;
    this.#parts = stores.parts;
    this.#published = stores.published;
    this.#takesOlder = stores.takesOlder;
    this.#threads = threads;
    this.#effects = effects;
    this.#seq = firstSeq;
    this.report = emptyReport(sets.registry, 'answered');
  }

  /** Reads every set; a payload that the last run read is only hashed. Returns the next free record number. */
  async read(dataDir: string, readers: RawReaders, database: Database, asOf: string): Promise<number> {
    const startedAt = this.#effects.now().getTime();
    const total = recordsOf(this.#logs());
    await this.#loadKnown(database);
    const from = { registry: this.#sets.registry, asOf };
    await using reader = new BatchReader(from, this.#known, this.#threads ?? threadsFor(total));
    for (const log of this.#logs()) {
      for await (const batch of reader.read(readers.readRawSet(dataDir, log), this.#seq)) {
        for (const record of batch) {
          await this.#take(record);
          if (this.report.read % PROGRESS_EVERY === 0) this.#progress(total);
        }
      }
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
    if (this.#published !== null) await this.#keepPublished(database, this.#published, reader, dataDir);
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

  async #loadKnown(database: Database): Promise<void> {
    const rows = database.stream(
      'SELECT id, payload_sha256, updated FROM normalised_payloads WHERE registry = $1 AND normaliser_version = $2',
      [this.#sets.registry, NORMALISER_VERSION],
    );
    for await (const chunk of rows)
      for (const { id, payload_sha256, updated } of chunk)
        this.#known.set(String(payload_sha256), { id: String(id), updated: String(updated) });
  }

  async #take(record: SourceRecord): Promise<void> {
    this.report.read++;
    this.#seq++;
    if (record.kind === 'rejected') return this.#quarantine(record.rejected, record.file);
    const { seq, sha256, receivedAt } = record;
    const isRow = isIsrctnCsv(record.payload.toString('latin1', 0, ROW_HEAD));
    const known = this.#known.get(sha256);
    if (record.kind === 'known' || known !== undefined) {
      const { id, updated } = known as KnownPayload;
      this.#contest(id, { seq, sha256, updated, unchanged: true, isRow, receivedAt });
      return;
    }
    const { id, updated } = record;
    for (const fault of record.faults) this.#noteFault(fault);
    if (this.#contest(id, { seq, sha256, updated, unchanged: false, isRow, receivedAt })) await this.#stage(record);
  }

  /** Lets a record compete for its id; true when it is the winner so far and has to be staged. */
  #contest(id: string, candidate: Winner): boolean {
    const holder = this.winners.get(id);
    if (holder !== undefined) {
      this.report.superseded++;
      const isReplaced = wins(candidate, holder);
      const [winner, loser] = isReplaced ? [candidate, holder] : [holder, candidate];
      if (winner.isRow === false) this.#rowsForRecords.delete(id);
      else if (winner.isRow === true && loser.isRow === false) this.#rowsForRecords.add(id);
      // The same bytes again are staged already.
      if (holder.sha256 === candidate.sha256 || !isReplaced) return false;
      if (!holder.unchanged) this.#beaten.set(holder.sha256, holder);
    }
    const staged = this.#beaten.get(candidate.sha256);
    this.winners.set(id, staged ?? candidate);
    return staged === undefined;
  }

  /**
   * Puts the published version of a record in its place again where an older one was received, or the same one in
   * another serialisation, which so counts as unchanged.
   */
  async #keepPublished(
    database: Database,
    published: PublishedTables,
    reader: BatchReader,
    dataDir: string,
  ): Promise<void> {
    const registry = this.#sets.registry;
    await this.#staging.registrations.flush();
    await loadContested(database, this.winners);
    const sameDay = await findDiffering(database, published, registry);
    const kept: PublishedVersion[] = [];
    for (const { title: excerpt, detail, ...version } of this.#takesOlder ? [] : await olderThanPublished(database)) {
      const { id } = version;
      this.#quarantine({ ok: false, id, reason: 'older-than-published', detail, excerpt }, NO_FILE);
      // The record that was received counts as quarantined, the published one as read.
      this.report.read++;
      kept.push(version);
    }
    if (sameDay > 0 && registry === 'clinicaltrials_gov') {
      await this.#parts.flush();
      const of = { registry, partsDir: rawPartsDirectory(dataDir), threads: this.#threads ?? threadsFor(sameDay) };
      const label = `${registry}, serialised anew`;
      const progress = (done: number): void =>
        this.#effects.progress({ stage: 'normalise', label, done, total: sameDay, unit: 'records' });
      kept.push(...(await serialisedAnew(database, published, of, progress)));
      progress(sameDay);
    }
    await database.run('DROP TABLE contested; DROP TABLE differing');
    await this.#putBack(database, published, reader, kept);
  }

  async #putBack(
    database: Database,
    published: PublishedTables,
    reader: BatchReader,
    versions: readonly PublishedVersion[],
  ): Promise<void> {
    const lost: PublishedVersion[] = [];
    for (const version of versions) {
      const { id, sha256 } = version;
      const known = this.#known.get(sha256);
      if (known === undefined) lost.push(version);
      else
        this.winners.set(id, {
          seq: 0,
          sha256,
          updated: known.updated,
          unchanged: true,
          isRow: null,
          receivedAt: null,
        });
    }
    const source = publishedRecords(database, published, this.#sets.registry, lost);
    for await (const batch of reader.read(source, this.#seq)) {
      for (const record of batch) {
        this.#seq++;
        if (record.kind !== 'read') throw new Error('a published payload cannot be read any more');
        const { id, seq, sha256, updated, receivedAt } = record;
        this.winners.set(id, { seq, sha256, updated, unchanged: false, isRow: null, receivedAt });
        await this.#stage(record);
      }
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
    for (const winner of this.winners.values()) {
      if (winner.unchanged) this.report.unchanged++;
      else this.report.normalised++;
    }
    this.report.rowsForRecords = [...this.#rowsForRecords].sort();
    this.report.kept = this.winners.size;
    const odd = [...this.#oddFields.values()].sort((left, right) => right.count - left.count);
    this.report.oddFields = odd.slice(0, MAX_ODD_FIELDS);
  }
}
