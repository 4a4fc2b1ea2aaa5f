import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { SnapshotStoreConfig } from '../../server-kit/config/config.ts';
import { sha256 } from '../../server-kit/hashing.ts';
import { SnapshotFault } from '../../snapshot/format/versions/current.ts';
import { VERSION_PATTERN } from '../../snapshot/format/versions/current-file.ts';
import { lastCheckSchema } from '../../snapshot/format/versions/state.ts';
import type { Effects } from '../effects.ts';
import {
  type Answer,
  Downloader,
  type DownloadOptions,
  differs,
  type Part,
  PullFault,
  type Source,
  StoreFault,
} from '../pull/downloader.ts';
import { S3Client, type TaggedObject } from './s3-client.ts';

/**
 * The objects of a store. A version is an immutable folder, as in a directory of snapshots. A release and the small files that belong to no
 * version are objects under their own SHA-256. The pointer names the release; it alone is ever changed.
 */
const POINTER = 'POINTER';
export const VERSIONS = 'versions/';
const SUMMED = 'sha256/';
const PROBE = 'probe/';

const sum = z.string().regex(/^[0-9a-f]{64}$/);
const version = z.string().regex(VERSION_PATTERN);
/** Small files by their paths in the directory of snapshots: of the log, and of removed versions. */
const SMALL_FILE =
  /^(?:log\/(?:identities|checkpoint|keys|checkpoints\/[1-9]\d{0,14})|removed\/\d{8}T\d{6}Z-[0-9a-f]{8}\/[A-Za-z0-9][A-Za-z0-9._-]{0,79})$/;

/** A version with the SHA-256 of its manifest. */
const heldSchema = z.strictObject({ version, manifest: sum });

/** The whole state of a publisher, which each replica has in the end. */
const releaseSchema = z.strictObject({
  format: z.literal(3),
  served: heldSchema,
  /** The other versions that the publisher has, newest first. */
  held: z.array(heldSchema),
  /** The log of publications, and what is kept of versions that were removed. */
  files: z.array(z.strictObject({ path: z.string().regex(SMALL_FILE), bytes: z.int().min(0), sha256: sum })),
  /** The last run that found the served version unchanged. */
  lastCheck: lastCheckSchema.nullable(),
});
export type Release = z.infer<typeof releaseSchema>;
export type HeldVersion = z.infer<typeof heldSchema>;

/** The release that counts. Its generation grows by one with each change and never goes back. */
const pointerSchema = z.strictObject({
  format: z.literal(3),
  generation: z.int().min(1),
  version,
  /** SHA-256 of the release. */
  release: sum,
  flippedAt: z.iso.datetime(),
});
export type Pointer = Omit<z.infer<typeof pointerSchema>, 'format'>;

/** Larger than any release, log or kept change. */
const MAX_BYTES = 64_000_000;
/** A younger object stays, whether the release needs it or not: its release may be on its way. */
export const YOUNG_MS = 24 * 3_600_000;

export const summedKey = (of: string): string => `${SUMMED}${of}`;

/** The versions that a replica has with all their files. */
export function wantedBy({ served, held }: Pick<Release, 'served' | 'held'>): string[] {
  return [served, ...held].map((one) => one.version);
}

/** Whether a release needs an object of the store. */
export function neededBy(release: Release): (key: string) => boolean {
  const summed = new Set(release.files.map((file) => summedKey(file.sha256)));
  const folders = wantedBy(release).map((one) => `${VERSIONS}${one}/`);
  return (key) => summed.has(key) || folders.some((folder) => key.startsWith(folder));
}

const NEEDS_CONDITIONS =
  'so that two publishers could overwrite each other: choose a store that honours If-Match and If-None-Match';

/** A store of snapshots. Imported only where the settings name one, since a service without one needs none of it. */
export class Store {
  readonly client: S3Client;
  readonly #now: () => Date;
  /** Whether the store compares a mark with its quotes; found out by the probe. */
  #isQuoted = true;

  constructor(client: S3Client, { now }: Pick<Effects, 'now'>) {
    this.client = client;
    this.#now = now;
  }

  static of(config: SnapshotStoreConfig, effects: Pick<Effects, 'now'>): Store {
    return new Store(new S3Client(config), effects);
  }

  get name(): string {
    return this.client.name;
  }

  /** Address of the pointer, for messages. */
  get pointerIn(): string {
    return `${this.name}/${POINTER}`;
  }

  /** The pointer, which is changed by compare-and-set alone. Null before the first release. */
  async pointer(): Promise<Pointer | null> {
    return this.#parsed(await this.client.read(POINTER));
  }

