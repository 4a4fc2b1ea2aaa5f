import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openOrigin } from '../support/origin.ts';
import { ROOT } from '../support/tree.ts';

const KITS = join(ROOT, 'test/kits');
const REDOCLY = 'node_modules/@redocly/cli/bin/cli.js';
const SPECTRAL = 'node_modules/@stoplight/spectral-cli/dist/index.js';
const run = promisify(execFile);

/** Runs a linter: what it printed, and whether it found no fault. */
async function linted(args: string[]): Promise<{ content: boolean; printed: string }> {
  const env = { PATH: process.env.PATH, REDOCLY_TELEMETRY: 'off', CI: 'true', NO_COLOR: '1' };
  return run(process.execPath, args, { cwd: KITS, env, maxBuffer: 10_000_000 }).then(
    ({ stdout, stderr }) => ({ content: true, printed: stdout + stderr }),
    ({ stdout, stderr }) => ({ content: false, printed: stdout + stderr }),
  );
}

describe('the document that a running gateway serves', () => {
  let folder: string;
  let file: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trial-board-lint-'));
    file = join(folder, 'openapi.json');
    await using origin = await openOrigin();
    const response = await fetch(`${origin.url}/api/v1/openapi.json`);
    await writeFile(file, await response.text());
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('passes the strict rules of Redocly, without a warning', async () => {
    const rules = ['--config', 'redocly.yaml', '--format', 'stylish'];
    const { content, printed } = await linted([REDOCLY, 'lint', ...rules, file]);
    expect(content, printed).toBe(true);
    expect(printed).not.toMatch(/\bwarning\b/i);
  });

  it('passes the OpenAPI rules of Spectral, without a warning', async () => {
    const rules = ['--ruleset', 'spectral.yaml', '--fail-severity', 'hint'];
    const { content, printed } = await linted([SPECTRAL, 'lint', ...rules, file]);
    expect(content, printed).toBe(true);
  });
});
