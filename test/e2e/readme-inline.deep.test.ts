import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../server-kit/config/settings.ts';
import { folderOfFile } from '../support/folders.ts';
import { startProgram } from '../support/pipeline-process.ts';
import { deep } from '../support/runner/amount.ts';

/**
 * Runs the commands that the README and the walkthrough name inside their sentences. Those in its blocks run in readme.test.ts, `bench --
 * full` in bench-full.test.ts and `bench -- rivals` in rivals.test.ts.
 */

const { path: root } = folderOfFile();

// A busy machine is no reason to refuse the README's request.
const start = (words: string[]) =>
  startProgram(words, {
    RATE_LIMITS: 'off',
    DATA_DIR: join(root, 'data'),
    SNAPSHOTS_DIR: join(root, 'snapshots'),
  });

async function run(words: string[]): Promise<{ code: number | null; output: string }> {
  const { code, out, errors } = await start(words).ended;
  return { code, output: out + errors };
}

describe('the README names in passing', () => {
  it('npm start -- --help, which lists every setting', async () => {
    const { code, output } = await run(['tools/start.ts', '--help']);
    expect(code).toBe(0);
    expect(Object.keys(SETTINGS).filter((name) => !output.includes(`  ${name} `))).toEqual([]);
  });

  it('a schedule, which tells its next run and ends on SIGTERM', async () => {
    const { child, ended } = start(['pipeline/cli.ts', 'schedule', '--cron', '0 3 * * *']);
    child.stderr!.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('next run')) child.kill('SIGTERM');
    });
    const { code, errors } = await ended;
    expect(errors).toMatch(/^next run \d{4}-\d\d-\d\dT03:00:00\.000Z$/m);
    expect(code).toBe(0);
  });

  // It takes half a minute, most of it to fill the board.
  deep.only(() => {
    it('a benchmark of the board, here of a small feed for a moment', async () => {
      const { code, output } = await run(['tools/bench/main.ts', 'board', '--events', '10000', '--seconds', '1']);
      expect(code).toBe(0);
      expect(output).toMatch(/\| durable claims on an empty board, 32 connections \| \d+ \|.*\| 0 \|/);
    });
  });
});
