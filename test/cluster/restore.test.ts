import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyDatabase } from '../../board-server/store/postgres/verify.ts';
import { freePorts } from '../../tools/cluster/ports.ts';
import { openDatabaseBoard } from '../support/board/database-board.ts';
import { NO_POSTGRES, PostgresServer, postgresPrograms } from '../support/runner/postgres.ts';
import { ROOT } from '../support/tree.ts';
import { until } from '../support/until.ts';

/** The backup of a board on PostgreSQL, by the script that deploy/compose runs, and its restoration to a moment. */

const SCRIPT = join(ROOT, 'deploy/compose/backup.sh');
const REPLICATES = ['wal_level=replica', 'max_wal_senders=5'];

let folder: string;
const started: ChildProcess[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trial-board-restore-'));
});
afterAll(async () => {
  for (const child of started) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await ended;
  }
  await rm(folder, { recursive: true, force: true });
});

function options(port: number) {
  const { folder: programs, account } = postgresPrograms();
  const server = { PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: 'postgres' };
  return { cwd: folder, env: { PATH: `${programs}:${process.env.PATH}`, BACKUP_DIR: folder, ...server }, ...account };
}

/** Starts what goes on until it is told to stop. */
function start(words: string[], port: number, env: Record<string, string> = {}): ChildProcess {
  const { env: own, ...rest } = options(port);
  const stdio = ['ignore', 'ignore', 'inherit'] as const;
  const child = spawn('/bin/sh', [SCRIPT, ...words], { ...rest, env: { ...own, ...env }, stdio: [...stdio] });
  started.push(child);
  return child;
}

async function ask(url: string, sql: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ answer: string }>(sql);
    return rows[0]!.answer;
  } finally {
    await client.end();
  }
}

it.skipIf(NO_POSTGRES !== null)('a board comes back as it was at a moment, with the head that it had', async () => {
  const { account } = postgresPrograms();
  await using server = await PostgresServer.create(REPLICATES);
  const { port } = server;
  // Settings on its command line are in no copy, and a restored server needs as many connections.
  const kept = 'ALTER SYSTEM SET max_connections = 200';
  await server.run([kept, "SELECT pg_create_physical_replication_slot('backup')", 'CREATE DATABASE board']);
  const url = server.url('board');
  if (account) await chown(folder, account.uid, account.gid);
  start(['wal'], port);
  const made = async (count: number) => {
    await using board = await openDatabaseBoard(url);
    for (let number = 0; number < count; number += 1)
      expect((await board.claim(`${count}-${number}`)).status).toBe(201);
  };
  await made(2);
  await promisify(execFile)('/bin/sh', [SCRIPT, 'base'], options(port));
  await pause(1_100);
  await made(3);
  const moment = await ask(url, 'SELECT clock_timestamp()::text AS answer');
  const then = await verifyDatabase(url, null);
  expect([then.events, then.problems]).toEqual([5, []]);
  await made(4);
  const file = await ask(url, 'SELECT pg_walfile_name(pg_switch_wal()) AS answer');
  await until(() => existsSync(join(folder, 'wal', file)));
  expect((await readdir(join(folder, 'base'))).filter((name) => name.startsWith('2'))).toHaveLength(1);

  const [restoredPort] = (await freePorts(1)) as [number];
  const back = start(['restore', moment], port, { RESTORED_PORT: String(restoredPort) });
  const restored = `postgres://postgres@127.0.0.1:${restoredPort}/board`;
  const isOver = () => ask(restored, 'SELECT (NOT pg_is_in_recovery())::text AS answer').catch(() => 'no');
  await until(async () => back.exitCode !== null || (await isOver()) === 'true');
  expect(await verifyDatabase(restored, then.head!.hash)).toMatchObject({
    events: 5,
    head: then.head,
    contains: true,
    problems: [],
  });
});

it.skipIf(NO_POSTGRES !== null)('a moment before every copy is refused', async () => {
  const failed = promisify(execFile)('/bin/sh', [SCRIPT, 'restore', '2026-01-01 00:00:00+00'], options(1));
  await expect(failed).rejects.toThrow(/no copy in .+ was made before 2026-01-01T00-00-00Z/);
});
