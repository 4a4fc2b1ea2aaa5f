import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openOrigin, type TestOrigin } from '../support/origin.ts';
import { ROOT } from '../support/tree.ts';

/** The official kit as its authors publish it. It runs against the whole service over HTTP. */
const KIT = join(ROOT, 'test/kits/node_modules/@modelcontextprotocol/conformance/dist/index.js');

const REVISIONS = ['2025-11-25', '2026-07-28'];

let origin: TestOrigin;
let results: string;

beforeAll(async () => {
  origin = await openOrigin({ allowedHosts: ['localhost', '127.0.0.1'] });
  results = await mkdtemp(join(tmpdir(), 'trial-board-mcp-conformance-'));
});

afterAll(async () => {
  await origin[Symbol.asyncDispose]();
  await rm(results, { recursive: true, force: true });
});

/** Runs the kit. It exits with 1 when a check outside the baseline fails, or when a check in the baseline passes. */
async function conform(revision: string): Promise<{ code: number; output: string }> {
  const baseline = join(ROOT, `test/kits/mcp-baseline-${revision}.yml`);
  const options = ['--suite', 'all', '--spec-version', revision, '--expected-failures', baseline, '-o', results];
  return new Promise((resolve) => {
    execFile(process.execPath, [KIT, 'server', '--url', `${origin.url}/api/v1/mcp`, ...options], (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, output: `${out}${err}` }),
    );
  });
}

it.each(REVISIONS)(
  'the official MCP conformance kit finds nothing at revision %s but features that this server does not offer',
  async (revision) => {
    const { code, output } = await conform(revision);
    expect(output).toContain('✓ dns-rebinding-protection: 2 passed, 0 failed');
    expect(output).toMatch(/✓ tools-list: [34] passed, 0 failed/);
    expect(code, output.slice(output.indexOf('=== SUMMARY ==='))).toBe(0);
  },
);
