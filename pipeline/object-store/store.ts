import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { SnapshotStoreConfig } from '../../server-kit/config/config.ts';
import { sha256 } from '../../server-kit/hashing.ts';
import { CHANGES_FILE } from '../../snapshot/format/versions/change.ts';
import { SnapshotFault } from '../../snapshot/format/versions/current.ts';
import { CURRENT_FILE, VERSION_PATTERN } from '../../snapshot/format/versions/current-file.ts';
import { OWN_FILES } from '../../snapshot/format/versions/own-files.ts';
import { LOG_DIR } from '../../snapshot/format/versions/publication-log.ts';
import { lastCheckSchema } from '../../snapshot/format/versions/state.ts';
import type { Effects } from '../effects.ts';
import { Downloader, type DownloadOptions, type Source, StoreFault } from '../pull/downloader.ts';
import { S3Client, type TaggedObject } from './s3-client.ts';

/**
 * The objects of a store. A version is an immutable folder, as in a directory of snapshots; of a removed version its manifest and changes
 * stay there. A release is an object under its own SHA-256. CURRENT names the release; it alone is ever changed.
 */
export const VERSIONS = 'versions/';
const RELEASES = 'releases/';
const PROBE = 'probe/';
/** Files that are kept of a version that was removed. */
export const KEPT_FILES: readonly string[] = [...OWN_FILES, CHANGES_FILE];

const sum = z.string().regex(/^[0-9a-f]{64}$/);
const version = z.string().regex(VERSION_PATTERN);

const heldSchema = z.strictObject({ version, identity: sum });

/** Names of files in the folder of the log; others, such as those of a write that a kill cut off, are not sent. */
export const LOG_NAME = /^(?:identities|checkpoint|keys|checkpoints\/[1-9]\d{0,14})$/;

/** The whole state of a publisher, which each replica has in the end. */
const releaseSchema = z.strictObject({
  format: z.literal(4),
  served: heldSchema,
  /** The other versions that the publisher has, newest first. */
  held: z.array(heldSchema),
  /** Versions that were removed; null where the time was not recorded. */
  removed: z.array(heldSchema.extend({ removedAt: z.iso.datetime().nullable() })),
  /** The files of the log of publications, by name. */
  log: z.record(z.string().regex(LOG_NAME), z.string()),
  /** The last run that found the served version unchanged. */
  lastCheck: lastCheckSchema.nullable(),
});
export type Release = z.infer<typeof releaseSchema>;
export type HeldVersion = z.infer<typeof heldSchema>;

/** The release that counts. Its generation grows by one with each change and never goes back. */
const pointerSchema = z.strictObject({
  format: z.literal(4),
  generation: z.int().min(1),
  version,
  /** SHA-256 of the release. */
  release: sum,
  flippedAt: z.iso.datetime(),
});
export type Pointer = Omit<z.infer<typeof pointerSchema>, 'format'>;

/** Larger than any release. */
const RELEASE_MAX_BYTES = 64_000_000;
/** A younger object stays, whether the release needs it or not: its release may be on its way. */
export const YOUNG_MS = 24 * 3_600_000;

export const releaseKey = (of: string): string => `${RELEASES}${of}`;

/** The versions that a replica has with all their files. */
export function wantedBy({ served, held }: Pick<Release, 'served' | 'held'>): string[] {
  return [served, ...held].map((one) => one.version);
}

/** Whether a release needs an object of the store. */
export function neededBy(release: Release): (key: string) => boolean {
  const whole = wantedBy(release).map((one) => `${VERSIONS}${one}/`);
  const kept = new Set(release.removed.flatMap((one) => KEPT_FILES.map((name) => `${VERSIONS}${one.version}/${name}`)));
  return (key) => kept.has(key) || whole.some((folder) => key.startsWith(folder));
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
    return `${this.name}/${CURRENT_FILE}`;
  }

  /** The pointer, which is changed by compare-and-set alone. Null before the first release. */
  async pointer(): Promise<Pointer | null> {
    return this.#parsed(await this.client.read(CURRENT_FILE));
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
      if (!(await client.writeIf(key, first, null)))
        throw new StoreFault(`${name} refuses to make an object under If-None-Match, ${NEEDS_CONDITIONS}`);
      if (await client.writeIf(key, second, null))
        throw new StoreFault(`${name} ignores If-None-Match, ${NEEDS_CONDITIONS}`);
      const { etag = '' } = (await client.read(key)) ?? {};
      this.#isQuoted = await client.writeIf(key, second, etag);
      // Ceph 16 compares the mark without the quotes that HTTP writes around it.
      if (!this.#isQuoted && !(await client.writeIf(key, second, this.#mark(etag))))
        throw new StoreFault(`${name} refuses to replace an object under If-Match, ${NEEDS_CONDITIONS}`);
      if (await client.writeIf(key, first, this.#mark(etag)))
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
    const content = Buffer.from(JSON.stringify({ format: 4, ...pointer }));
    const found = await this.client.read(CURRENT_FILE);
    const isSame = (this.#parsed(found)?.generation ?? 0) === before;
    const etag = found === null ? null : this.#mark(found.etag);
    if (isSame && (await this.client.writeIf(CURRENT_FILE, content, etag))) return pointer;
    // A write whose answer was lost is refused when it is sent again, although it was carried out.
    const now = await this.client.read(CURRENT_FILE);
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

  /** Downloads from the store, by paths in a directory of snapshots: versions, and the log of a release. */
  downloader(options: DownloadOptions, { log }: Pick<Release, 'log'>): Downloader {
    const { client } = this;
    const stop = new AbortController();
    const source: Source = {
      address: (path) => `${client.name}/${VERSIONS}${path}`,
      open: async (path, part) => {
        if (!path.startsWith(`${LOG_DIR}/`)) return client.open(`${VERSIONS}${path}`, part?.from ?? 0, stop.signal);
        const text = log[path.slice(LOG_DIR.length + 1)];
        return { status: text === undefined ? 404 : 200, chunks: inOnePiece(text ?? '') };
      },
    };
    return new Downloader(source, options, stop);
  }

  async release(of: string): Promise<Release> {
    const key = releaseKey(of);
    const found = await this.client.read(key, RELEASE_MAX_BYTES);
    if (found === null) throw new StoreFault(`${this.name} has no ${key}, which its pointer names`);
    if (sha256(found.content) !== of)
      throw new StoreFault(`${key} of ${this.name} has the SHA-256 ${sha256(found.content)}`);
    try {
      return releaseSchema.parse(JSON.parse(found.content.toString('utf8')));
    } catch (cause) {
      throw new StoreFault(`${key} of ${this.name} is not in the form that this program reads`, { cause });
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
    const isOwn = (key: string): boolean => key.startsWith(VERSIONS) || key.startsWith(RELEASES);
    const unneeded = old.filter(({ key }) => isOwn(key) && key !== releaseKey(pointer.release) && !isNeeded(key));
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

async function* inOnePiece(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

export interface StoreGcReport {
  /** Objects that the release does not need, and their bytes. */
  removed: number;
  bytes: number;
  /** Probes that a kill left. */
  leftovers: number;
  kept: number;
}
