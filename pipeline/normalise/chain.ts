import type { RegistryId } from '../../contract/ids.ts';
import type { Effects } from '../effects.ts';
import { isIsrctnCsv } from '../raw/csv.ts';
import type { FetchLog, RawRecord } from '../raw/fetch-log.ts';
import { appendRows, type Cell } from '../store/append-rows.ts';
import type { Database } from '../store/database.ts';
import type { FieldFault } from './fields.ts';
import { type PayloadParts, rawPartsDirectory } from './payload-parts.ts';
import {
  findDiffering,
  olderThanPublished,
  type PublishedTables,
  type PublishedVersion,
  publishedRecords,
  serialisedAnew,
} from './published-versions.ts';
import { RecordReader, type SourceRecord, threadsFor } from './read-records.ts';
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

/** What every chain of a run shares. */
export interface ChainContext {
  database: Database;
  dataDir: string;
  asOf: string;
  readers: RawReaders;
  effects: Effects;
  staged: StagingTable;
  parts: PayloadParts;
  /** The last published snapshot, to which records keep; null where there is none. */
  published: PublishedTables | null;
  /** Registries whose older versions take the place of published ones all the same. */
  takeOlder: readonly RegistryId[];
  /** How many workers read; undefined to choose by the number of records. */
  threads: number | undefined;
}

/** The record that holds an id so far. */
interface Winner {
  seq: number;
  sha256: string;
  updated: string;
  unchanged: boolean;
  /** A row of a CSV export, which holds a part of the record. */
  isRow: boolean;
  /** When its payload was first received in these sets. */
  receivedAt: string;
}

const PROGRESS_EVERY = 1000;
const MAX_ODD_FIELDS = 20;
/** Characters of a day. */
const DAY = 10;
/** Enough of a payload to know a row by. */
const ROW_HEAD = 16;
/** Stands for the file of a record that was read, and is older than the published one. */
const NO_FILE = '';

/**
 * True when the record that was read later wins: its update is newer or equal, or one of the times is missing. Times
 * are sortable texts of one registry, empty when missing.
 */
function supersedes(later: string, earlier: string): boolean {
  return later === '' || earlier === '' || later >= earlier;
}

/** A row of an export states the day alone and holds less, so that a whole record of that day wins in either order. */
function wins(later: Winner, earlier: Winner): boolean {
  if (later.isRow === earlier.isRow) return supersedes(later.updated, earlier.updated);
  const [laterDay, earlierDay] = [later.updated.slice(0, DAY), earlier.updated.slice(0, DAY)];
  return laterDay === earlierDay ? earlier.isRow : supersedes(laterDay, earlierDay);
}

/** Reads the raw sets of one registry, stages what changed and finds the winning record of each id. */
export class Chain {
  readonly report: RegistryReport;
  /** Rows for the table `quarantine`. */
  readonly quarantine: Cell[][] = [];
  readonly #sets: RegistrySets;
  readonly #context: ChainContext;
  readonly #winners = new Map<string, Winner>();
  /** Registrations of the last run that need not be read again, by payload hash. */
  readonly #known = new Map<string, { id: string; updated: string }>();
  /** Staged records that lost their id, by payload hash, so that one that wins again is not staged twice. */
  readonly #beaten = new Map<string, Winner>();
  /** Ids whose row of an export replaced a whole record. */
  readonly #rowsForRecords = new Set<string>();
  readonly #oddFields = new Map<string, FieldFault & { count: number }>();
  #seq: number;

  constructor(sets: RegistrySets, context: ChainContext, firstSeq: number) {
    this.#sets = sets;
    this.#context = context;
    this.#seq = firstSeq;
    this.report = emptyReport(sets.registry, 'answered');
  }

