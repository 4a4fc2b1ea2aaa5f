import { EventEmitter } from 'node:events';
import type { EventKind } from '../../contract/ids.ts';
import { Arrivals } from './arrivals.ts';
import type { BoardEffects } from './effects.ts';
import type { Engine } from './engine.ts';
import { newestEvent } from './event-store.ts';
import { type Announced, Following } from './following.ts';
import { indexNewTexts } from './full-text.ts';
import { type Ran, runInTurn } from './in-turn.ts';
import { type OpenOptions, openEngine } from './open-engine.ts';
import { Reader } from './reader.ts';
import type { Sealer } from './sealed.ts';
import type { Session } from './session.ts';
import type { Transaction } from './transaction.ts';
import { BoardReadOnly, WriteHealth } from './write-health.ts';

/** Bounds how long the first of a group waits for the last. */
const GROUP_MAX_WRITES = 64;

interface WaitingWrite {
  work: (tx: Transaction) => Promise<unknown>;
  /** Tried although the store took no writes before. */
  isProof: boolean;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/**
 * The board in its store, a file or a database. Writes run one after the other, several to a commit; each group begins
 * at the newest event that is stored, whichever process wrote it.
 */
export class Board implements AsyncDisposable {
  /** For single look-ups: each sees what is committed. Look-ups that must agree belong in `snapshot`. */
  readonly read: Reader;
  /** `event` is emitted after the commit of each event, with its time and kind, whichever process stored it. */
  readonly committed = new EventEmitter<{ event: [number, EventKind] }>();
  /** Whether the store takes writes. */
  readonly health: WriteHealth;
  /** Readers that wait for the next event. */
  readonly arrivals = new Arrivals();
  readonly effects: BoardEffects;
  readonly #engine: Engine;
  #following: Following | null = null;
  #closed = false;
  #waiting: WaitingWrite[] = [];
  #draining: Promise<void> | null = null;

  private constructor(engine: Engine, effects: BoardEffects) {
    this.#engine = engine;
    this.read = new Reader(engine.read);
    this.effects = effects;
    this.health = new WriteHealth(effects.now, (error) => engine.faultOf(error));
    engine.onFailure = (error) => this.health.note(error);
    this.committed.setMaxListeners(0);
  }

  /**
   * Opens or creates the board at an address: a path or `sqlite:<path>`, or `postgres:…`. Throws StoreFault, with what
   * to do, for a store that cannot be used.
   */
  static async open(store: string, effects: BoardEffects, options: OpenOptions = {}): Promise<Board> {
    const board = new Board(await openEngine(store, options), effects);
    await board.#follow();
    return board;
  }

  /**
   * For statements beside the feed, which need no order and no promise that they last: leases. Null where no other
   * process serves the same board.
   */
  get aside(): Session | null {
    return this.#engine.aside;
  }

  /** Encrypts what the store must not hold in clear. */
  get sealer(): Sealer {
    return this.#engine.sealer;
  }

  /** Number of the last migration applied to the store. */
  schema(): Promise<number> {
    return this.#engine.schema();
  }

  /** Reads one moment of the board: one transaction, which sees nothing committed after it began to read. */
  snapshot<T>(work: (db: Reader) => Promise<T>): Promise<T> {
    return this.#engine.snapshot(work);
  }

  /**
   * Runs one write; any exception rolls all of it back and rejects. Writes that wait together are committed together:
   * each in a savepoint of its own, answered only after the one commit that put them all on the disk. `work` may be run
   * twice (in-turn.ts), so it changes nothing but the transaction. Rejects with BoardReadOnly while the store takes no
   * writes.
   */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#queue(work, false);
  }

  /** Proves by a real write that the store takes writes, and takes them again if it does. A damaged file is not asked. */
  async prove(): Promise<boolean> {
    const { fault } = this.health;
    if (fault?.kind === 'damaged') return false;
    try {
      await this.#queue((tx) => provedAt(tx), true);
    } catch {
      return false;
    }
    this.health.recover(fault);
    return this.health.fault === null;
  }

  #queue<T>(work: (tx: Transaction) => Promise<T>, isProof: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, isProof, resolve: resolve as (value: unknown) => void, reject });
      this.#draining ??= this.#drain();
    });
  }

  async #drain(): Promise<void> {
    try {
      // One turn of the event loop lets requests that arrived together queue up together.
      await new Promise(setImmediate);
      while (this.#waiting.length > 0) await this.#commitGroup(this.#waiting.splice(0, GROUP_MAX_WRITES));
    } finally {
      // Cleared in the same turn as the last look at the queue, so that a later write starts the next drain.
      this.#draining = null;
    }
  }

  async #commitGroup(waiting: WaitingWrite[]): Promise<void> {
    const group = this.#allowed(waiting);
    if (group.length === 0) return;
    let ran: Ran[] = [];
    try {
      if (this.#closed) throw new Error('the board is closed');
      await this.#engine.group(this.health.fault !== null, async (session, head) => {
        const before = Math.max(head.lastTime, head.eventTs);
        const works = group.map(({ work }) => work);
        ran = await runInTurn(session, works, head, this.effects);
        await indexNewTexts(session, before, searchedTables(ran));
      });
      this.health.noteWritten();
    } catch (error) {
      // Writes that waited behind a store that is held up fail too: they would only queue up.
      const failed = this.#engine.isHeldUp(error) ? [...group, ...this.#waiting.splice(0)] : group;
      for (const write of failed) write.reject(error);
      return;
    }
    for (const [place, { resolve, reject }] of group.entries()) {
      const outcome = ran[place]!;
      if ('error' in outcome) reject(outcome.error);
      else resolve(outcome.value);
    }
    for (const event of ran.flatMap(({ announced }) => announced)) {
      if (this.#following?.noteOwn(event.ts) !== false) this.#announce(event);
    }
  }

  #announce(event: Announced): void {
    this.arrivals.announce(event);
    this.committed.emit('event', event.ts, event.kind);
  }

  async #follow(): Promise<void> {
    if (this.#engine.aside === null) return;
    const seen = (await newestEvent(this.read))?.ts ?? 0;
    const following = new Following(this.read, seen, (event) => this.#announce(event));
    this.#following = following;
    this.#engine.watch(() => following.look());
  }

  /** Refuses what may not be tried while the store takes no writes. */
  #allowed(group: WaitingWrite[]): WaitingWrite[] {
    const { said } = this.health;
    if (said === null) return group;
    for (const write of group) if (!write.isProof) write.reject(new BoardReadOnly(said));
    return group.filter(({ isProof }) => isProof);
  }

  /** Stores the waiting writes, then closes the store. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.arrivals.close();
    while (this.#draining !== null) await this.#draining;
    this.#closed = true;
    await this.#following?.stop();
    await this.closeReaders();
    await this.#engine.close();
  }

  /** Every later read fails. */
  closeReaders(): Promise<void> {
    return this.#engine.closeReaders();
  }
}

/** Writes the one row that nobody reads. */
async function provedAt(tx: Transaction): Promise<void> {
  await tx
    .insertInto('proofs')
    .values({ id: 1, at: tx.now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ at: tx.now }))
    .execute();
}

const TABLE_OF_KIND: Partial<Record<EventKind, string>> = { claim: 'claims', message: 'messages', finding: 'findings' };

/** Tables with searchable text into which a group's events may have put rows. */
function searchedTables(ran: readonly Ran[]): Set<string> {
  const kinds = ran.flatMap(({ announced }) => announced.map(({ kind }) => kind));
  return new Set(kinds.flatMap((kind) => TABLE_OF_KIND[kind] ?? []));
}
