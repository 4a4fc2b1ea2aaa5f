import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NO_POSTGRES, openDatabase, type TestDatabase } from '../../test/support/runner/postgres.ts';
import { type FakeS3, startS3 } from '../../tools/cluster/loopback-s3.ts';
import { ObjectPointers } from './object-pointers.ts';
import type { Pointers } from './pointers.ts';
import { PostgresPointers } from './postgres-pointers.ts';
import { S3Client } from './s3-client.ts';

if (NO_POSTGRES !== null) process.stderr.write(`pointers in PostgreSQL are not tested: ${NO_POSTGRES}\n`);

const STORE = 's3://snapshots/boards';
const VERSION = '20261126T100000Z-0a1b2c3d';
const next = (index: number) => ({ version: VERSION, release: `${index}`.repeat(64) });

let s3: FakeS3;
let database: TestDatabase | null = null;
let open: Pointers[];
beforeAll(async () => {
  if (NO_POSTGRES === null) database = await openDatabase();
});
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  s3 = await startS3();
  open = [];
});
afterEach(async () => {
  for (const one of open) await one[Symbol.asyncDispose]();
  await s3[Symbol.asyncDispose]();
  if (database !== null) await run('DROP TABLE IF EXISTS snapshot_pointer, snapshot_replica, pipeline_lease');
});

async function run(text: string): Promise<void> {
  const client = new Client({ connectionString: database!.url });
  await client.connect();
  await client.query(text);
  await client.end();
}

const inStore = (): ObjectPointers =>
  new ObjectPointers(new S3Client(s3.config, { waitAfter: () => 1 }), () => new Date());
const inDatabase = (): Pointers => new PostgresPointers(database!.url, STORE, inStore());

describe.each([
  { where: 'an object of the store', make: inStore, isThere: true },
  { where: 'a row of PostgreSQL', make: inDatabase, isThere: NO_POSTGRES === null },
])('the pointer as $where', ({ make, isThere }) => {
  const opened = (): Pointers => {
    const pointers = make();
    open.push(pointers);
    return pointers;
  };

  it.runIf(isThere)('is flipped by one of many publishers, to the next generation', async () => {
    const racers = Array.from({ length: 8 }, opened);
    const [first] = racers as [Pointers];
    expect(await first.state()).toEqual({ pointer: null, candidate: null });
    await using lease = await first.lease('a test');
    for (let generation = 0; generation < 3; generation += 1) {
      const basis = { generation, fence: lease.fence };
      const flips = await Promise.allSettled(racers.map((racer, index) => racer.flip(basis, next(index))));
      const won = flips.flatMap((flip) => (flip.status === 'fulfilled' ? [flip.value] : []));
      expect(won).toEqual([expect.objectContaining({ generation: generation + 1, version: VERSION })]);
      expect((await first.state()).pointer).toEqual(won[0]);
      const lost = flips.flatMap((flip) => (flip.status === 'rejected' ? [String(flip.reason)] : []));
      expect(lost.length).toBe(7);
      for (const message of lost)
        expect(message).toContain(`this one began at generation ${generation}, and now it is`);
    }
  });

  it.runIf(isThere)('names a candidate until a flip, and nothing changes on a basis that does not hold', async () => {
    const pointers = opened();
    await using lease = await pointers.lease('a test');
    const { fence } = lease;
    await pointers.announce({ generation: 0, fence }, next(1));
    expect(await pointers.state()).toEqual({
      pointer: null,
      candidate: { ...next(1), announcedAt: expect.any(String) },
    });
    await pointers.flip({ generation: 0, fence }, next(1));
    const before = await pointers.state();
    expect(before).toMatchObject({ pointer: { generation: 1, ...next(1) }, candidate: null });
    await expect(pointers.announce({ generation: 0, fence }, next(2))).rejects.toThrow('began at generation 0');
    await expect(pointers.flip({ generation: 0, fence }, next(2))).rejects.toThrow('began at generation 0');
    await expect(pointers.flip({ generation: 2, fence }, next(2))).rejects.toThrow('began at generation 2');
    expect(await pointers.state()).toEqual(before);
  });

  it.runIf(isThere)('tells which replicas reported, each by its newest report', async () => {
    const pointers = opened();
    const report = { name: 'one', generation: 1, version: VERSION, staged: null };
    await pointers.report(report);
    await pointers.report({ ...report, generation: 2, staged: next(1).release });
    await pointers.report({ ...report, name: 'two', generation: 0, version: null });
    const live = await pointers.liveReplicas();
    expect(live.map(({ reportedAt: _at, ...rest }) => rest)).toEqual([
      { name: 'one', generation: 2, version: VERSION, staged: next(1).release },
      { name: 'two', generation: 0, version: null, staged: null },
    ]);
  });
});

