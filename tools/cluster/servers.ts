import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { environment } from '../../server-kit/config/env.ts';
import { Member } from './member.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Settings that all boards and gateways of one cluster share. */
export type Shared = Readonly<Record<string, string | undefined>>;

export function newShared(folder: string, settings: Record<string, string>): Shared {
  return {
    PATH: environment().PATH,
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node-compile'),
    HOST: '127.0.0.1',
    BOARD_SECRET: randomBytes(32).toString('hex'),
    BOARD_KEY_FILE: join(folder, 'board.key'),
    PUBMED_URL: 'off',
    EUROPEPMC_URL: 'off',
    // Gateways look at boards, and haproxy at gateways, once a second or more often: each has turned to others by then.
    DRAIN_NOTICE: '3',
    // haproxy stands in front of the gateways.
    TRUST_PROXY: '1',
    ...settings,
  };
}

/** Publishes the synthetic sample, as `npm start` does where there is no snapshot. */
export async function publishSample(folder: string, shared: Shared): Promise<void> {
  const own = join(folder, 'pipeline');
  const env = { ...shared, DATA_DIR: own, SNAPSHOTS_DIR: join(own, 'snapshots') };
  await promisify(execFile)(process.execPath, ['pipeline/cli.ts', 'run', '--source', 'sample'], { cwd: ROOT, env });
}

/** A board, which keeps nothing on the disk and reads the snapshot that the gateway of its machine brought. */
export function boardProcess(folder: string, at: number, port: number, shared: Shared): Member {
  const own = { BOARD_PORT: String(port), SNAPSHOTS_DIR: snapshotsOf(folder, at) };
  return server(folder, `board${at + 1}`, { ...shared, ...own }, 'board-server/main.ts', `${port}/healthz`);
}

/** A gateway, with the process beside it that follows the store of snapshots. */
export function gatewayProcess(folder: string, at: number, port: number, shared: Shared): Member {
  const own = { PORT: String(port), SNAPSHOTS_DIR: snapshotsOf(folder, at) };
  return server(folder, `gateway${at + 1}`, { ...shared, ...own }, 'tools/start.ts', `${port}/readyz`);
}

/** Of the machine, where each board stands beside a gateway. */
function snapshotsOf(folder: string, at: number): string {
  return join(folder, `snapshots${at + 1}`);
}

/** `ready`: port and path that are answered with 200 once it serves. */
function server(folder: string, name: string, settings: Shared, entry: string, ready: string): Member {
  const dataDir = join(folder, name);
  mkdirSync(dataDir, { recursive: true });
  return new Member({
    name,
    command: [process.execPath, '--max-semi-space-size=16', entry],
    cwd: ROOT,
    env: { ...settings, DATA_DIR: dataDir },
    logFile: join(folder, `${name}.log`),
    isReady: async () => (await fetch(`http://127.0.0.1:${ready}`)).ok,
  });
}
