import type { RegistryId } from '../../contract/ids.ts';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import type { Effects } from '../effects.ts';
import { isIsrctnCsv } from '../raw/csv.ts';
import type { FetchLog, RawRecord } from '../raw/fetch-log.ts';
import { appendRows, type Cell } from '../store/append-rows.ts';
import type { Database } from '../store/database.ts';
import type { PayloadParts } from './payload-parts.ts';
import { PayloadSums } from './payload-sums.ts';
import { findKept, type PublishedTables, publishedRecords } from './published-versions.ts';
import { RecordReader, type SourceRecord, threadsFor } from './read-records.ts';
import { type FieldFault, NORMALISER_VERSION, type RejectedRecord } from './record.ts';
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
}

const PROGRESS_EVERY = 1000;
/** Opening a table to append rows costs more than a thousand rows. */
const APPENDED_ROWS = 20_000;
const MAX_ODD_FIELDS = 20;
/** Enough of a payload to know a row of a CSV export by. */
const ROW_HEAD = 16;
/** Stands for the file of a record that was read, and is older than the published one. */
const NO_FILE = '';

/**
 * The winning record of each id, into `winners`. The record that was read later wins where its update is newer or equal,
 * or where it or the winner so far states none. A row of a CSV export states the day alone and holds less, so that a whole
 * record of that day wins in either order.
 */
const WINNERS = `
  CREATE OR REPLACE TEMP TABLE named AS
  SELECT r.*, k.id, k.updated, k.unchanged, substr(k.updated, 1, 10) AS "day"
  FROM received r JOIN known k USING (payload_sha256);
  INSERT INTO winners
  SELECT registry, id, payload_sha256, unchanged, is_row, first_received
  FROM (
    SELECT *, max(seq) FILTER (updated = '') OVER (PARTITION BY id) AS undated,
      arg_min(received_at, seq) OVER (PARTITION BY id, payload_sha256) AS first_received
    FROM named
  )
  QUALIFY row_number() OVER (
    PARTITION BY id
    ORDER BY coalesce(seq > undated, true) DESC, seq = undated DESC, "day" DESC, is_row, updated DESC, seq DESC
  ) = 1`;

/** Reads the raw sets of one registry, stages what changed and finds the winning record of each id. */
export class Chain {
  readonly report: RegistryReport;
  /** Rows for the table `quarantine`. */
  readonly quarantine: Cell[][] = [];
  readonly #sets: RegistrySets;
  readonly #context: ChainContext;
  /** Records that cannot be read, by payload hash, for the same bytes again. */
  readonly #rejected = new Map<string, RejectedRecord>();
  readonly #oddFields = new Map<string, FieldFault & { count: number }>();
  /** Rows of the table `received` that are not in it yet. */
  #received: Cell[][] = [];

  constructor(sets: RegistrySets, context: ChainContext) {
    this.#sets = sets;
    this.#context = context;
    this.report = emptyReport(sets.registry, 'answered');
  }

  /** Reads every set into `staged` and the parts, and its winners into `winners`. */
  async read(): Promise<void> {
    const { database, dataDir, asOf, readers, effects, published, staged } = this.#context;
    const { registry, full, increments } = this.#sets;
    const { report } = this;
    const startedAt = effects.now().getTime();
    const logs = [full, ...increments];
    const total = logs.flatMap(({ files }) => files).reduce((sum, { records }) => sum + records, 0);
    const progress = (): void =>
      effects.progress({ stage: 'normalise', label: registry, done: report.read, total, unit: 'records' });
    const known = await this.#loadKnown();
    await using reader = new RecordReader({ registry, asOf }, known, threadsFor(total));
    for (const log of logs) {
      for await (const { records, lines } of reader.read(readers.readRawSet(dataDir, log))) {
        await staged.addLines(lines);
        for (const record of records) {
          await this.#take(record);
          if (report.read % PROGRESS_EVERY === 0) progress();
        }
        if (this.#received.length >= APPENDED_ROWS) await this.#appendReceived();
      }
      effects.checkpoint('normalise:set-read');
    }
    if (report.read === 0) {
      const message = `raw set ${full.run} yields no record; fetch the registry again`;
      throw new StageFault('normalise', 'empty-set', registry, message);
    }
    await this.#appendReceived();
    await this.#knowStaged();
    await database.run(WINNERS);
    await this.#countWinners();
    if (published !== null) await this.#keepPublished(published, reader);
    progress();
    const odd = [...this.#oddFields.values()].sort((left, right) => right.count - left.count);
    report.oddFields = odd.slice(0, MAX_ODD_FIELDS);
    report.seconds = (effects.now().getTime() - startedAt) / 1000;
  }

  /** Payloads that gave the rows of the last run, and would give the same on this day, into `known`; returns their hashes. */
  async #loadKnown(): Promise<PayloadSums> {
    const { database, asOf, parts } = this.#context;
    const renewed = parts.renewed.map(sqlLiteral).join() || 'NULL';
    const { registry } = this.#sets;
    await database.run(
      `CREATE OR REPLACE TEMP TABLE received
         (seq INTEGER, registry VARCHAR, payload_sha256 VARCHAR, received_at VARCHAR, is_row BOOLEAN);
       CREATE OR REPLACE TEMP TABLE known AS
       SELECT k.payload_sha256, k.id, k.updated, true AS unchanged
       FROM known_payloads k JOIN registrations r USING (registry, id)
       WHERE registry = ${sqlLiteral(registry)} AND normaliser_version = ${NORMALISER_VERSION}
         AND ${sqlLiteral(asOf)} >= valid_from AND ${sqlLiteral(asOf)} < valid_until
         AND (r.raw_part IN (${renewed})) IS NOT TRUE`,
    );
    const known = new PayloadSums();
    for await (const [hashes = []] of database.streamColumns('SELECT payload_sha256 FROM known'))
      for (const sha256 of hashes) known.add(String(sha256));
    return known;
  }

  async #take(record: SourceRecord): Promise<void> {
    this.report.read++;
    if ('rejected' in record) return this.#reject(record.rejected, record.file);
    const { payload, sha256, receivedAt, file } = record;
    const { registry } = this.#sets;
    const read = record.read ?? this.#rejected.get(sha256) ?? null;
    if (read?.ok === false) {
      this.#rejected.set(sha256, read);
      return this.#reject(read, file);
    }
    const isRow = registry === 'isrctn' && isIsrctnCsv(payload.toString('latin1', 0, ROW_HEAD));
    this.#received.push([this.report.read, registry, sha256, receivedAt, isRow]);
    if (read === null) return;
    for (const fault of read.faults) this.#noteFault(fault);
    await this.#context.parts.add({ registry, id: read.id, sha256, bytes: payload });
  }

