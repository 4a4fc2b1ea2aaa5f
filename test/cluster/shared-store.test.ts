import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type FakeS3, startS3 } from '../../tools/cluster/loopback-s3.ts';
import { COMPILE_CACHE } from '../support/runner/compile-cache.ts';
import { NO_POSTGRES, openDatabase, type TestDatabase } from '../support/runner/postgres.ts';
import { ROOT } from '../support/tree.ts';

/** Publishers on two machines that share an S3 store and a PostgreSQL database, as processes of their own. */

if (NO_POSTGRES !== null) process.stderr.write(`two publishers over one database are not tested: ${NO_POSTGRES}\n`);

let root: string;
let s3: FakeS3;
let database: TestDatabase;

async function pipeline(machine: string, ...words: string[]) {
  const { endpoint, region, accessKeyId, secretAccessKey } = s3.config;
  const child = spawn(process.execPath, ['pipeline/cli.ts', ...words, '--json'], {
    cwd: ROOT,
    env: {
      ...{ PATH: process.env.PATH, ...COMPILE_CACHE },
      ...{ DATA_DIR: join(root, machine, 'data'), SNAPSHOTS_DIR: join(root, machine, 'snapshots') },
      ...{ SNAPSHOT_STORE: 's3://snapshots/boards', BOARD_STORE: database.url },
      ...{ S3_ENDPOINT: endpoint!, S3_REGION: region },
      ...{ S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, said] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'exit')]);
  if (out === '') throw new Error(said);
  return JSON.parse(out);
}

async function rows(sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const { rows: found } = await client.query(sql);
  await client.end();
  return found;
}

describe.runIf(NO_POSTGRES === null)('two publishers over one database', () => {
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'trial-board-publishers-'));
    s3 = await startS3();
    database = await openDatabase();
  });
  afterAll(async () => {
    await database?.[Symbol.asyncDispose]();
    await s3?.[Symbol.asyncDispose]();
    await rm(root, { recursive: true, force: true });
  });

  it('take turns by the lease, and the pointer is a row that both see', async () => {
    const run = ['run', '--source', 'sample', '--sample', inject('sampleDirectory')];
    const machines = ['one', 'two'];
    const [one, two] = await Promise.all(machines.map((machine) => pipeline(machine, ...run)));
    // Which of them is the second, the machine decides.
    const codes = [one.code, two.code].sort();
    expect(codes, `${one.message}\n${two.message}`).toEqual(['LOCKED', 'PUBLISHED']);
    const [winner, loser] = one.code === 'PUBLISHED' ? [one, two] : [two, one];
    expect(loser.message).toMatch(
      /^process \d+ of \S+, since \S+, holds the lease of the pipeline for s3:\/\/snapshots\/boards until /,
    );
    expect(await rows('SELECT store, generation::int, version FROM snapshot_pointer')).toEqual([
      { store: 's3://snapshots/boards', generation: 1, version: winner.published.version },
    ]);
    const behind = one.code === 'PUBLISHED' ? 'two' : 'one';
    expect(await pipeline(behind, ...run)).toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining('`pipeline store pull` first'),
    });
    expect(await pipeline(behind, 'store', 'pull')).toMatchObject({ code: 'DONE', generation: 1 });
    const next = await pipeline(behind, ...run, '--day', '1');
    expect(next).toMatchObject({ code: 'PUBLISHED', pushed: { pointer: { generation: 2 } } });
    expect(await pipeline(behind, 'store', 'status')).toMatchObject({
      pointerIn: 'the pointer of s3://snapshots/boards in the database of BOARD_STORE',
      pointer: { generation: 2, version: next.published.version },
    });
    expect(s3.objects.has('boards/POINTER')).toBe(false);
  });
});
