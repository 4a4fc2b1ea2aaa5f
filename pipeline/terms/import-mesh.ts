import { mkdir, open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { terminologyWith } from '../../snapshot/terminology/bundled.ts';
import { writeSourceFile } from '../../snapshot/terminology/source-file.ts';
import { readTerminology } from '../../snapshot/terminology/terminology.ts';
import type { Effects } from '../effects.ts';
import { FileFault, readChunks, replaceFile } from '../raw/files.ts';
import { type ClientOptions, RegistryClient, UnsoundBody } from '../raw/http-client.ts';
import { readMeshXml, TermsFault } from './mesh-xml.ts';
import { termsFile } from './terms-in-use.ts';

/** Bytes; the plain XML of a year has about 300 MB, gzipped a tenth of it. */
const DOWNLOAD_MAX = 600 * 1024 * 1024;

/** Imports NLM's file of MeSH descriptors, plain or gzipped. A file that cannot be read leaves what was imported before. */
export async function importMeshFile(path: string, dataDir: string): Promise<void> {
  const chunks = readChunks(path, isGzip(await firstBytes(path)));
  await importMesh(chunks, basename(path), dataDir);
}

/** Downloads the file from `url` and imports it. */
export async function importMeshUrl(
  url: string,
  dataDir: string,
  options: Omit<ClientOptions, 'registry' | 'baseUrl' | 'maxBodyBytes'>,
  effects: Effects,
): Promise<void> {
  const client = new RegistryClient(
    { ...options, registry: 'mesh', baseUrl: url, maxBodyBytes: DOWNLOAD_MAX },
    effects,
  );
  const { value } = await client.get('', {}, (body) => (isGzip(body) ? unpacked(body) : body));
  await importMesh(piecesOf(value), url, dataDir);
}

/** Throws UnsoundBody, so that a download that was cut is asked for again. */
function unpacked(body: Buffer): Buffer {
  try {
    return gunzipSync(body);
  } catch (error) {
    throw new UnsoundBody(
      'truncated',
      `its gzip data is cut or damaged (${error instanceof Error ? error.message : error})`,
    );
  }
}

async function importMesh(chunks: AsyncIterable<Buffer>, name: string, dataDir: string): Promise<void> {
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

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw new TermsFault(`${path} cannot be opened: ${error instanceof Error ? error.message : error}`);
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

const PIECE_BYTES = 1024 * 1024;

async function* piecesOf(body: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES);
}
