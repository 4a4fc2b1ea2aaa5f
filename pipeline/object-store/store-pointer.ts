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
import type { S3Client, TaggedObject } from './s3-client.ts';
import { StoreFault } from './store-fault.ts';

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

const NEEDS_CONDITIONS =
  'so that two publishers could overwrite each other: choose a store that honours If-Match and If-None-Match';

/** The pointer of a store, an object that is changed by compare-and-set alone; replicas report by objects beside it. */
export class StorePointer {
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

  /**
   * Throws StoreFault where two publishers could both win. Asks the store by writes to an object of its own: some stores take the
   * headers and ignore them.
   */
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

  /**
   * Names the release that replicas should have ready. Throws StoreFault where the pointer is not of the generation on which the
   * publisher rests.
   */
  async announce(generation: number, { version, release }: Next): Promise<void> {
    await this.#change(generation, ({ pointer }) => {
      return { pointer, candidate: { version, release, announcedAt: this.#now().toISOString() } };
    });
  }

  /** Makes the release count, as the generation after the given one. Throws StoreFault where another one counts by now. */
  async flip(before: number, { version, release }: Next): Promise<Pointer> {
    const flippedAt = this.#now().toISOString();
    const pointer = { generation: before + 1, version, release, flippedAt };
    await this.#change(before, () => ({ pointer, candidate: null }));
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

  async #change(generation: number, next: (state: PointerState) => PointerState): Promise<void> {
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
    try {
      const { format: _format, ...state } = pointerStateSchema.parse(JSON.parse(found.content.toString('utf8')));
      return state;
    } catch (cause) {
      throw new StoreFault(`${this.place} cannot be read as a pointer: restore it, or update this program`, { cause });
    }
  }
}

/** Says that another publisher was faster. */
function overtaken(place: string, generation: number, found: Pointer | null): StoreFault {
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
