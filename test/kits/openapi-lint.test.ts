import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openOrigin } from '../support/origin.ts';
import { ROOT } from '../support/tree.ts';

const KITS = join(ROOT, 'test/kits');
const run = promisify(execFile);

/** What a linter printed, and whether it was content. */
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
    const cli = 'node_modules/@redocly/cli/bin/cli.js';
    const { content, printed } = await linted([cli, 'lint', '--config', 'redocly.yaml', '--format', 'stylish', file]);
    expect(content, printed).toBe(true);
    expect(printed).not.toMatch(/\bwarning\b/i);
  });

  it('passes the OpenAPI rules of Spectral, without a warning', async () => {
    const cli = 'node_modules/@stoplight/spectral-cli/dist/index.js';
    const { content, printed } = await linted([
      cli,
      'lint',
      '--ruleset',
      'spectral.yaml',
      '--fail-severity',
      'hint',
      file,
    ]);
    expect(content, printed).toBe(true);
  });

  it('would not pass with a fault in it', async () => {
    const broken = join(folder, 'broken.json');
    await writeFile(broken, JSON.stringify({ openapi: '3.1.1', info: { title: 'x' }, paths: { '/a/': { get: {} } } }));
    expect(
      (await linted(['node_modules/@redocly/cli/bin/cli.js', 'lint', '--config', 'redocly.yaml', broken])).content,
    ).toBe(false);
    const spectral = [
      'node_modules/@stoplight/spectral-cli/dist/index.js',
      'lint',
      '--ruleset',
      'spectral.yaml',
      broken,
    ];
    expect((await linted(spectral)).content).toBe(false);
  });
});
