import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Member } from './member.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Settings that all boards and gateways of one cluster share. */
export type Shared = Readonly<Record<string, string | undefined>>;

export function newShared(folder: string, settings: Record<string, string>): Shared {
  return {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node-compile'),
    HOST: '127.0.0.1',
    SNAPSHOTS_DIR: join(folder, 'snapshots'),
    BOARD_SECRET: randomBytes(32).toString('hex'),
    BOARD_KEY_FILE: join(folder, 'board.key'),
    PUBMED_URL: 'off',
    EUROPEPMC_URL: 'off',
    // haproxy stands in front of the gateways.
    TRUST_PROXY: '1',
    ...settings,
  };
}

/** Publishes the synthetic sample, as `npm start` does where there is no snapshot. */
export async function publishSample(folder: string, shared: Shared): Promise<void> {
  const env = { ...shared, DATA_DIR: join(folder, 'pipeline') };
  await promisify(execFile)(process.execPath, ['pipeline/cli.ts', 'run', '--source', 'sample'], { cwd: ROOT, env });
}

/** A board, which keeps nothing on the disk. */
export function boardProcess(folder: string, name: string, port: number, shared: Shared): Member {
  return server(folder, name, port, { ...shared, BOARD_PORT: String(port) }, 'board-server/main.ts');
}

export function gatewayProcess(folder: string, name: string, port: number, shared: Shared): Member {
  return server(folder, name, port, { ...shared, PORT: String(port) }, 'scripts/gateway-process.ts');
}

function server(folder: string, name: string, port: number, settings: Shared, entry: string): Member {
  const dataDir = join(folder, name);
  mkdirSync(dataDir, { recursive: true });
  return new Member({
    name,
    command: [process.execPath, '--max-semi-space-size=16', entry],
    cwd: ROOT,
    env: { ...settings, DATA_DIR: dataDir },
    logFile: join(folder, `${name}.log`),
    isReady: async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok,
  });
}