  /** Reads every set into `staged`, the parts and `winners`. Returns the next free record number. */
  async read(): Promise<number> {
    const { dataDir, asOf, readers, effects, published } = this.#context;
    const { registry, full, increments } = this.#sets;
    const startedAt = effects.now().getTime();
    const logs = [full, ...increments];
    const total = logs.flatMap(({ files }) => files).reduce((sum, { records }) => sum + records, 0);
    const progress = (): void =>
      effects.progress({ stage: 'normalise', label: registry, done: this.report.read, total, unit: 'records' });
    await this.#loadKnown();
    const threads = this.#context.threads ?? threadsFor(total);
    await using reader = new RecordReader({ registry, asOf }, this.#known, threads);
    for (const log of logs) {
      for await (const batch of reader.read(readers.readRawSet(dataDir, log), this.#seq)) {
        for (const record of batch) {
          await this.#take(record);
          if (this.report.read % PROGRESS_EVERY === 0) progress();
        }
      }
      effects.checkpoint('normalise:set-read');
    }
    if (this.report.read === 0) {
      const message = `raw set ${full.run} yields no record; fetch the registry again`;
      throw new StageFault('normalise', 'empty-set', registry, message);
    }
    await this.#writeWinners();
    if (published !== null) await this.#keepPublished(published, reader);
    progress();
    this.report.rowsForRecords = [...this.#rowsForRecords].sort();
    const odd = [...this.#oddFields.values()].sort((left, right) => right.count - left.count);
    this.report.oddFields = odd.slice(0, MAX_ODD_FIELDS);
    this.report.seconds = (effects.now().getTime() - startedAt) / 1000;
    return this.#seq;
  }

  /** Payloads that gave the rows of the last run, and would give the same on this day. */
  async #loadKnown(): Promise<void> {
    const { database, asOf, parts } = this.#context;
    const rows = database.stream(
      `SELECT k.id, k.payload_sha256, k.updated FROM known_payloads k JOIN registrations r USING (registry, id)
       WHERE registry = $1 AND normaliser_version = $2 AND $3 >= valid_from AND $3 < valid_until
         AND r.raw_part NOT IN (SELECT unnest(string_split($4, ',')))`,
      [this.#sets.registry, NORMALISER_VERSION, asOf, parts.renewed.join()],
    );
    for await (const chunk of rows)
      for (const { id, payload_sha256, updated } of chunk)
        this.#known.set(String(payload_sha256), { id: String(id), updated: String(updated) });
  }

  async #take(record: SourceRecord): Promise<void> {
    this.report.read++;
    this.#seq++;
    if ('rejected' in record) return this.#reject(record.rejected, record.file);
    const { seq, sha256, receivedAt, payload, read } = record;
    const { id, updated } = read ?? this.#known.get(sha256)!;
    const isRow = isIsrctnCsv(payload.toString('latin1', 0, ROW_HEAD));
    for (const fault of read?.faults ?? []) this.#noteFault(fault);
    const isNew = this.#contest(id, { seq, sha256, updated, unchanged: read === null, isRow, receivedAt });
    if (isNew && read !== null) await this.#stage(record, id, read.line);
  }

  /** Lets a record compete for its id; true when it is the winner so far and was not staged before. */
  #contest(id: string, candidate: Winner): boolean {
    const holder = this.#winners.get(id);
    if (holder !== undefined) {
      this.report.superseded++;
      const isReplaced = wins(candidate, holder);
      const [winner, loser] = isReplaced ? [candidate, holder] : [holder, candidate];
      if (!winner.isRow) this.#rowsForRecords.delete(id);
      else if (!loser.isRow) this.#rowsForRecords.add(id);
      // The same bytes again are staged already.
      if (holder.sha256 === candidate.sha256 || !isReplaced) return false;
      if (!holder.unchanged) this.#beaten.set(holder.sha256, holder);
    }
    const staged = this.#beaten.get(candidate.sha256);
    this.#winners.set(id, staged ?? candidate);
    return staged === undefined;
  }

  async #stage({ seq, payload, sha256 }: { seq: number; payload: Buffer; sha256: string }, id: string, line: string) {
    await this.#context.staged.addLine(line);
    await this.#context.parts.add({ seq, registry: this.#sets.registry, id, sha256, bytes: payload });
  }

  async #writeWinners(): Promise<void> {
    const { registry } = this.#sets;
    const rows = this.#winners.entries().map(([id, { seq, unchanged, receivedAt }]) => {
      return [seq, registry, id, unchanged, receivedAt];
    });
    await appendRows(this.#context.database, 'winners', rows);
    this.#winners.clear();
    this.#beaten.clear();
  }

  /**
   * Puts the published version of a record in its place again where an older one was received, or the same one in
   * another serialisation, which so counts as unchanged.
   */
  async #keepPublished(published: PublishedTables, reader: RecordReader): Promise<void> {
    const { database, dataDir, parts, staged, takeOlder } = this.#context;
    const { registry } = this.#sets;
    await staged.flush();
    const sameDay = await findDiffering(database, published, registry);
    const kept = takeOlder.includes(registry) ? [] : await olderThanPublished(database);
    if (sameDay > 0 && registry === 'clinicaltrials_gov') {
      await parts.flush();
      kept.push(...(await serialisedAnew(database, published, rawPartsDirectory(dataDir))));
    }
    await database.run('DROP TABLE differing');
    for (const { id, older } of kept) {
      if (older === null) continue;
      const { title: excerpt, detail } = older;
      this.#reject({ ok: false, id, reason: 'older-than-published', detail, excerpt }, NO_FILE);
      // The record that was received counts as quarantined, the published one as read.
      this.report.read++;
    }
    await this.#putBack(kept, published, reader);
  }

  /** Makes published versions the winners; those that are not in the tables are read from the snapshot. */
  async #putBack(versions: PublishedVersion[], published: PublishedTables, reader: RecordReader): Promise<void> {
    const { database } = this.#context;
    const { registry } = this.#sets;
    const [held, lost] = [true, false].map((isHeld) =>
      versions.filter(({ sha256 }) => this.#known.has(sha256) === isHeld),
    ) as [PublishedVersion[], PublishedVersion[]];
    const placed: Cell[][] = held.map(({ id }) => [0, registry, id, true, null]);
    for await (const batch of reader.read(publishedRecords(database, published, registry, lost), this.#seq)) {
      for (const record of batch) {
        this.#seq++;
        const read = 'rejected' in record ? null : record.read;
        if ('rejected' in record || read === null) throw new Error('a published payload cannot be read any more');
        const { seq, receivedAt } = record;
        await this.#stage(record, read.id, read.line);
        placed.push([seq, registry, read.id, false, receivedAt]);
      }
    }
    await database.run('CREATE OR REPLACE TEMP TABLE kept AS FROM winners LIMIT 0');
    await appendRows(database, 'kept', placed);
    await database.run(
      `DELETE FROM winners w USING kept k WHERE w.registry = k.registry AND w.id = k.id;
       INSERT INTO winners FROM kept; DROP TABLE kept`,
    );
  }

  #reject({ id, reason, detail, excerpt }: RejectedRecord, file: string): void {
    this.report.quarantined++;
    this.report.quarantinedByReason[reason] = (this.report.quarantinedByReason[reason] ?? 0) + 1;
    this.quarantine.push([this.#sets.registry, id, reason, detail, excerpt, file]);
  }

  #noteFault(fault: FieldFault): void {
    const key = `${fault.path} ${fault.expected} ${fault.found}`;
    const held = this.#oddFields.get(key);
    if (held === undefined) this.#oddFields.set(key, { ...fault, count: 1 });
    else held.count++;
  }
}
