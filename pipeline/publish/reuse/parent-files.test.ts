import { mkdir, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documentsFile, SERVING_IMAGE_VERSION } from '../../../snapshot/format/serving.ts';
import { ArrowFile, numberData, UINT8 } from '../../../snapshot/image/arrow-file.ts';
import { numberColumn } from '../../../snapshot/image/arrow-reader.ts';
import { temporaryDirectory } from '../../../test/builders/working-database.ts';
import { sumFile } from '../durable.ts';
import { NotReusable, type ParentSnapshot } from '../serving/reused.ts';
import { filesAhead, filesWhenAsked, type ParentFiles } from './parent-files.ts';

const FILES = 5;

/** A parent snapshot. Its document file number n has n + 1 rows, each with the value n. */
async function parentIn(dir: string): Promise<ParentSnapshot> {
  await mkdir(join(dir, 'serving'));
  const paths = Array.from({ length: FILES }, (_, number) => `serving/${documentsFile(number)}`);
  for (const [number, path] of paths.entries()) {
    using file = new ArrowFile(join(dir, path), { value: UINT8 });
    file.write([numberData(new Uint8Array(number + 1).fill(number))]);
    file.close();
  }
  const files = await Promise.all(paths.map((path) => sumFile(dir, path)));
  return { dir, imageVersion: SERVING_IMAGE_VERSION, files };
}

async function valuesOf(files: ParentFiles, number: number): Promise<number[]> {
  return (await files.batches(number)).flatMap((batch) => [
    ...numberColumn<Uint8Array>(batch, 'value', 'the documents'),
  ]);
}

test('files read ahead are those that are read when asked for, also where some are passed over', async () => {
  await using place = await temporaryDirectory();
  const parent = await parentIn(place.path);
  for (const asked of [[0, 1, 2, 3, 4], [1, 4], [3]]) {
    await using ahead = filesAhead(parent);
    await using plain = filesWhenAsked(parent);
    for (const number of asked) {
      const expected = new Array(number + 1).fill(number);
      expect(await valuesOf(ahead, number)).toEqual(expected);
      expect(await valuesOf(plain, number)).toEqual(expected);
    }
  }
});

test('a file stays as it was read until another is asked for', async () => {
  await using place = await temporaryDirectory();
  await using ahead = filesAhead(await parentIn(place.path));
  const batches = await ahead.batches(1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(batches.flatMap((batch) => [...numberColumn<Uint8Array>(batch, 'value', 'the documents')])).toEqual([1, 1]);
});

test('a damaged file is refused by name when it is asked for, and so is one that is not there', async () => {
  await using place = await temporaryDirectory();
  const parent = await parentIn(place.path);
  const damaged = join(place.path, 'serving', documentsFile(2));
  await truncate(damaged, (await stat(damaged)).size - 1);
  for (const make of [filesAhead, filesWhenAsked]) {
    await using files = make(parent);
    expect(await valuesOf(files, 0)).toEqual([0]);
    await expect(files.batches(2)).rejects.toThrow('serving/documents-002.arrow of the parent is missing or cut');
    await expect(files.batches(FILES)).rejects.toThrow(NotReusable);
  }
});
