import { randomUUID } from 'node:crypto';
import {
  POINTER,
  type Pointer,
  type PointerState,
  PROBE,
  pointerStateSchema,
  REPLICAS,
  type ReplicaReport,
  replicaReportSchema,
} from './layout.ts';
import { type Basis, type Lease, LIVE_MS, type LiveReplica, type Next, type Pointers } from './pointers.ts';
import type { S3Client, TaggedObject } from './s3-client.ts';
import { StoreFault } from './store-fault.ts';

/** Stands in the place of a pointer that was moved. */
const MOVED = Buffer.from('{"format":1,"movedTo":"database"}');

const NEEDS_CONDITIONS =
  'so that two publishers could overwrite each other: set BOARD_STORE to a PostgreSQL database, which then holds the pointer, or choose a store that honours If-Match and If-None-Match';

/** The pointer as an object of the store, written under conditions; reports of replicas as objects beside it. */
export class ObjectPointers implements Pointers {
  readonly place: string;
  readonly #client: S3Client;
  readonly #now: () => Date;
  /** Whether the store compares a mark with its quotes; found out by the probe. */
  #isQuoted = true;

  constructor(client: S3Client, now: () => Date) {
    this.#client = client;
    this.#now = now;
    this.place = `${client.name}/${POINTER}`;
  }

  async state(): Promise<PointerState> {
    return this.#read(await this.#client.read(POINTER));
  }

  /** Asks the store by writes to an object of its own: some stores take the headers and ignore them. */
  async assertWritable(): Promise<void> {
    const key = `${PROBE}${randomUUID()}`;
    const [first, second] = [Buffer.from('first'), Buffer.from('second')];
    try {
      if (!(await this.#client.writeIf(key, first, { etag: null })))
        throw new StoreFault(`${this.#client.name} refuses to make an object under If-None-Match, ${NEEDS_CONDITIONS}`);
      if (await this.#client.writeIf(key, second, { etag: null }))
        throw new StoreFault(`${this.#client.name} ignores If-None-Match, ${NEEDS_CONDITIONS}`);
      const { etag = '' } = (await this.#client.read(key)) ?? {};
      // Ceph 16 compares the mark without the quotes that HTTP writes around it.
      const forms = [etag, etag.replaceAll('"', '')];
      let held: string | undefined;
      for (const form of forms)
        if (held === undefined && (await this.#client.writeIf(key, second, { etag: form }))) held = form;
      if (held === undefined)
        throw new StoreFault(`${this.#client.name} refuses to replace an object under If-Match, ${NEEDS_CONDITIONS}`);
      if (await this.#client.writeIf(key, first, { etag: held }))
        throw new StoreFault(`${this.#client.name} ignores If-Match, ${NEEDS_CONDITIONS}`);
      this.#isQuoted = held === etag;
    } finally {
      await this.#client.remove(key);
    }
  }

  /** Objects know no leases: the compare-and-set alone decides between two publishers. */
  async lease(): Promise<Lease> {
    return { fence: null, [Symbol.asyncDispose]: async () => {} };
  }

  async announce(basis: Basis, { version, release }: Next): Promise<void> {
    await this.#change(basis, ({ pointer }) => {
      return { pointer, candidate: { version, release, announcedAt: this.#now().toISOString() } };
    });
  }

  async flip(basis: Basis, { version, release }: Next): Promise<Pointer> {
    const flippedAt = this.#now().toISOString();
    const pointer = { generation: basis.generation + 1, version, release, flippedAt };
    await this.#change(basis, () => ({ pointer, candidate: null }));
    return pointer;
  }

  async report(replica: ReplicaReport): Promise<void> {
    await this.#client.write(`${REPLICAS}${replica.name}`, Buffer.from(JSON.stringify(replica)));
  }

  /** By the clock of the store alone, which dates both the reports and the list of them. */
  async liveReplicas(): Promise<LiveReplica[]> {
    const { now, objects } = await this.#client.list(REPLICAS);
    const live: LiveReplica[] = [];
    for (const { key, changedAt } of objects) {
      if (now.getTime() - changedAt.getTime() > LIVE_MS) continue;
      const report = reportIn(await this.#client.read(key));
      if (report !== null) live.push({ ...report, reportedAt: changedAt.toISOString() });
    }
    return live;
  }

  /** Leaves a mark in the place of the pointer that it lies in a database from now on. Does nothing where none was here. */
  async retire(): Promise<void> {
    const found = await this.#client.read(POINTER);
    if (found !== null && !found.content.equals(MOVED)) await this.#client.write(POINTER, MOVED);
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #change({ generation }: Basis, next: (state: PointerState) => PointerState): Promise<void> {
    const found = await this.#client.read(POINTER);
    const state = this.#read(found);
    const content = Buffer.from(JSON.stringify({ format: 1, ...next(state) }));
    const isSame = (state.pointer?.generation ?? 0) === generation;
    // A write whose answer was lost is refused when it is sent again, although it was carried out.
    const etag = found === null ? null : this.#isQuoted ? found.etag : found.etag.replaceAll('"', '');
    if (isSame && (await this.#client.writeIf(POINTER, content, { etag }))) return;
    const now = await this.#client.read(POINTER);
    if (now?.content.equals(content) === true) return;
    throw overtaken(this.place, generation, this.#read(now).pointer);
  }

  #read(found: TaggedObject | null): PointerState {
    if (found === null) return { pointer: null, candidate: null };
    if (found.content.equals(MOVED))
      throw new StoreFault(
        `${this.place} says that the pointer lies in a database: BOARD_STORE must name that one on every machine`,
      );
    try {
      const { format: _format, ...state } = pointerStateSchema.parse(JSON.parse(found.content.toString('utf8')));
      return state;
    } catch (cause) {
      throw new StoreFault(`${this.place} cannot be read as a pointer: restore it, or update this program`, { cause });
    }
  }
}

/** Says that another publisher was faster. */
export function overtaken(place: string, generation: number, found: Pointer | null): StoreFault {
  const now = found === null ? 'there is none' : `it is ${found.generation} (${found.version})`;
  return new StoreFault(
    `another publisher changed ${place} meanwhile: this one began at generation ${generation}, and now ${now}. Nothing was overwritten; \`pipeline store pull\` brings what counts, then publish again`,
  );
}

function reportIn(found: TaggedObject | null): ReplicaReport | null {
  try {
    return found === null ? null : replicaReportSchema.parse(JSON.parse(found.content.toString('utf8')));
  } catch {
    return null;
  }
}
