import { join } from 'node:path';
import { PayloadIndex } from '../../snapshot/format/payload-index.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { unpackText } from '../../snapshot/format/words/packed-text.ts';
import { mapFile } from '../snapshot/mapped-file.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { PayloadFiles } from './payload-files.ts';
import { PayloadThread } from './payload-thread.ts';
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
  readonly #payloads = new WeakMap<SnapshotImage, Promise<PayloadFiles>>();
  readonly #thread = new PayloadThread();

  /** Starts what a first read of payloads would wait for. */
  start(): void {
    this.#thread.start();
  }

  /**
   * Payloads of registrations, in the order asked, or the part of each that a JSON pointer names. Rejects for one that has not its
   * checksum.
   */
  async rawPayloads(snapshot: ReadSnapshot, keys: readonly PayloadKey[], part?: string): Promise<RawPayload[]> {
    const files = await this.#payloadsOf(snapshot);
    return Promise.all(
      keys.map(async ({ registry, id, checksum }) => {
        const read = await files.read(checksum.replace('sha256:', ''), registry, part).catch((cause: unknown) => {
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

  #payloadsOf(snapshot: ReadSnapshot): Promise<PayloadFiles> {
    const { image } = snapshot;
    const held = this.#payloads.get(image);
    if (held !== undefined) return held;
    const opening = this.#open(snapshot);
    this.#payloads.set(image, opening);
    opening.catch(() => this.#payloads.delete(image));
    return opening;
  }

  async #open({ image, manifest }: ReadSnapshot): Promise<PayloadFiles> {
    const parts = manifest.tables.raw.files.map(({ path }) => join(image.directory, path));
    const index = mapFile(join(image.directory, manifest.payloadIndex.path));
    image.releaseWith(index);
    const files = new PayloadFiles(parts, new PayloadIndex(index), this.#thread);
    image.releaseWith(files);
    return files;
  }

  /** Closes after the look-ups that were asked for; files of a snapshot are closed with its image. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread[Symbol.asyncDispose]();
  }
}
