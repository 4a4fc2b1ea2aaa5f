import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundledTerminology, terminologyWith } from '../../snapshot/terminology/bundled.ts';
import { errorCode } from '../raw/files.ts';

/** MeSH names that the operator imported; they take the place of the bundled ones. */
export function termsFile(dataDir: string): string {
  return join(dataDir, 'terminology', 'terms.bin');
}

export interface TermsInUse {
  /** The imported file, or null for the bundled names. */
  file: string | null;
  packed: Uint8Array;
}

/** The terminology that the next publish uses. */
export async function termsInUse(dataDir: string): Promise<TermsInUse> {
  const file = termsFile(dataDir);
  const imported = await readFile(file).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (imported === null) return { file: null, packed: await bundledTerminology() };
  return { file, packed: await terminologyWith(imported) };
}
