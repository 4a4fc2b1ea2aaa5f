import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SNAPSHOTS_LOCK } from '../../pipeline/lock.ts';
import { verify } from '../../pipeline/publish/verify/verify.ts';
import { readCurrent, readManifest, snapshotPath } from '../../snapshot/format/versions/current.ts';
import { LOG_DIR } from '../../snapshot/format/versions/publication-log.ts';
import { RUN_LOG_FILE } from '../../snapshot/format/versions/run-log.ts';
import { readRunLog } from '../../snapshot/format/versions/run-log-reader.ts';
import { type FakeRegistry, startFakeRegistry } from '../fakes/registry-server.ts';
import { isrctnTrial, nct, study } from '../support/live-records.ts';
import { NO_FEEDS } from '../support/no-feeds.ts';
import { COMPILE_CACHE } from '../support/runner/compile-cache.ts';
import { writeTestSample } from '../support/runner/sample-snapshot.ts';
import { ROOT } from '../support/tree.ts';

/** These tests start real processes and kill them. */

/** What a run prints at the start of a step; the test kills it there. */
const KILLED_AT = [
  'fetch isrctn',
  'normalise',
  'dedup links',
  'signals feeds',
  'publish trials',
  'publish canonical_ids',
];

const effects = { now: () => new Date(), progress: () => {}, checkpoint: () => {} };
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'trial-board-kill-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

function start(words: string[], environment: Record<string, string>) {
  return spawn(process.execPath, ['pipeline/cli.ts', ...words], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

async function complete(words: string[], environment: Record<string, string>): Promise<void> {
  const child = start(words, environment);
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  const [code] = (await once(child, 'close')) as [number];
  expect(code, errors).toBe(0);
}

/** Kills the process once it has printed `label`, so that each kill hits another stage on a machine of any speed. */
async function killAt(label: string, words: string[], environment: Record<string, string>): Promise<void> {
  const child = start(words, environment);
  child.stderr.on('data', (chunk: Buffer) => {
    if (chunk.toString().includes(label)) child.kill('SIGKILL');
  });
  await once(child, 'close');
}

describe('a run that is killed', () => {
  it('in any stage leaves nothing half published, and the next run ends as if nothing had happened', async () => {
    const sample = await writeTestSample(root, { seed: 1, ctgov: 250, isrctn: 60, asOf: '2026-10-01' });
    const words = ['run', '--source', 'sample', '--sample', sample];
    const whole = { DATA_DIR: join(root, 'whole'), SNAPSHOTS_DIR: join(root, 'whole-snapshots') };
    await complete(words, whole);
    const expected = await readManifest(snapshotPath(whole.SNAPSHOTS_DIR, (await readCurrent(whole.SNAPSHOTS_DIR))!));
    const broken = { DATA_DIR: join(root, 'broken'), SNAPSHOTS_DIR: join(root, 'broken-snapshots') };
    for (const label of KILLED_AT) {
      await killAt(label, words, broken);
      expect(existsSync(broken.SNAPSHOTS_DIR) ? await readCurrent(broken.SNAPSHOTS_DIR) : null).toBeNull();
    }
    await complete(words, broken);
    const version = (await readCurrent(broken.SNAPSHOTS_DIR))!;
    expect((await readManifest(snapshotPath(broken.SNAPSHOTS_DIR, version))).contentHash).toBe(expected.contentHash);
    expect((await verify(broken.SNAPSHOTS_DIR, version, effects)).problems).toEqual([]);
    // The lock's file stays; what holds the lock is the process, not the file.
    const kept = [SNAPSHOTS_LOCK, version, 'CURRENT', LOG_DIR, RUN_LOG_FILE];
    expect((await readdir(broken.SNAPSHOTS_DIR)).sort()).toEqual(kept.sort());
    const states = (await readRunLog(broken.SNAPSHOTS_DIR)).map(({ state }) => state);
    expect(states).toEqual(['ended', ...KILLED_AT.map(() => 'killed')]);
  });

  it('while fetching goes on at the page it had, and asks for none twice', async () => {
    const studies = Array.from({ length: 2_500 }, (_, index) => study({ nctId: nct(index) }));
    const trials = Array.from({ length: 5 }, (_, index) => isrctnTrial({ number: `9100000${index}` }));
    const registry: FakeRegistry = await startFakeRegistry({
      studies,
      trials,
      dataTimestamp: new Date().toISOString().slice(0, 19),
    });
    const environment = {
      DATA_DIR: join(root, 'live'),
      SNAPSHOTS_DIR: join(root, 'live-snapshots'),
      FEEDS_FILE: NO_FEEDS,
      CTGOV_URL: registry.url,
      ISRCTN_URL: registry.url,
      FETCH_RATE: '4',
    };
    const words = ['fetch', '--registry', 'clinicaltrials_gov', '--mode', 'full'];
    await killAt('fetch clinicaltrials_gov: 1000', words, environment);
    await complete(words, environment);
    const pages = registry.requests.filter((request) => request.startsWith('/api/v2/studies'));
    expect(pages.filter((request) => !request.includes('pageToken'))).toHaveLength(1);
    // One more request is allowed: a page may have been under way when the process died.
    expect(pages.length).toBeLessThanOrEqual(4);
    await registry.close();
  });
});
