import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import yauzl from 'yauzl';
import { folderOfFile } from '../../test/support/folders.ts';
import { generateCorpus } from './corpus.ts';
import { writeOfficialZip } from './write-dumps.ts';
import { type ZipEntry, type ZipOptions, zipArchive } from './zip-archive.ts';

const { path: directory } = folderOfFile();

/** Every entry, as an independent zip reader finds it. */
async function* entriesOf(path: string): AsyncGenerator<ZipEntry> {
  const archive = await yauzl.openPromise(path);
  try {
    for await (const entry of archive.eachEntry()) {
      yield { name: entry.fileName, content: await text(await archive.openReadStreamPromise(entry)) };
    }
  } finally {
    archive.close();
  }
}

/** Writes an archive at the offset `startAt` of a sparse file, whose leading bytes take no disk space. */
async function write(name: string, entries: Iterable<ZipEntry>, options: ZipOptions): Promise<string> {
  const path = join(directory, name);
  const file = await open(path, 'w');
  let position = options.startAt ?? 0;
  let pending: Buffer[] = [];
  for (const piece of zipArchive(entries, options)) {
    pending.push(piece);
    if (pending.length < 1000) continue;
    position += (await file.write(Buffer.concat(pending), 0, null, position)).bytesWritten;
    pending = [];
  }
  await file.write(Buffer.concat(pending), 0, null, position);
  await file.close();
  return path;
}

describe('the bulk download', () => {
  it('is read back by an independent reader, study by study', async () => {
    const options = { seed: 1, ctgov: 120, isrctn: 40, asOf: '2026-10-01' };
    const path = join(directory, 'ctgov.zip');
    await writeOfficialZip(path, options);
    const found: ZipEntry[] = [];
    for await (const entry of entriesOf(path)) found.push(entry);
    expect(found.map(({ content }) => content)).toEqual([...generateCorpus(options).ctgov()]);
    expect(found[0]?.name).toBe('NCT90000001.json');
  });
});

describe('a zip archive', () => {
  it('goes on beyond 4 GiB', async () => {
    const entries = [
      { name: 'near.json', content: '{"near":true}' },
      { name: 'far.json', content: '{"far":true}' },
    ];
    // The first entry begins at the last offset that four bytes can hold, so the second begins beyond it.
    const path = await write('far.zip', entries, { startAt: 0xfffffffe });
    const found: ZipEntry[] = [];
    for await (const entry of entriesOf(path)) found.push(entry);
    expect(found).toEqual(entries);
  });
});
