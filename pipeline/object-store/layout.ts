import { z } from 'zod';
import { VERSION_PATTERN } from '../../snapshot/format/versions/current-file.ts';
import { LAST_CHECK_FILE } from '../../snapshot/format/versions/last-check.ts';
import { LOG_DIR } from '../../snapshot/format/versions/publication-log.ts';
import { REMOVED_DIR } from '../../snapshot/format/versions/removed.ts';

/** The shared store of snapshots cannot be used, or another publisher was faster. The message says what to do. */
export class StoreFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreFault';
  }
}

/**
 * The objects of a store. A version is an immutable folder, as in a directory of snapshots. A release and the small files that belong to no
 * version are objects under their own SHA-256. The pointer names the release; it alone is ever changed.
 */
export const POINTER = 'POINTER';
export const VERSIONS = 'versions/';
export const SUMMED = 'sha256/';
export const PROBE = 'probe/';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const version = z.string().regex(VERSION_PATTERN);

/** A file by its path in the directory of snapshots. */
const smallFileSchema = z.strictObject({
  path: z
    .string()
    .regex(
      /^(?:LAST_CHECK\.json|log\/(?:identities|checkpoint|keys|checkpoints\/[1-9]\d{0,14})|removed\/\d{8}T\d{6}Z-[0-9a-f]{8}\/[A-Za-z0-9][A-Za-z0-9._-]{0,79})$/,
    ),
  bytes: z.int().min(0),
  sha256,
});

const heldSchema = z.strictObject({
  version,
  /** SHA-256 of its manifest. */
  manifest: sha256,
});

/** The whole state of a publisher, which each replica has in the end. */
const releaseSchema = z.strictObject({
  format: z.literal(2),
  served: heldSchema,
  /** The other versions that the publisher has, newest first. */
  held: z.array(heldSchema),
  /** The log of publications, the last run that found the version unchanged, and what is kept of versions that were removed. */
  files: z.array(smallFileSchema),
});
export type Release = z.infer<typeof releaseSchema>;
export type HeldVersion = z.infer<typeof heldSchema>;

/** The release that counts. Its generation grows by one with each change and never goes back. */
export const pointerSchema = z.strictObject({
  format: z.literal(2),
  generation: z.int().min(1),
  version,
  /** SHA-256 of the release. */
  release: sha256,
  flippedAt: z.iso.datetime(),
});
export type Pointer = Omit<z.infer<typeof pointerSchema>, 'format'>;

export function summedKey(sum: string): string {
  return `${SUMMED}${sum}`;
}

/** The release in an object whose bytes have the SHA-256 that the pointer names. */
export function parseRelease(content: Buffer, key: string): Release {
  try {
    return releaseSchema.parse(JSON.parse(content.toString('utf8')));
  } catch (cause) {
    throw new StoreFault(`${key} of the store is not in the form that this program reads: update the older program`, {
      cause,
    });
  }
}

/** The versions that a replica has with all their files. */
export function wantedBy({ served, held }: Pick<Release, 'served' | 'held'>): string[] {
  return [served, ...held].map(({ version }) => version);
}

export const isOfLog = (path: string): boolean => path.startsWith(`${LOG_DIR}/`);
export const isOfRemoved = (path: string): boolean => path.startsWith(`${REMOVED_DIR}/`);
export const isLastCheck = (path: string): boolean => path === LAST_CHECK_FILE;
