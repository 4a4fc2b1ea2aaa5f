import { createHash } from 'node:crypto';
import { z } from 'zod';
import { VERSION_PATTERN } from '../../snapshot/format/versions/current-file.ts';
import { fileSchema, type SnapshotFileSum } from '../../snapshot/format/versions/manifest.ts';
import { StoreFault } from './store-fault.ts';

/**
 * What lies where in a store of snapshots. Everything but the pointer and the reports of replicas is an object under its own SHA-256,
 * never changed: the files of a version, the list of them, and the release, which names the list. The pointer names the release.
 */
export const OBJECTS = 'objects/';
export const REPLICAS = 'replicas/';
export const POINTER = 'POINTER';
export const PROBE = 'probe/';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const version = z.string().regex(VERSION_PATTERN);
const instant = z.iso.datetime();
const generation = z.int().min(1);

/** Every file of a version, those included that its manifest cannot list. */
const listingSchema = z.strictObject({ format: z.literal(1), version, files: z.array(fileSchema) });
export type VersionListing = z.infer<typeof listingSchema>;

/** A file beside the versions, by its path in the directory of snapshots. */
const besideSchema = z.strictObject({
  path: z
    .string()
    .regex(
      /^(?:LAST_CHECK\.json|log\/(?:identities|checkpoint|keys|checkpoints\/[1-9]\d{0,14})|removed\/\d{8}T\d{6}Z-[0-9a-f]{8}\/[A-Za-z0-9][A-Za-z0-9._-]{0,79})$/,
    ),
  bytes: z.int().min(0),
  sha256,
});

/** Everything that a replica has in the end. */
const releaseSchema = z.strictObject({
  format: z.literal(1),
  /** The version that is served. */
  version,
  /** SHA-256 of its listing. */
  listing: sha256,
  /** The log of publications, the last run that found the version unchanged, and what is kept of versions that were removed. */
  beside: z.array(besideSchema),
  /** The other versions that the publisher holds, newest first. */
  held: z.array(z.strictObject({ version, listing: sha256 })),
});
export type Release = z.infer<typeof releaseSchema>;

/** The release that counts. Its generation grows by one with each change and never goes back. */
export interface Pointer {
  generation: number;
  version: string;
  /** SHA-256 of the release. */
  release: string;
  flippedAt: string;
}

/** A release that is in the store whole, and counts as soon as the replicas have it. */
export interface Candidate {
  version: string;
  release: string;
  announcedAt: string;
}

/** Null members before the first release, and while none is announced. */
export interface PointerState {
  pointer: Pointer | null;
  candidate: Candidate | null;
}

export const pointerStateSchema = z.strictObject({
  format: z.literal(1),
  pointer: z.strictObject({ generation, version, release: sha256, flippedAt: instant }).nullable(),
  candidate: z.strictObject({ version, release: sha256, announcedAt: instant }).nullable(),
});

/** What a replica says of itself, at least every REPORT_MS. */
export const replicaReportSchema = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9._-]{1,120}$/),
  /** The generation that it serves; 0 before the first. */
  generation: z.int().min(0),
  version: version.nullable(),
  /** SHA-256 of the release that lies ready beside it, or is served. */
  staged: sha256.nullable(),
});
export type ReplicaReport = z.infer<typeof replicaReportSchema>;

export function sha256Of(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

export function objectKey(sum: string): string {
  return `${OBJECTS}${sum}`;
}

export function textOf(value: VersionListing | Release): Buffer {
  return Buffer.from(JSON.stringify(value));
}

export function parseListing(content: Buffer, sum: string): VersionListing {
  return parsedAs(listingSchema, content, sum);
}

export function parseRelease(content: Buffer, sum: string): Release {
  return parsedAs(releaseSchema, content, sum);
}

/** The value of an object, after its bytes were held against its name. */
function parsedAs<Schema extends z.ZodType>(schema: Schema, content: Buffer, sum: string): z.infer<Schema> {
  const found = sha256Of(content);
  if (found !== sum) throw new StoreFault(`${objectKey(sum)} of the store has the SHA-256 ${found}`);
  let value: unknown;
  try {
    value = JSON.parse(content.toString('utf8'));
  } catch (cause) {
    throw new StoreFault(`${objectKey(sum)} of the store is not JSON`, { cause });
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new StoreFault(
    `${objectKey(sum)} of the store is not in the form that this program reads (${issue?.path.join('.')}: ${issue?.message}): update the program that is older`,
  );
}

/** The versions that a replica has with all their files. */
export function wantedBy({ version, held }: Pick<Release, 'version' | 'held'>): string[] {
  return [version, ...held.map((one) => one.version)];
}

/** Files of one SHA-256 once. */
export function distinctFiles(files: readonly SnapshotFileSum[]): SnapshotFileSum[] {
  return [...new Map(files.map((file) => [file.sha256, file])).values()];
}