  async #appendReceived(): Promise<void> {
    await appendRows(this.#context.database, 'received', this.#received);
    this.#received = [];
  }

  /** Adds the records that were read to `known`. */
  async #knowStaged(): Promise<void> {
    const { database, staged } = this.#context;
    await staged.flush();
    await database.run(
      `INSERT INTO known SELECT payload_sha256, id, updated, false FROM staged s
       WHERE registry = ${sqlLiteral(this.#sets.registry)} AND payload_sha256 NOT IN (SELECT payload_sha256 FROM known)`,
    );
  }

  async #countWinners(): Promise<void> {
    const { database } = this.#context;
    const counts = await database.one('SELECT (count(*) - count(DISTINCT id))::DOUBLE AS superseded FROM named');
    this.report.superseded = Number(counts?.superseded);
    const rows = await database.all(
      `SELECT DISTINCT id FROM winners w JOIN named n USING (registry, id) WHERE w.is_row AND NOT n.is_row ORDER BY id`,
    );
    this.report.rowsForRecords = rows.map(({ id }) => String(id));
  }

  /**
   * Puts the published version of a record in its place again where an older one was received, or the same one in
   * another serialisation, which so counts as unchanged. Versions that are not in the tables are read from the snapshot.
   */
  async #keepPublished(published: PublishedTables, reader: RecordReader): Promise<void> {
    const { database, dataDir, parts, staged, takeOlder } = this.#context;
    const { registry } = this.#sets;
    await findKept({ database, dataDir, parts, published, registry, keepsOlder: !takeOlder.includes(registry) });
    for (const { id, title, detail } of await database.all('FROM kept WHERE detail IS NOT NULL ORDER BY id')) {
      const [older, excerpt] = [{ id: String(id), detail: String(detail) }, String(title)];
      this.#reject({ ok: false, ...older, reason: 'older-than-published', excerpt }, NO_FILE);
      // The record that was received counts as quarantined, the published one as read.
      this.report.read++;
    }
    const lost = await database.all('FROM kept ANTI JOIN known USING (payload_sha256)');
    for await (const batch of reader.read(publishedRecords(database, published, registry, lost))) {
      await staged.addLines(batch.lines);
      for (const record of batch.records) {
        const read = 'rejected' in record ? null : record.read;
        if ('rejected' in record || read?.ok === false) throw new Error('a published payload cannot be read any more');
        if (read === null) continue;
        await parts.add({ registry, id: read.id, sha256: record.sha256, bytes: record.payload });
      }
    }
    await this.#knowStaged();
    const lacking = await database.one('SELECT id FROM kept ANTI JOIN known USING (payload_sha256)');
    if (lacking !== null)
      throw new Error(`the published snapshot lacks the payload of ${lacking.id}; run \`pipeline verify current\``);
    await database.run(
      `UPDATE winners w SET payload_sha256 = k.payload_sha256, unchanged = n.unchanged, received_at = NULL
       FROM kept k JOIN known n USING (payload_sha256) WHERE w.registry = ${sqlLiteral(registry)} AND w.id = k.id;
       DROP TABLE kept`,
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