describe.runIf(NO_POSTGRES === null)('in PostgreSQL the lease of the pipeline, or the database', () => {
  const opened = (): Pointers => {
    const pointers = inDatabase();
    open.push(pointers);
    return pointers;
  };

  it('is held by one publisher, whom the others name, and its fence grows', async () => {
    const [one, two] = [opened(), opened()];
    const held = await one.lease('process 1 of alpha');
    expect(held.fence).toBe(1);
    const until =
      /^process 1 of alpha holds the lease of the pipeline for s3:\/\/snapshots\/boards until 20\S+Z and renews/;
    await expect(two.lease('process 2 of beta')).rejects.toThrow(until);
    await held[Symbol.asyncDispose]();
    await using next = await two.lease('process 2 of beta');
    expect(next.fence).toBe(2);
  });

  it('that was lost stops the publisher before the flip', async () => {
    const [one, two] = [opened(), opened()];
    await using held = await one.lease('process 1 of alpha');
    await one.announce({ generation: 0, fence: held.fence }, next(1));
    // As after a pause of the whole process that was longer than the lease.
    await run(`UPDATE pipeline_lease SET until = now() - interval '1 second'`);
    await expect(one.flip({ generation: 0, fence: held.fence }, next(1))).rejects.toThrow('lost its lease');
    await using taken = await two.lease('process 2 of beta');
    await expect(one.flip({ generation: 0, fence: held.fence }, next(1))).rejects.toThrow(
      'lost its lease of the pipeline, and nothing counts that it did since: process 2 of beta holds',
    );
    expect((await two.flip({ generation: 0, fence: taken.fence }, next(2))).generation).toBe(1);
    // Nor does its end give away the lease of the other one.
    await held[Symbol.asyncDispose]();
    await expect(opened().lease('process 3 of gamma')).rejects.toThrow('process 2 of beta holds');
  });

  it('takes over the pointer of the store when a database comes, and a machine without the database is told', async () => {
    await inStore().flip({ generation: 0, fence: null }, next(1));
    await inStore().flip({ generation: 1, fence: null }, next(2));
    const pointers = opened();
    expect((await pointers.state()).pointer).toMatchObject({ generation: 2, ...next(2) });
    await using lease = await pointers.lease('a test');
    expect(await pointers.flip({ generation: 2, fence: lease.fence }, next(3))).toMatchObject({ generation: 3 });
    await expect(inStore().state()).rejects.toThrow('BOARD_STORE must name that one on every machine');
    expect((await opened().state()).pointer).toMatchObject({ generation: 3, ...next(3) });
  });

  it('says where a database does not answer, without its address', async () => {
    const away = new PostgresPointers('postgres://user:secret@127.0.0.1:1/none', STORE, inStore());
    open.push(away);
    const message = await away.state().then(
      () => '',
      (error: Error) => error.message,
    );
    expect(message).toContain('the pointer of s3://snapshots/boards in the database of BOARD_STORE cannot be read');
    expect(message).not.toContain('secret');
  });
});
