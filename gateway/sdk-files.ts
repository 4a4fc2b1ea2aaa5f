import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of the SDK, as served. */
export interface SdkFile {
  name: string;
  content: Buffer<ArrayBuffer>;
  sha256: string;
  mediaType: string;
}

export interface SdkFiles {
  name: string;
  version: string;
  /** The source, by name. */
  source: readonly SdkFile[];
  /** Source and JavaScript, by name; no other file is served. */
  byName: ReadonlyMap<string, SdkFile>;
}

const SDK = join(dirname(dirname(fileURLToPath(import.meta.url))), 'sdk');

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.ts': 'text/typescript; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
};

/** Reads the SDK of this checkout once. */
export function readSdkFiles(): SdkFiles {
  const modules = readdirSync(SDK).filter((name) => name.endsWith('.ts') && !name.includes('.test.'));
  const source = ['package.json', ...modules.sort()].map((name) => fileOf(SDK, name));
  const compiled = readdirSync(join(SDK, 'js')).map((name) => fileOf(join(SDK, 'js'), name));
  const { name, version } = JSON.parse(source[0]!.content.toString()) as { name: string; version: string };
  return { name, version, source, byName: new Map([...source, ...compiled].map((file) => [file.name, file])) };
}

function fileOf(folder: string, name: string): SdkFile {
  const content = readFileSync(join(folder, name));
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { name, content, sha256, mediaType: MEDIA_TYPES[extname(name)]! };
}
