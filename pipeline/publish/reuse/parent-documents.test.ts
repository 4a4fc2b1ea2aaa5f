import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SERVING_IMAGE_VERSION } from '../../../snapshot/format/serving.ts';
import { temporaryDirectory } from '../../../test/builders/working-database.ts';
import { sumFile } from '../durable.ts';
import { DocumentWriter } from '../serving/document-writer.ts';
import type { RowTexts } from '../serving/present-trial.ts';
import type { ParentSnapshot, ReusedDocuments } from '../serving/reused.ts';
import { DocumentsBeside, documentsInLine } from './parent-documents.ts';

const ROWS = 3000;
const texts = (of: string, row: number): RowTexts =>
  ({
    head: `${of} ${row}`,
    brief: '{}',
    full: 'x'.repeat(row % 50),
    design: of,
    eligibility: '',
    publications: '',
    superseded: '',
  }) as RowTexts;

async function parentIn(dir: string): Promise<ParentSnapshot> {
  await mkdir(join(dir, 'serving'), { recursive: true });
  await using writer = new DocumentWriter(join(dir, 'serving'));
  for (let row = 0; row < ROWS; row += 1) await writer.add(texts('old', row));
  const files = (await writer.close()).map((sum) => ({ ...sum, path: `serving/${sum.path}` }));
  return { dir, imageVersion: SERVING_IMAGE_VERSION, files };
}

/** 1,500 new documents, then the parent's without its first and last ones, with a new one between. */
async function write(documents: ReusedDocuments) {
  for (let row = 0; row < 1500; row += 1) await documents.add(texts('new', row));
  await documents.copy({ from: 10, to: 1500, length: 1490 });
  await documents.add(texts('new', 1500));
  await documents.copy({ from: 1500, to: 2991, length: 1400 });
  return documents.close();
}

test('a worker writes the same documents as the caller does, and states the sums of the files', async () => {
  await using place = await temporaryDirectory();
  const parent = await parentIn(place.path);
  const made = async (name: string, make: typeof documentsInLine) => {
    const outDir = join(place.path, name);
    await mkdir(outDir);
    await using documents = make({ parent, outDir });
    const sums = await write(documents);
    expect(sums).toEqual(await Promise.all(sums.map(({ path }) => sumFile(outDir, path))));
    return sums;
  };
  const beside = await made('beside', (data) => new DocumentsBeside(data));
  expect(beside).toHaveLength(1);
  expect(beside).toEqual(await made('in-line', documentsInLine));
});
