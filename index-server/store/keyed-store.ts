import { hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import { readColumn } from 'hyparquet/src/column.js';
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import type { RegistryId } from '../../contract/ids.ts';
import { payloadFormat } from '../../snapshot/format/payload-format.ts';
import { PayloadIndex, type PayloadPlace } from '../../snapshot/format/payload-index.ts';
import type { Publication } from '../../snapshot/format/registration.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { unpackText } from '../../snapshot/format/words/packed-text.ts';
import { mapFile } from '../snapshot/mapped-file.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { type NoPart, partAt } from './json-part.ts';

/** A snapshot to read from; the caller holds the image until the answer is there. */
export interface ReadSnapshot {
  image: SnapshotImage;
  manifest: Pick<Manifest, 'version' | 'tables' | 'payloadIndex'>;
}

/** A registration of a snapshot with the payload that it was read from, as `sha256:` and its digest. */
export interface PayloadKey {
  registry: RegistryId;
  id: string;
  checksum: string;
}

export interface RawPayload {
  registration: string;
  checksum: string;
  format: ReturnType<typeof payloadFormat>;
  /** The payload as received, or the requested part of it: a JSON string, in UTF-8. Empty where there is no such part. */
  json: Uint8Array;
  /** Why there is no such part. */
  noPart?: NoPart | 'not-json';
}

/** A publication as answers list it, by its registration and in the order of the record. */
export type DeclaredPublication = Omit<Publication, 'registrationId' | 'ordinal'> & { registration: string };

/** Reads by key from a snapshot. */
export type KeyedReads = Pick<KeyedStore, 'rawPayloads' | 'publications'>;

/**
 * Reads raw payloads from a snapshot's part files, at the places that its index names, and publications from its image. Part files are read and not mapped: one that was cut
 * is a failed read, not the end of the process. Rejects when a file cannot be read, as when a snapshot is removed during a long request.
 */
export class KeyedStore {
  readonly #indexes = new WeakMap<SnapshotImage, PayloadIndex>();

  /** Payloads in the order of their keys, or the part of each that a JSON pointer names. Rejects for one that has not its checksum. */
  rawPayloads(snapshot: ReadSnapshot, keys: readonly PayloadKey[], part?: string): Promise<RawPayload[]> {
    return Promise.all(
      keys.map(async ({ registry, id, checksum }) => {
        const payload = await this.#payload(snapshot, checksum.replace('sha256:', '')).catch((cause: unknown) => {
          throw new Error(`the payload of ${id} cannot be read`, { cause });
        });
        if (payload === null) throw new Error(`snapshot ${snapshot.manifest.version} holds no payload of ${id}`);
        const format = payloadFormat(registry, payload);
        const found = part === undefined ? payload : format === 'json' ? partAt(payload, part) : 'not-json';
        const head = { registration: id, checksum, format };
        const isPart = found instanceof Uint8Array;
        const json = jsonString(isPart ? found : Buffer.of());
        freeGroup(payload);
        return isPart ? { ...head, json } : { ...head, json, noPart: found };
      }),
    );
  }

  /** Publications that a trial's registrations list, by registration in the order of the record, then by their place in it. */
  async publications({ image }: Pick<ReadSnapshot, 'image'>, row: number): Promise<DeclaredPublication[]> {
    const packed = image.slice(row, 'publications');
    return packed.length === 0 ? [] : (JSON.parse(unpackText(packed)) as DeclaredPublication[]);
  }

  /** Null where no part file holds the payload. Rejects where one cannot be read, or holds other bytes in its place. */
  async #payload(snapshot: ReadSnapshot, sha256: string): Promise<Uint8Array | null> {
    const { image, manifest } = snapshot;
    const { files } = manifest.tables.raw;
    const faults: unknown[] = [];
    // Several places where a part file holds it again: each will do.
    for (const place of this.#indexOf(snapshot).placesOf(sha256)) {
      try {
        const file = files[place.part];
        if (file === undefined) throw new Error(`the index of payloads names part ${place.part} of ${files.length}`);
        return await payloadAt(join(image.directory, file.path), place, sha256);
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
    const path = join(image.directory, manifest.payloadIndex.path);
    const mapped = mapFile(path);
    image.releaseWith(mapped);
    const index = new PayloadIndex(mapped.bytes, path);
    this.#indexes.set(image, index);
    return index;
  }
}

