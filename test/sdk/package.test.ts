import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { sdkPackage } from '../../gateway/sdk-package.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';
import { deeperPass, firstPass } from '../support/runner/pass.ts';
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

/** Every file below a folder, by its path. */
async function contents(below: string): Promise<Record<string, string>> {
  const entries = await readdir(below, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const texts = await Promise.all(files.map((path) => readFile(path, 'utf8')));
  return Object.fromEntries(files.map((path, at) => [path.slice(below.length + 1), texts[at]!]));
}

describe('GET /api/v1/sdk.tgz', () => {
  firstPass.it('is the same bytes each time, with a validator', async () => {
    const response = await fetch(`${origin.url}/api/v1/sdk.tgz`);
    expect(response.headers.get('content-type')).toBe('application/gzip');
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.equals(sdkPackage(join(ROOT, 'sdk')))).toBe(true);
    const etag = response.headers.get('etag')!;
    expect((await fetch(`${origin.url}/api/v1/sdk.tgz`, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  firstPass.it('names its module and its types also for resolvers that read no exports', async () => {
    const { main, types, exports } = JSON.parse(await readFile(join(ROOT, 'sdk', 'package.json'), 'utf8'));
    expect({ types, default: main }).toEqual(exports['.']);
    for (const path of [main, types])
      expect(await readFile(join(ROOT, 'sdk', path), 'utf8')).toContain('TrialBoardClient');
  });

  deeperPass.it(
    'is installed by npm into an empty folder, and a strict program compiles against it and runs',
    async () => {
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
    },
  );

  firstPass.it('holds the files that `npm pack` in sdk/ packs', async () => {
    const copy = await mkdtemp(join(folder, 'checkout-'));
    await cp(join(ROOT, 'sdk'), join(copy, 'sdk'), { recursive: true });
    await cp(join(ROOT, 'LICENSE'), join(copy, 'LICENSE'));
    await rm(join(copy, 'sdk', 'js', 'types.d.ts'), { force: true });
    await run('npm', ['pack', ...FLAGS], inFolder(join(copy, 'sdk')));
    await writeFile(join(copy, 'served.tgz'), sdkPackage(join(ROOT, 'sdk')));
    const unpacked = async (tarball: string): Promise<Record<string, string>> => {
      const target = await mkdtemp(join(copy, 'unpacked-'));
      await run('tar', ['-xzf', tarball, '-C', target]);
      return contents(join(target, 'package'));
    };
    const packed = await unpacked(join(copy, 'sdk', 'trial-board-sdk-0.1.0.tgz'));
    expect(Object.keys(packed)).toContain('js/types.d.ts');
    expect(await unpacked(join(copy, 'served.tgz'))).toEqual(packed);
  });
});
