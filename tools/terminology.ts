import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BUNDLED_FILES, BUNDLED_FOLDER } from '../snapshot/terminology/make-terminology.ts';
import { writeSourceFile } from '../snapshot/terminology/sources.ts';
import { meshOfText, ontologyOfText } from './source-texts.ts';

/**
 * Writes the bundled names in data/terminology from a folder with the two source texts that its README names:
 * `node tools/terminology.ts FOLDER`.
 */

const folder = process.argv[2];
if (folder === undefined) throw new Error('expected the folder of the source texts: node tools/terminology.ts FOLDER');
const text = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
const mesh = meshOfText(await text('mesh-2021-headings.tsv'));
const ontology = ontologyOfText(await text('disease-ontology-2016-09-01.tsv'));
await mkdir(BUNDLED_FOLDER, { recursive: true });
await writeFile(new URL(BUNDLED_FILES.mesh, BUNDLED_FOLDER), writeSourceFile(mesh));
await writeFile(new URL(BUNDLED_FILES.ontology, BUNDLED_FOLDER), writeSourceFile(ontology));