async function payloadAt(path: string, place: PayloadPlace, sha256: string): Promise<Uint8Array> {
  const { at, bytes } = place;
  const column = Buffer.allocUnsafeSlow(bytes);
  await using file = await open(path, 'r');
  const { bytesRead } = await file.read(column, 0, bytes, at);
  if (bytesRead < bytes) throw new Error(`${path} has ${bytesRead} bytes at ${at}, expected ${bytes}`);
  const payload = textInColumn(column, place, `${path} is damaged in the row group at ${at}`);
  const found = hash('sha256', payload);
  if (found !== sha256) throw new Error(`a payload in ${path} has SHA-256 ${found}, expected ${sha256}`);
  return payload;
}

/**
 * Frees a decompressed row group at once: left to the collector, they would have the whole heap collected every few dozen reads. Small
 * buffers are pieces of one that Node shares among them.
 */
function freeGroup({ buffer }: Uint8Array): void {
  if (buffer.byteLength > Buffer.poolSize) (buffer as ArrayBuffer).transfer(0);
}

/** A page is decompressed in one piece up to this size; a damaged header may state any. */
const PIECE_BYTES = 2 ** 22;
/** A piece that is filled to its last byte makes zlib take room for another and look for more. */
const SPARE_BYTES = 64;

const ROOT: SchemaElement = { name: 'root', num_children: 1 };
const VALUE: SchemaElement = { name: 'value', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' };
const DECODER: Parameters<typeof readColumn>[2] = {
  pathInSchema: ['value'],
  type: 'BYTE_ARRAY',
  element: VALUE,
  schemaPath: [
    { element: ROOT, children: [], count: 2, path: [] },
    { element: VALUE, children: [], count: 1, path: ['value'] },
  ],
  codec: 'ZSTD',
  parsers: DEFAULT_PARSERS,
  utf8: false,
  compressors: {
    ZSTD: (page, bytes) => {
      const chunkSize = Math.min(Math.max(0, bytes), PIECE_BYTES) + SPARE_BYTES;
      return zstdDecompressSync(page, { chunkSize, maxOutputLength: Math.max(1, bytes) });
    },
  },
};

/** One value of a column of texts in a row group, from the column's bytes. Pages after the one of the value are not decompressed. */
function textInColumn(column: Buffer, { row, rows }: PayloadPlace, damaged: string): Uint8Array {
  const select = { groupStart: 0, groupRows: rows, selectStart: row, selectEnd: row + 1 };
  const view = new DataView(column.buffer, column.byteOffset, column.byteLength);
  try {
    const { data, skipped } = readColumn({ view, offset: 0 }, select, DECODER);
    const value: unknown = data.flatMap((values) => [...values]).at(row - skipped);
    if (value instanceof Uint8Array) return value;
  } catch (cause) {
    throw new Error(damaged, { cause });
  }
  throw new Error(damaged);
}

/** Payloads as the JSON text of an array, in pieces of UTF-8. */
export function rawJson(payloads: readonly RawPayload[]): Uint8Array[] {
  const pieces = payloads.flatMap(({ json, ...head }, place) => {
    const before = `${place === 0 ? '[' : '},'}${JSON.stringify(head).slice(0, -1)},"payload":`;
    return [Buffer.from(before), json];
  });
  return [...pieces, Buffer.from(payloads.length === 0 ? '[]' : '}]')];
}

/**
 * A text in UTF-8 as a JSON string in UTF-8. JSON escapes only ASCII, so each byte may stand for a character meanwhile: the engine
 * takes a third less time for such strings.
 */
export function jsonString({ buffer, byteOffset, length }: Uint8Array): Uint8Array {
  return Buffer.from(JSON.stringify(Buffer.from(buffer, byteOffset, length).toString('latin1')), 'latin1');
}

/** A payload as received. */
export function payloadText({ json }: Pick<RawPayload, 'json'>): string {
  return JSON.parse(Buffer.from(json).toString('utf8')) as string;
}
