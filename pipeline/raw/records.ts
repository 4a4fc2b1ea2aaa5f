import { isUtf8 } from 'node:buffer';
import type { RegistryId } from '../../contract/ids.ts';
import type { RawRecord } from './fetch-log.ts';
import { excerptOf, type Slice, type Slicer } from './slice.ts';

/** Makes a raw record of a slice. Bytes that are not strict UTF-8 are refused here, for every format. */
export function recordOf(slice: Slice, registry: RegistryId, file: string, receivedAt: string): RawRecord {
  if (!slice.ok) {
    return { ok: false, registry, reason: slice.reason, detail: slice.detail, excerpt: slice.excerpt, file };
  }
  if (!isUtf8(slice.bytes)) {
    const detail = 'the record has bytes that are not UTF-8';
    return { ok: false, registry, reason: 'not-utf8', detail, excerpt: excerptOf(slice.bytes), file };
  }
  return { ok: true, registry, payload: slice.bytes, file, receivedAt };
}

/** Slices of a chunk stream, in order. Throws the stream's errors and SliceError. */
export async function* slicesOf(chunks: AsyncIterable<Buffer>, slicer: Slicer): AsyncGenerator<Slice> {
  for await (const chunk of chunks) yield* slicer.push(chunk);
  yield* slicer.end();
}
