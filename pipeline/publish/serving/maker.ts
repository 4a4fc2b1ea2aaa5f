import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Topic } from './topics.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Folders with all code that an image's bytes follow from; a change of anything in them makes the next image whole. */
const MAKERS = ['contract', 'snapshot-format', 'serving-image', 'pipeline/publish/serving'];

let code: Promise<string> | undefined;

/** Hash of what decides an image's bytes beside the tables: the code, its tables of Unicode, and the topics. */
export async function makerOf(topics: readonly Topic[]): Promise<string> {
  code ??= hashOfCode();
  const parts = [await code, process.versions.unicode, topics];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

async function hashOfCode(): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of MAKERS) {
    const files = (await readdir(join(ROOT, folder), { recursive: true })).filter(isCode).sort();
    for (const file of files) {
      hash.update(`${folder}/${file.replaceAll('\\', '/')}\n`);
      hash.update(await readFile(join(ROOT, folder, file)));
    }
  }
  return hash.digest('hex');
}

function isCode(file: string): boolean {
  return /\.(ts|sql)$/.test(file) && !file.endsWith('.test.ts');
}
