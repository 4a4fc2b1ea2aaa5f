import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type Manifest, manifestSchema } from './manifest.ts';

/** In the snapshots directory: the last run that found the served version unchanged. Replaced by rename. */
export const LAST_CHECK_FILE = 'LAST_CHECK.json';

const lastCheckSchema = z.strictObject({
  /** The version whose content was found again. */
  version: z.string(),
  checkedAt: z.iso.datetime(),
  /** State of the registries and feeds at that check; their ages are counted from it. */
  registries: manifestSchema.shape.registries,
  feeds: manifestSchema.shape.feeds,
});
export type LastCheck = z.infer<typeof lastCheckSchema>;

/**
 * The last check; null when there was none since `version` was published, where one is given, or when the file cannot be
 * read as one.
 */
export async function readLastCheck(snapshotsDir: string, version?: string): Promise<LastCheck | null> {
  const text = await readFile(join(snapshotsDir, LAST_CHECK_FILE), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    const check = lastCheckSchema.parse(JSON.parse(text));
    return version === undefined || check.version === version ? check : null;
  } catch {
    return null;
  }
}

/** A manifest as of its last check: the registries and feeds were read again, and everything else is as published. */
export function asChecked(manifest: Manifest, check: LastCheck | null): Manifest {
  if (check === null || check.version !== manifest.version) return manifest;
  return { ...manifest, registries: check.registries, ...(check.feeds === undefined ? {} : { feeds: check.feeds }) };
}
