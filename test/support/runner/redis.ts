import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePorts } from '../../../tools/cluster/ports.ts';

const PROGRAMS = ['/usr/bin/redis-server', '/usr/local/bin/redis-server'];

const program = PROGRAMS.find(existsSync);

/** Why there is no Redis for tests on this machine; null where there is one. */
export const NO_REDIS = program === undefined ? 'no redis-server here: `apt-get install redis-server` brings it' : null;

export interface TestRedis extends AsyncDisposable {
  url: string;
  /** Ends the server at once, as a power cut would. */
  kill(): Promise<void>;
  /** Stops it without closing a connection, as a machine that hangs. */
  freeze(): void;
  thaw(): void;
  /** Starts it again on the same port, empty. */
  restart(): Promise<void>;
}

/** A Redis server of its own on a free port of 127.0.0.1, which keeps nothing on disk. */
export async function openRedis({ password }: { password?: string } = {}): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'trial-board-redis-'));
  const [port] = (await freePorts(1)) as [number];
  const start = () => started(port, folder, password === undefined ? [] : ['--requirepass', password]);
  let server = await start();
  const kill = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
    restart: async () => {
      server = await start();
    },
    async [Symbol.asyncDispose]() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function started(port: number, folder: string, more: readonly string[]): Promise<ChildProcess> {
  if (program === undefined) throw new Error('there is no redis-server');
  const words = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'no',
    ...more,
  ];
  const server = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: server.stdout }).on('line', (line) => {
      if (line.includes('Ready to accept connections')) resolve();
    });
    server.once('exit', (code) => reject(new Error(`redis-server ended with ${code} before it was ready`)));
  });
  return server;
}
