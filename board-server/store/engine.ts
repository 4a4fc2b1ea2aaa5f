import type { Reader } from './reader.ts';
import type { Sealer } from './sealed.ts';
import type { Session } from './session.ts';
import type { Position } from './transaction.ts';
import type { FaultKind } from './write-health.ts';

/** What the board asks of the database that holds it. Everything else is the same for all of them. */
export interface Engine {
  /** Encrypts what the database must not hold in clear. */
  readonly sealer: Sealer;
  /** For single look-ups: each sees what is committed. */
  readonly read: Session;
  /** Reads one moment: one transaction, which sees nothing committed after it began to read. */
  snapshot<T>(work: (db: Reader) => Promise<T>): Promise<T>;
  /**
   * Runs a group of writes in one transaction at the head of the feed, which no other writer moves meanwhile; `work`
   * leaves in `head` where the feed then ends. Resolves once the transaction is on the disk. Whatever fails, nothing is
   * stored, unless it rejects with OutcomeUnknown. `isRetry`: the store took no writes before.
   */
  group(isRetry: boolean, work: (session: Session, head: Position) => Promise<void>): Promise<void>;
  /**
   * For statements beside the feed, which need no order and no promise that they last: leases. Null where no other
   * process serves the same board.
   */
  readonly aside: Session | null;
  /** Calls back when others may have stored something, until `closeReaders`; never where nobody else does. */
  watch(onChange: () => void): void;
  /** Number of the last migration applied. */
  schema(): Promise<number>;
  /** What an error says of the store; null where it says nothing of it. */
  faultOf(error: unknown): FaultKind | null;
  /** Whether the writes that wait behind a failed group would fail in the same way. */
  isHeldUp(error: unknown): boolean;
  /** Told of every error that may be a fault of the store. */
  onFailure: (error: unknown) => void;
  /** Every later read fails. */
  closeReaders(): Promise<void>;
  /** Closes whatever `closeReaders` leaves open. */
  close(): Promise<void>;
}

/** The store cannot be used as the board; start-up stops and says what to do. */
export class StoreFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A group of writes that failed before its commit was asked for. */
export class NotStored extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NotStored';
  }
}

/** A group of writes whose commit was asked for and never answered: it may be stored, now or in a while. */
export class OutcomeUnknown extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutcomeUnknown';
  }
}
