import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** In the snapshots directory: one line, the version that is served. Replaced by rename. */
export const CURRENT_FILE = 'CURRENT';

/** What CURRENT holds while the first snapshot is put in its place; a kill then leaves no version without a CURRENT. */
export const CURRENT_NONE = 'none';

/** Directory name of a snapshot: UTC second it was made in and the first 8 hex digits of its identity. */
export const VERSION_PATTERN = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/;

/** Name of a snapshot: its second in basic form and the first 8 digits of its identity. */
export function versionName(createdAt: string, identity: string): string {
  return `${basicForm(createdAt)}-${identity.slice(0, 8)}`;
}

/** An instant of ISO 8601 to the second, without the signs between its parts. */
export function basicForm(instant: string): string {
  return instant.replace(/\.\d{3}Z$/, 'Z').replaceAll(/[-:]/g, '');
}

/** Whether there is a snapshot, or CURRENT says that there was one. */
export function wasPublished(snapshotsDir: string): boolean {
  if (!existsSync(snapshotsDir)) return false;
  const current = join(snapshotsDir, CURRENT_FILE);
  if (existsSync(current)) return readFileSync(current, 'utf8').trim() !== CURRENT_NONE;
  return readdirSync(snapshotsDir).some((name) => VERSION_PATTERN.test(name));
}
