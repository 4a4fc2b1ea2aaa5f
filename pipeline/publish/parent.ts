import { CurrentFault, readCurrentManifest } from '../../snapshot-format/current.ts';
import type { Manifest } from '../../snapshot-format/manifest.ts';
import { acceptName } from './check-rules.ts';
import type { Finding } from './content-checks.ts';
import { whether } from './gate.ts';

/** The snapshot that a new one is compared with; null for the first, and where CURRENT does not say which it is. */
export interface FoundParent {
  parent: Manifest | null;
  /** `no-parent` where there are snapshots, but CURRENT names none that can be used. */
  findings: Finding[];
}

export async function findParent(snapshotsDir: string): Promise<FoundParent> {
  try {
    return { parent: await readCurrentManifest(snapshotsDir), findings: [] };
  } catch (error) {
    if (!(error instanceof CurrentFault)) throw error;
    const detail = `there is nothing to compare with, because ${error.message}`;
    return { parent: null, findings: [{ ...whether('no-parent', acceptName('no-parent'), true), detail }] };
  }
}
