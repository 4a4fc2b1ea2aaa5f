import { REGISTRY_IDS } from '../../contract/ids.ts';
import { rawSetsOf } from '../raw/fetch-log.ts';
import { readRawSet } from '../raw/read-raw-set.ts';
import type { RawReaders, RegistrySets } from './chain.ts';

/** The readers of raw sets on disk. */
export const RAW_READERS: RawReaders = { readRawSet };

/** The current raw sets of every registry that has any, in the order of REGISTRY_IDS. */
export async function registrySetsOf(dataDir: string): Promise<RegistrySets[]> {
  const found: RegistrySets[] = [];
  for (const registry of REGISTRY_IDS) {
    const sets = await rawSetsOf(dataDir, registry);
    if (sets !== null) found.push({ registry, ...sets });
  }
  return found;
}