  /**
   * Throws StoreFault where two publishers could both win. Asks the store by writes to an object of its own: some stores take the
   * headers and ignore them.
   */
  async assertWritable(): Promise<void> {
    const { client, name } = this;
    const key = `${PROBE}${randomUUID()}`;
    const [first, second] = [Buffer.from('first'), Buffer.from('second')];
    try {
      if (!(await client.writeIf(key, first, { etag: null })))
        throw new StoreFault(`${name} refuses to make an object under If-None-Match, ${NEEDS_CONDITIONS}`);
      if (await client.writeIf(key, second, { etag: null }))
        throw new StoreFault(`${name} ignores If-None-Match, ${NEEDS_CONDITIONS}`);
      const { etag = '' } = (await client.read(key)) ?? {};
      this.#isQuoted = await client.writeIf(key, second, { etag });
      // Ceph 16 compares the mark without the quotes that HTTP writes around it.
      if (!this.#isQuoted && !(await client.writeIf(key, second, { etag: this.#mark(etag) })))
        throw new StoreFault(`${name} refuses to replace an object under If-Match, ${NEEDS_CONDITIONS}`);
      if (await client.writeIf(key, first, { etag: this.#mark(etag) }))
        throw new StoreFault(`${name} ignores If-Match, ${NEEDS_CONDITIONS}`);
    } finally {
      await client.remove(key);
    }
  }

  #mark(etag: string): string {
    return this.#isQuoted ? etag : etag.replaceAll('"', '');
  }

  /** Makes the release count, as the generation after the given one. Throws StoreFault where another one counts by now. */
  async flip(before: number, { version, release }: Pick<Pointer, 'version' | 'release'>): Promise<Pointer> {
    const pointer = { generation: before + 1, version, release, flippedAt: this.#now().toISOString() };
    const content = Buffer.from(JSON.stringify({ format: 3, ...pointer }));
    const found = await this.client.read(POINTER);
    const isSame = (this.#parsed(found)?.generation ?? 0) === before;
    const etag = found === null ? null : this.#mark(found.etag);
    if (isSame && (await this.client.writeIf(POINTER, content, { etag }))) return pointer;
    // A write whose answer was lost is refused when it is sent again, although it was carried out.
    const now = await this.client.read(POINTER);
    if (now?.content.equals(content) === true) return pointer;
    const other = this.#parsed(now);
    const named = other === null ? 'there is none' : `it is ${other.generation} (${other.version})`;
    throw new StoreFault(
      `another publisher changed ${this.pointerIn} meanwhile: this one began at generation ${before}, and now ${named}. Nothing was overwritten; \`pipeline store pull\` brings what counts, then publish again`,
    );
  }

  #parsed(found: TaggedObject | null): Pointer | null {
    if (found === null) return null;
    try {
      const { format: _format, ...pointer } = pointerSchema.parse(JSON.parse(found.content.toString('utf8')));
      return pointer;
    } catch (cause) {
      throw new StoreFault(`${this.pointerIn} cannot be read as a pointer: restore it, or update this program`, {
        cause,
      });
    }
  }

  /** Downloads from the store, by paths in a directory of snapshots. Without a release, objects under their SHA-256 alone. */
  downloader(options: DownloadOptions, release?: Release): Downloader {
    const stop = new AbortController();
    return new Downloader(new StoreSource(this.client, stop.signal, release), options, stop);
  }

  async release(of: string, options: DownloadOptions = {}): Promise<Release> {
    const content = await summedObject(this.downloader(options), of);
    try {
      return releaseSchema.parse(JSON.parse(content.toString('utf8')));
    } catch (cause) {
      throw new StoreFault(`${summedKey(of)} of the store is not in the form that this program reads`, { cause });
    }
  }

  /**
   * Removes each object that the release does not need, once it is a day old. Safe while a publisher works: what a push finds in the
   * store and does not send again is needed by the release before, or younger.
   */
  async gc({ dryRun }: { dryRun: boolean }, { checkpoint }: Pick<Effects, 'checkpoint'>): Promise<StoreGcReport> {
    // Listed before the pointer is read, so that what is listed and needed is needed by what the pointer names.
    const objects = await this.client.list('');
    const pointer = await this.pointer();
    if (pointer === null)
      throw new SnapshotFault(
        'missing',
        `nothing was removed: ${this.name} names no version, so nothing says what to keep`,
      );
    const isNeeded = neededBy(await this.release(pointer.release));
    const old = objects.filter(({ changedAt }) => Date.now() - changedAt.getTime() > YOUNG_MS);
    const isOwn = (key: string): boolean => key.startsWith(VERSIONS) || key.startsWith(SUMMED);
    const unneeded = old.filter(({ key }) => isOwn(key) && key !== summedKey(pointer.release) && !isNeeded(key));
    const probes = old.filter(({ key }) => key.startsWith(PROBE));
    for (const { key } of dryRun ? [] : [...unneeded, ...probes]) {
      await this.client.remove(key);
      checkpoint(`removed:${key}`);
    }
    const bytes = unneeded.reduce((all, one) => all + one.bytes, 0);
    const kept = objects.filter(({ key }) => isOwn(key)).length - unneeded.length;
    return { removed: unneeded.length, bytes, leftovers: probes.length, kept };
  }
}

export interface StoreGcReport {
  /** Objects that the release does not need, and their bytes. */
  removed: number;
  bytes: number;
  /** Probes that a kill left. */
  leftovers: number;
  kept: number;
}

class StoreSource implements Source {
  readonly #client: S3Client;
  readonly #signal: AbortSignal;
  readonly #sums: ReadonlyMap<string, string>;

  constructor(client: S3Client, signal: AbortSignal, release?: Release) {
    this.#client = client;
    this.#signal = signal;
    this.#sums = new Map(release?.files.map((file) => [file.path, file.sha256]));
  }

  address(path: string): string {
    return `${this.#client.name}/${this.#key(path)}`;
  }

  open(path: string, part: Part | null): Promise<Answer> {
    return this.#client.open(this.#key(path), part?.from ?? 0, this.#signal);
  }

  #key(path: string): string {
    if (path.startsWith(SUMMED)) return path;
    const of = this.#sums.get(path);
    return of === undefined ? `${VERSIONS}${path}` : summedKey(of);
  }
}

/** An object under its SHA-256, which is checked. */
export async function summedObject(files: Downloader, of: string): Promise<Buffer> {
  const key = summedKey(of);
  const content = await files.small(key, MAX_BYTES);
  if (content === null) throw new PullFault(`the store has no ${key}, which it names`);
  const found = sha256(content);
  if (found !== of) throw differs(key, found, of);
  return content;
}
