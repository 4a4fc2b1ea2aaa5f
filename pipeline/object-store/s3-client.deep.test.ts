import { hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folderOfTest } from '../../test/support/folders.ts';
import { type FakeS3, startS3 } from '../../tools/cluster/loopback-s3.ts';
import { S3Client } from './s3-client.ts';
import { Store } from './store.ts';

let s3: FakeS3;
let client: S3Client;
const folder = folderOfTest();
beforeEach(async () => {
  s3 = await startS3();
  client = new S3Client(s3.config, { waitAfter: () => 1 });
});
afterEach(() => s3[Symbol.asyncDispose]());

async function fileOf(content: Buffer) {
  const path = join(folder.path, 'file');
  await writeFile(path, content);
  return { path, sum: { path: 'file', bytes: content.length, sha256: hash('sha256', content) } };
}
const stored = (key: string) => s3.objects.get(`boards/${key}`)?.content;

test('each request is signed so that a store takes it, and one with another secret is refused', async () => {
  await client.write('one', Buffer.from('content'));
  expect((await client.read('one'))?.content.toString()).toBe('content');
  expect(await client.read('none')).toBeNull();
  await client.remove('one');
  expect(await client.read('one')).toBeNull();
  const other = new S3Client({ ...s3.config, secretAccessKey: 'another' });
  await expect(other.read('one')).rejects.toThrow('HTTP 403 (SignatureDoesNotMatch: refused)');
});

test('a list has all objects, also over many pages, with keys inside the prefix', async () => {
  for (let index = 10; index < 60; index += 1) await client.write(`objects/${index}`, Buffer.alloc(index));
  await client.write('other', Buffer.from('x'));
  const objects = await client.list('objects/');
  expect(objects.length).toBe(50);
  expect(objects[0]).toMatchObject({ key: 'objects/10', bytes: 10 });
});

test('a file is stored byte for byte, an empty one too', async () => {
  for (const length of [0, 1, 100_000]) {
    const content = Buffer.alloc(length, `${length}`);
    const { path, sum } = await fileOf(content);
    await client.writeFile(`objects/${length}`, path, sum);
    expect(stored(`objects/${length}`)?.equals(content), String(length)).toBe(true);
  }
});

test('a file that fails to arrive is sent again, and one that is refused is not stored', async () => {
  const { path, sum } = await fileOf(Buffer.alloc(3500, 'a'));
  const answers = [503, 500];
  s3.odd.set('PUT objects/large', (_, response) => {
    const status = answers.shift();
    if (status === undefined) return false;
    response.writeHead(status).end();
    return true;
  });
  await client.writeFile('objects/large', path, sum);
  expect(stored('objects/large')?.length).toBe(3500);
  answers.push(403);
  s3.odd.set('PUT objects/other', s3.odd.get('PUT objects/large')!);
  await expect(client.writeFile('objects/other', path, sum)).rejects.toThrow(
    'PUT s3://snapshots/boards/objects/other: HTTP 403',
  );
  expect(stored('objects/other')).toBeUndefined();
});

test('a file that is not what its sum states is not stored', async () => {
  const { path, sum } = await fileOf(Buffer.alloc(500, 'a'));
  await writeFile(path, Buffer.alloc(500, 'b'));
  await expect(client.writeFile('objects/wrong', path, sum)).rejects.toThrow(/SHA-?256/);
  await writeFile(path, Buffer.alloc(400, 'a'));
  await expect(client.writeFile('objects/wrong', path, sum)).rejects.toThrow('has 400 bytes, expected 500');
  expect(stored('objects/wrong')).toBeUndefined();
});

test('a store that is busy is asked again, and one that stays so is named with what it says', async () => {
  client = new S3Client(s3.config, { attempts: 2 });
  let refusals = 1;
  s3.odd.set('GET one', (_, response) => {
    refusals -= 1;
    if (refusals < 0) return false;
    response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
    return true;
  });
  expect(await client.read('one')).toBeNull();
  refusals = 99;
  s3.asked = [];
  await expect(client.read('one')).rejects.toThrow('GET s3://snapshots/boards/one: HTTP 503 (SlowDown');
  expect(s3.asked).toHaveLength(2);
});

test('a store that ignores conditions is found out before anything rests on them', async () => {
  const pointers = new Store(client, { now: () => new Date() });
  await pointers.assertWritable();
  expect(s3.objects.size).toBe(0);
  s3.hasBareMarks = true;
  await pointers.assertWritable();
  const next = { version: '20261126T100000Z-0a1b2c3d', release: '1'.repeat(64) };
  for (const generation of [0, 1]) await pointers.flip(generation, next);
  await client.remove('CURRENT');
  s3.ignoresConditions = true;
  await expect(pointers.assertWritable()).rejects.toThrow('ignores If-None-Match');
  expect(s3.objects.size).toBe(0);
});

test('a store that answers without end is given up', async () => {
  let ended = 0;
  s3.odd.set('GET flood', (_request, response) => {
    response.on('close', () => (ended += 1));
    const more = (): void => {
      if (response.destroyed) return;
      if (response.write('x'.repeat(65_536))) setImmediate(more);
      else response.once('drain', more);
    };
    more();
    return true;
  });
  await expect(client.read('flood')).rejects.toThrow('flood has more than 100000 bytes');
  await expect.poll(() => ended).toBe(1);
});
