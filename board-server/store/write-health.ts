/** Why no writes are taken: `damaged` lasts until a restart; the others until a write succeeds. */
export type FaultKind = 'damaged' | 'full' | 'disk' | 'away' | 'standby' | 'newer' | 'clock';

interface WriteFault {
  kind: FaultKind;
  since: Date;
}

const WORDS: Record<FaultKind, string> = {
  damaged: 'the file is damaged; restore a backup with `npm run board -- restore`',
  full: 'the disk is full',
  disk: 'the disk does not read or write',
  away: 'the database server cannot be reached',
  standby: 'the database server takes no writes, as a standby does',
  clock: 'the clock of this machine is more than a minute from that of the database server; set both by NTP',
  newer: 'the database has a newer schema; start the newer program',
};

/** What is known of the store: whether it takes writes, and when that was last proven. */
export class WriteHealth {
  /** Why the board is read-only; null while it takes writes. */
  fault: WriteFault | null = null;
  /** When a write was last on the disk; null before the first of this process. */
  provenAt: Date | null = null;
  /** When all pages were last found sound; null before the first check of this process. */
  pagesCheckedAt: Date | null = null;
  readonly #now: () => Date;
  readonly #faultOf: (error: unknown) => FaultKind | null;

  constructor(now: () => Date, faultOf: (error: unknown) => FaultKind | null) {
    this.#now = now;
    this.#faultOf = faultOf;
  }

  /** Notes what a statement failed with. Only faults of the store or its disk count; damage outweighs the others. */
  note(error: unknown): void {
    const kind = this.#faultOf(error);
    if (kind === null || this.fault?.kind === 'damaged' || this.fault?.kind === kind) return;
    this.fault = { kind, since: this.#now() };
  }

  noteDamage(): void {
    if (this.fault?.kind !== 'damaged') this.fault = { kind: 'damaged', since: this.#now() };
  }

  notePagesSound(): void {
    this.pagesCheckedAt = this.#now();
  }

  noteWritten(): void {
    this.provenAt = this.#now();
  }

  /** To be called when a write succeeded that began with this fault: a fault that came since then stays. */
  recover(from: WriteFault | null): void {
    if (this.fault === from && from?.kind !== 'damaged') this.fault = null;
  }

  /** In words for the operator; null while writes are taken. */
  get said(): string | null {
    return this.fault === null ? null : `read-only since ${this.fault.since.toISOString()}: ${WORDS[this.fault.kind]}`;
  }
}

/** A write that was not tried, because the store takes none. */
export class BoardReadOnly extends Error {
  constructor(said: string) {
    super(`the board is ${said}`);
    this.name = 'BoardReadOnly';
  }
}
