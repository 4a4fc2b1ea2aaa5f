import { mkdir, open, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { bundledTerminology, terminologyWith } from '../../snapshot/terminology/make-terminology.ts';
import { writeSourceFile } from '../../snapshot/terminology/sources.ts';
import { readTerminology } from '../../snapshot/terminology/terminology.ts';
import { errorCode } from '../error-code.ts';
import type { BuildServingImage } from '../publish/commit.ts';
import { buildServingImage } from '../publish/serving/build-serving-image.ts';
import { FileFault, readChunks, replaceFile } from '../raw/files.ts';
import { readMeshXml, TermsFault } from './mesh-xml.ts';

/** MeSH names that the operator imported; they take the place of the bundled ones. */
export function termsFile(dataDir: string): string {
  return join(dataDir, 'terminology', 'mesh.json.gz');
}

export interface TermsInUse {
  /** The imported file, or null for the bundled names. */
  file: string | null;
  terminology: Uint8Array;
}

/** The terminology that the next publish uses. */
export async function termsInUse(dataDir: string): Promise<TermsInUse> {
  const file = termsFile(dataDir);
  const imported = await readFile(file).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (imported === null) return { file: null, terminology: await bundledTerminology() };
  return { file, terminology: await terminologyWith(imported) };
}

/** Builds serving images with the terminology that is in use. */
export async function imageBuilder(dataDir: string): Promise<BuildServingImage> {
  const { terminology } = await termsInUse(dataDir);
  return (inputs, effects) => buildServingImage({ ...inputs, terminology }, effects);
}

/** Imports NLM's file of MeSH descriptors, plain or gzipped. A file that cannot be read leaves what was imported before. */
export async function importMeshFile(path: string, dataDir: string): Promise<void> {
  const name = basename(path);
  const chunks = readChunks(path, await isGzip(path));
  const mesh = await readMeshXml(chunks, name).catch((error: unknown) => {
    throw error instanceof FileFault ? new TermsFault(`${name}: ${error.message}`) : error;
  });
  const packed = writeSourceFile(mesh);
  // Proves that a publish can use it, before it takes the place of the old one.
  readTerminology(await terminologyWith(packed));
  const file = termsFile(dataDir);
  await mkdir(dirname(file), { recursive: true });
  await replaceFile(file, packed);
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw new TermsFault(`${path} cannot be opened: ${error instanceof Error ? error.message : error}`);
  });
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file.close();
  }
}
