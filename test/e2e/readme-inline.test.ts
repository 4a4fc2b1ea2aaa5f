import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SETTINGS } from '../../server-kit/config/settings.ts';
import { chromiumPath, NO_CHROMIUM } from '../support/chromium.ts';
import { amountOf, deep } from '../support/runner/amount.ts';
import { COMPILE_CACHE } from '../support/runner/compile-cache.ts';
import { ROOT } from '../support/tree.ts';

/**
 * Runs the commands that the README and the walkthrough name inside their sentences. Those in its blocks run in readme.test.ts, `bench --
 * full` in bench-full.test.ts and `bench -- rivals` in rivals.test.ts.
 */

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'trial-board-inline-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

function start(words: string[]) {
  const folders = { DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'snapshots') };
  // A busy machine is no reason to refuse the README's request.
  const environment = { PATH: process.env.PATH, RATE_LIMITS: 'off', ...COMPILE_CACHE, ...folders };
  return spawn(process.execPath, words, { cwd: ROOT, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function run(words: string[]): Promise<{ code: number | null; output: string }> {
  const child = start(words);
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

describe('the README names in passing', () => {
  it('npm start -- --help, which lists every setting', async () => {
    const { code, output } = await run(['tools/start.ts', '--help']);
    expect(code).toBe(0);
    expect(Object.keys(SETTINGS).filter((name) => !output.includes(`  ${name} `))).toEqual([]);
  });

  it.for(amountOf({ quick: ['test'], deep: ['test', 'test:all'] }))('npm run %s, here over no file', async (task) => {
    const { code, output } = await run(['tools/launch.mjs', task, 'no-file-of-this-name', '--passWithNoTests']);
    expect(code).toBe(0);
    expect(output).toContain('No test files found, exiting with code 0');
    expect(stripVTControlCharacters(output)).toContain(`projects: ${task === 'test' ? 'quick' : 'all'}`);
  });

  it('the setup of the browser tests, which leaves an installed Chromium alone', async ({ skip }) => {
    skip(chromiumPath() === null, NO_CHROMIUM);
    expect((await run(['tools/launch.mjs', 'test:browser-setup'])).code).toBe(0);
  });

  it('a schedule, which tells its next run and ends on SIGTERM', async () => {
    const child = start(['pipeline/cli.ts', 'schedule', '--cron', '0 3 * * *']);
    let told = '';
    child.stderr.on('data', (chunk: Buffer) => {
      told += chunk.toString();
      if (told.includes('next run')) child.kill('SIGTERM');
    });
    const [code] = (await once(child, 'close')) as [number | null];
    expect(told).toMatch(/^next run \d{4}-\d\d-\d\dT03:00:00\.000Z$/m);
    expect(code).toBe(0);
  });

  // It takes half a minute, most of it to fill the board.
  deep.only(() => {
    it('a benchmark of the board, here of a small feed for a moment', async () => {
      const { code, output } = await run(['tools/bench/main.ts', 'board', '--events', '2000', '--seconds', '1']);
      expect(code).toBe(0);
      expect(output).toMatch(/\| durable claims, 32 connections \| \d+ \|.*\| 0 \|/);
    });
  });
});
