import type { Pointer, PointerState, ReplicaReport } from './layout.ts';

/** A replica counts as live for so long after its last report. */
export const LIVE_MS = 60_000;

/** A replica that reported within LIVE_MS. */
export interface LiveReplica extends ReplicaReport {
  reportedAt: string;
}

/** A release that shall count. */
export interface Next {
  version: string;
  release: string;
}

/** Which generation a change rests on, and the fence of the lease under which it is made; null where the place has no leases. */
export interface Basis {
  generation: number;
  fence: number | null;
}

/** The right of one publisher to change the pointer; given up when it is disposed of. */
export interface Lease extends AsyncDisposable {
  fence: number | null;
}

/** Where the pointer of a store lies, and where replicas report. Every change is a compare-and-set. */
export interface Pointers extends AsyncDisposable {
  /** For messages. */
  readonly place: string;
  state(): Promise<PointerState>;
  /** Throws StoreFault where no change could be made that only one of two publishers wins. */
  assertWritable(): Promise<void>;
  /** Takes the lease of the publisher, which is renewed until it is disposed of. Throws StoreLocked while another one holds it. */
  lease(owner: string): Promise<Lease>;
  /** Names the release that replicas should have ready. Throws StoreFault where the basis does not hold any more. */
  announce(basis: Basis, next: Next): Promise<void>;
  /** Makes the release count, as the generation after the basis. Throws StoreFault where the basis does not hold any more. */
  flip(basis: Basis, next: Next): Promise<Pointer>;
  report(replica: ReplicaReport): Promise<void>;
  liveReplicas(): Promise<LiveReplica[]>;
}
