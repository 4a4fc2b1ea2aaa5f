import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sdkModules } from '../../sdk/make/sdk-files.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';
import { deep } from '../support/runner/amount.ts';
import { ROOT } from '../support/tree.ts';

/**
 * Tests the package that a running service hands out: npm installs it into an empty folder, and a program is compiled
 * against it and run.
 */

const run = promisify(execFile);
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
// npm asks no other machine: the package has no dependencies.
const FLAGS = ['--registry=http://127.0.0.1:9', '--no-audit', '--no-fund', '--loglevel=error'];

let folder: string;
let origin: TestOrigin;
const inFolder = (cwd: string) => ({
  cwd,
  env: { PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`, HOME: folder },
  encoding: 'utf8' as const,
});
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trial-board-package-'));
  origin = await openOrigin();
});
afterAll(async () => {
  await origin?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

describe('GET /api/v1/sdk.tgz', () => {
  it('is the same bytes each time, with a validator', async () => {
    const response = await fetch(`${origin.url}/api/v1/sdk.tgz`);
    expect(response.headers.get('content-type')).toBe('application/gzip');
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(Buffer.from(await (await fetch(`${origin.url}/api/v1/sdk.tgz`)).arrayBuffer()).equals(bytes)).toBe(true);
    const etag = response.headers.get('etag')!;
    expect((await fetch(`${origin.url}/api/v1/sdk.tgz`, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  it('names its module and its types also for resolvers that read no exports', async () => {
    const { main, types, exports } = JSON.parse(await readFile(join(ROOT, 'sdk', 'package.json'), 'utf8'));
    expect({ types, default: main }).toEqual(exports['.']);
    for (const path of [main, types])
      expect(sdkModules().compiled[path.replace('./js/', '').replace('js/', '')]).toContain('TrialBoardClient');
  });

  deep.it('is installed by npm into an empty folder, and a strict program compiles against it and runs', async () => {
    const consumer = await mkdtemp(join(folder, 'consumer-'));
    await writeFile(join(consumer, 'package.json'), '{"name":"consumer","version":"1.0.0","type":"module"}\n');
    await run('npm', ['install', ...FLAGS, `${origin.url}/api/v1/sdk.tgz`], inFolder(consumer));
    await writeFile(
      join(consumer, 'program.ts'),
      `import { type Trial, TrialBoardClient } from '@trial-board/sdk';
const client = new TrialBoardClient({ baseUrl: '${origin.url}' });
const { data } = await client.searchTrials({ pageSize: 1 });
const trial: Trial = (await client.getTrial({ canonicalId: data.trials[0]!.canonicalId })).data;
// @ts-expect-error no such field
trial.promise;
console.log(trial.canonicalId === data.trials[0]!.canonicalId);
`,
    );
    const words = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom', '--types', ''];
    const compiled = await run(process.execPath, [TSC, ...words, 'program.ts'], inFolder(consumer));
    expect(compiled.stdout).toBe('');
    const { stdout } = await run(process.execPath, ['program.js'], inFolder(consumer));
    expect(stdout).toBe('true\n');
  });
});
