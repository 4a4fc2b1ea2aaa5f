import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { quickDamage, snapshotPath, TABLES_ONLY } from '../../snapshot/format/versions/current.ts';
import { CURRENT_FILE, CURRENT_NONE } from '../../snapshot/format/versions/current-file.ts';
import type { SnapshotFileSum } from '../../snapshot/format/versions/manifest.ts';
import type { Effects } from '../effects.ts';
import { setCurrent } from '../publish/commit.ts';
import { sync, walk } from '../publish/durable.ts';
import { damagedFiles } from '../publish/verify/damage.ts';
import type { Gathered } from './gather.ts';

/** Renames the gathered version into its place. One that is there stays if it is whole, and makes room else. */
export async function place(
  { staging, dir, wanted }: Pick<Gathered, 'staging' | 'dir' | 'wanted'>,
  into: string,
  version: string,
  effects: Effects,
): Promise<void> {
  const target = snapshotPath(into, version);
  if (await isWhole(target, wanted)) return rm(staging, { recursive: true, force: true });
  for (const inner of [...(await walk(dir)).directories, '']) await sync(join(dir, inner));
  // Without a CURRENT beside versions a kill would leave it unsaid which of them is served.
  if (!existsSync(join(into, CURRENT_FILE))) await setCurrent(into, CURRENT_NONE, effects);
  const trash = join(into, `.trash-${version}`);
  await rm(trash, { recursive: true, force: true });
  if (existsSync(target)) await rename(target, trash);
  await rename(dir, target);
  effects.checkpoint('snapshot:renamed');
  await sync(into);
  await rm(trash, { recursive: true, force: true });
  await rm(staging, { recursive: true, force: true });
}

async function isWhole(dir: string, wanted: readonly SnapshotFileSum[]): Promise<boolean> {
  if (!existsSync(dir)) return false;
  const quick = await quickDamage(dir).catch(() => 'no manifest');
  return (quick === null || quick === TABLES_ONLY) && (await damagedFiles(dir, wanted)).length === 0;
}
