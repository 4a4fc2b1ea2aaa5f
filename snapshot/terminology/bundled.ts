import { readFile } from 'node:fs/promises';
import { packTerminology } from './pack.ts';
import type { ReviewedTable } from './reviewed-table.ts';
import { readSourceFile } from './source-file.ts';

/** The terminology of this repository: two bundled sources, packed with the reviewed table as it stands. */

export const BUNDLED_FILES = { mesh: 'mesh.tsv.gz', ontology: 'disease-ontology.tsv.gz' } as const;
export const BUNDLED_FOLDER = new URL('../../data/terminology/', import.meta.url);
const REVIEWED_TABLE = new URL('../../data/rules/synonyms.json', import.meta.url);

let bundled: Promise<Uint8Array> | undefined;

/** Packed once in a process, because it takes most of a second and the files do not change. Callers share the bytes. */
export function bundledTerminology(): Promise<Uint8Array> {
  bundled ??= readFile(new URL(BUNDLED_FILES.mesh, BUNDLED_FOLDER)).then(terminologyWith);
  return bundled;
}

/** The terminology with another file of MeSH names than the bundled one. */
export async function terminologyWith(mesh: Uint8Array): Promise<Uint8Array> {
  const ontology = await readFile(new URL(BUNDLED_FILES.ontology, BUNDLED_FOLDER));
  const reviewed = JSON.parse(await readFile(REVIEWED_TABLE, 'utf8')) as ReviewedTable;
  return packTerminology({ mesh: readSourceFile(mesh), ontology: readSourceFile(ontology), reviewed });
}
