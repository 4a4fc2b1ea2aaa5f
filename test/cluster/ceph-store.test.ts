import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { push } from '../../pipeline/object-store/push.ts';
import { Replica } from '../../pipeline/object-store/replica.ts';
import { S3Client } from '../../pipeline/object-store/s3-client.ts';
import { Store } from '../../pipeline/object-store/store.ts';
import { walk } from '../../pipeline/publish/durable.ts';
import { readCurrent } from '../../snapshot/format/versions/current.ts';
import { quietEffects } from '../builders/working-database.ts';
import { type Ceph, NO_CEPH, startCeph } from '../support/runner/ceph.ts';
import { copyWithLinks } from '../support/snapshots/copy-with-links.ts';

/** The store of snapshots on the S3 of other people: Ceph's object gateway checks the signatures, the sums and the conditions. */

if (NO_CEPH !== null) process.stderr.write(`the store of snapshots is not tested on Ceph: ${NO_CEPH}\n`);

let ceph: Ceph;
let dir: string;
const MB = 2 ** 20;
const client = () => new S3Client(ceph.config);
const store = () => new Store(client(), { now: () => new Date() });
const VERSION = '20261126T100000Z-0a1b2c3d';

describe.runIf(NO_CEPH === null)('a store on Ceph', () => {
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'ceph-store-'));
    ceph = await startCeph();
  });
  afterAll(async () => {
    await ceph?.[Symbol.asyncDispose]();
    await rm(dir, { recursive: true, force: true });
  });

  it('takes files, and none with other bytes', async () => {
    for (const length of [0, 3 * MB, 14 * MB]) {
      const content = Buffer.alloc(length, 'abcdefg');
      const path = join(dir, 'file');
      await writeFile(path, content);
      const sum = { path: 'file', bytes: length, sha256: createHash('sha256').update(content).digest('hex') };
      await client().writeFile(`objects/${length}`, path, sum);
      expect((await client().read(`objects/${length}`))?.content.equals(content), String(length)).toBe(true);
      if (length === 0) continue;
      await writeFile(path, Buffer.alloc(length, 'gfedcba'));
      await expect(client().writeFile(`objects/other-${length}`, path, sum)).rejects.toThrow(/SHA-?256/);
      expect(await client().read(`objects/other-${length}`)).toBeNull();
    }
    for (const length of [0, 3 * MB, 14 * MB]) await client().remove(`objects/${length}`);
  });

  it('holds conditions, so that of many publishers one wins each generation', async () => {
    const racers = Array.from({ length: 6 }, store);
    for (const racer of racers) await racer.assertWritable();
    for (let generation = 0; generation < 5; generation += 1) {
      const next = (index: number) => ({ version: VERSION, release: String(index).repeat(64) });
      const flips = racers.map((racer, index) => racer.flip(generation, next(index)));
      const won = (await Promise.allSettled(flips)).flatMap((flip) =>
        flip.status === 'fulfilled' ? [flip.value] : [],
      );
      expect(won.length, String(generation)).toBe(1);
      expect(await racers[0]!.pointer()).toEqual(won[0]);
    }
    await client().remove('CURRENT');
  });

  it('brings a published version from one directory to another, byte for byte', async () => {
    const [source, into] = [join(dir, 'source'), join(dir, 'into')];
    await copyWithLinks(inject('sampleSnapshots'), source);
    const version = await readCurrent(source);
    const pushed = await push({ store: store(), snapshotsDir: source }, quietEffects());
    expect(pushed).toMatchObject({ pointer: { generation: 1, version } });
    const following = { store: store(), snapshotsDir: into, trusted: null };
    expect(await new Replica(following, quietEffects()).step()).toMatchObject({ generation: 1, swapped: version });
    const files = (await walk(join(source, version!))).files;
    expect((await walk(join(into, version!))).files).toEqual(files);
    for (const path of files) {
      const [sent, brought] = [
        await readFile(join(source, version!, path)),
        await readFile(join(into, version!, path)),
      ];
      expect(brought.equals(sent), path).toBe(true);
    }
    expect(await store().gc({ dryRun: false }, quietEffects())).toMatchObject({ removed: 0, leftovers: 0 });
  });
});
