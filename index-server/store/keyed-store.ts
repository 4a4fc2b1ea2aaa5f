import { join } from 'node:path';
import { PayloadIndex } from '../../snapshot/format/payload-index.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { unpackText } from '../../snapshot/format/words/packed-text.ts';
import { mapFile } from '../snapshot/mapped-file.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { payloadReader, type ReadPayload } from './payload-read.ts';
import type { DeclaredPublication, PayloadKey, RawPayload } from './records.ts';

/** A snapshot that the store reads; the caller holds the image until the answer is there. */
export interface ReadSnapshot {
  image: SnapshotImage;
  manifest: Pick<Manifest, 'version' | 'tables' | 'payloadIndex'>;
}

/** Reads by key from a snapshot's tables. */
export type KeyedReads = Pick<KeyedStore, 'rawPayloads' | 'publications'>;

/**
 * Reads by key what only the tables have: raw payloads, from the part files as the index says, and publications, from the serving
 * image. Rejects when a file cannot be read, as when a snapshot is removed during a long request; the caller answers that as a failed
 * read.
 */
export class KeyedStore implements AsyncDisposable {
  readonly #indexes = new WeakMap<SnapshotImage, PayloadIndex>();
  readonly #reader = payloadReader();

  /** Starts what a first read of payloads would wait for. */
  start(): void {
    this.#reader.start();
  }

  /**
   * Payloads of registrations, in the order asked, or the part of each that a JSON pointer names. Rejects for one that has not its
   * checksum.
   */
  async rawPayloads(snapshot: ReadSnapshot, keys: readonly PayloadKey[], part?: string): Promise<RawPayload[]> {
    return Promise.all(
      keys.map(async (key) => {
        const { id, checksum } = key;
        const read = await this.#payload(snapshot, key, part).catch((cause: unknown) => {
          throw new Error(`the payload of ${id} cannot be read`, { cause });
        });
        if (read === null) throw new Error(`snapshot ${snapshot.manifest.version} holds no payload of ${id}`);
        return { registration: id, checksum, ...read };
      }),
    );
  }

  /** Publications that a trial's registrations list, by registration in the order of the record, then by their place in it. */
  async publications({ image }: Pick<ReadSnapshot, 'image'>, row: number): Promise<DeclaredPublication[]> {
    const packed = image.slice(row, 'publications');
    return packed.length === 0 ? [] : (JSON.parse(unpackText(packed)) as DeclaredPublication[]);
  }

  /** Null where no part holds the payload. Rejects where a part cannot be read, or holds other bytes in its place. */
  async #payload(
    snapshot: ReadSnapshot,
    { registry, checksum }: PayloadKey,
    part: string | undefined,
  ): Promise<ReadPayload | null> {
    const { image, manifest } = snapshot;
    const sha256 = checksum.replace('sha256:', '');
    const files = manifest.tables.raw.files;
    const faults: unknown[] = [];
    // Several places where a part holds it again: each will do.
    for (const { part: number, ...place } of this.#indexOf(snapshot).placesOf(sha256)) {
      try {
        const file = files[number];
        if (file === undefined) throw new Error(`the index of payloads names part ${number} of ${files.length}`);
        return await this.#reader.run({ ...place, path: join(image.directory, file.path), sha256, registry, part });
      } catch (error) {
        faults.push(error);
      }
    }
    if (faults.length > 0) throw faults[0];
    return null;
  }

  #indexOf({ image, manifest }: ReadSnapshot): PayloadIndex {
    const known = this.#indexes.get(image);
    if (known !== undefined) return known;
    const mapped = mapFile(join(image.directory, manifest.payloadIndex.path));
    image.releaseWith(mapped);
    const index = new PayloadIndex(mapped);
    this.#indexes.set(image, index);
    return index;
  }

  /** Closes after the look-ups under way. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader.finished();
    await this.#reader[Symbol.asyncDispose]();
  }
}
