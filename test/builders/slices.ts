import type { Slice, Slicer } from '../../pipeline/raw/slice.ts';

/** What a slicer cuts from a document that comes in pieces of the given sizes, over and over. */
export function cut(slicer: Slicer, document: string | Buffer, sizes: readonly number[] = [1 << 20]): Slice[] {
  const bytes = Buffer.from(document);
  const slices: Slice[] = [];
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = sizes[n % sizes.length]!;
    slices.push(...slicer.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return [...slices, ...slicer.end()];
}

/** Texts of the slices, and `reason: detail` of those that were refused. */
export function texts(slices: readonly Slice[]): string[] {
  return slices.map((slice) => (slice.ok ? slice.bytes.toString('utf8') : `${slice.reason}: ${slice.detail}`));
}
