import { randomUUID } from 'node:crypto';
import type { SnapshotStoreConfig } from '../../server-kit/config/config.ts';
import type { Effects } from '../effects.ts';
import { POINTER, type Pointer, PROBE, pointerSchema, StoreFault } from './layout.ts';
import { S3Client, type TaggedObject } from './s3-client.ts';

/** A store of snapshots and its pointer. */
export interface OpenStore {
  client: S3Client;
  pointers: StorePointer;
}

/** Imported only where the settings name a store, since a service without one needs none of it. */
export function openStore(store: SnapshotStoreConfig, { now }: Pick<Effects, 'now'>): OpenStore {
  const client = new S3Client(store);
  return { client, pointers: new StorePointer(client, now) };
}

const NEEDS_CONDITIONS =
  'so that two publishers could overwrite each other: choose a store that honours If-Match and If-None-Match';

/** The pointer of a store, an object that is changed by compare-and-set alone. */
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

  /** Null before the first release. */
  async read(): Promise<Pointer | null> {
    return this.#parsed(await this.#client.read(POINTER));
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

  /** Makes the release count, as the generation after the given one. Throws StoreFault where another one counts by now. */
  async flip(before: number, { version, release }: Pick<Pointer, 'version' | 'release'>): Promise<Pointer> {
    const pointer = { generation: before + 1, version, release, flippedAt: this.#now().toISOString() };
    const content = Buffer.from(JSON.stringify({ format: 2, ...pointer }));
    const found = await this.#client.read(POINTER);
    const isSame = (this.#parsed(found)?.generation ?? 0) === before;
    const etag = found === null ? null : this.#isQuoted ? found.etag : found.etag.replaceAll('"', '');
    if (isSame && (await this.#client.writeIf(POINTER, content, { etag }))) return pointer;
    // A write whose answer was lost is refused when it is sent again, although it was carried out.
    const now = await this.#client.read(POINTER);
    if (now?.content.equals(content) === true) return pointer;
    const other = this.#parsed(now);
    const named = other === null ? 'there is none' : `it is ${other.generation} (${other.version})`;
    throw new StoreFault(
      `another publisher changed ${this.place} meanwhile: this one began at generation ${before}, and now ${named}. Nothing was overwritten; \`pipeline store pull\` brings what counts, then publish again`,
    );
  }

  #parsed(found: TaggedObject | null): Pointer | null {
    if (found === null) return null;
    try {
      const { format: _format, ...pointer } = pointerSchema.parse(JSON.parse(found.content.toString('utf8')));
      return pointer;
    } catch (cause) {
      throw new StoreFault(`${this.place} cannot be read as a pointer: restore it, or update this program`, { cause });
    }
  }
}
