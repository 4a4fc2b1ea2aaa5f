import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, inject, it } from 'vitest';
import { ROOT } from '../support/tree.ts';

/**
 * Clients that other people's generators make from the OpenAPI document have to compile: generators join names of components,
 * operations, fields and parameters, and fold their case, each in its own way.
 */

const MODULES = join(ROOT, 'test/kits/node_modules');
const run = promisify(execFile);

const ORVAL = `const input = { target: './openapi.json' };
export default {
  single: { input, output: { target: './orval/client.ts', client: 'fetch', mode: 'single' } },
  split: { input, output: { target: './split/client.ts', schemas: './split/model', client: 'fetch', mode: 'tags-split' } },
};
`;
const TSCONFIG = {
  compilerOptions: {
    ...{ strict: true, noEmit: true, skipLibCheck: true, forceConsistentCasingInFileNames: true },
    ...{ target: 'ES2022', module: 'ESNext', moduleResolution: 'bundler', lib: ['ES2023', 'DOM', 'DOM.Iterable'] },
    ...{ types: [], allowImportingTsExtensions: true },
  },
  include: ['use.ts', 'made.ts', 'hey', 'orval', 'split'],
};

/** Names what each of them has to make: an empty folder compiles too. */
const USE = `import type { paths } from './made.ts';
import { trialsSites } from './hey/sdk.gen.ts';
import { trialsSites as ofOrval } from './orval/client.ts';
type Answer = paths['/api/v1/trials/{id}/sites']['get']['responses'][200]['content']['application/json'];
export const countryOf = ({ data }: Answer): string | null | undefined => data.sites[0]?.country;
export const calls = () => [trialsSites({ path: { id: 'NCT90000183' } }), ofOrval('NCT90000183')];
`;

describe('clients that are generated from the OpenAPI document', () => {
  let folder: string;
  const program = async (...args: string[]): Promise<string> => {
    const [path, ...rest] = args as [string, ...string[]];
    const settings = { cwd: folder, env: { PATH: process.env.PATH, CI: 'true', NO_COLOR: '1' }, maxBuffer: 20_000_000 };
    const done = await run(process.execPath, [join(MODULES, path), ...rest], settings).catch(
      ({ stdout, stderr }: { stdout: string; stderr: string }) => {
        throw new Error(`${path}: ${stdout}${stderr}`);
      },
    );
    return done.stdout + done.stderr;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trial-board-generators-'));
    await copyFile(inject('openApiFile'), join(folder, 'openapi.json'));
    await symlink(MODULES, join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'orval.config.mjs'), ORVAL);
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    await writeFile(join(folder, 'use.ts'), USE);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('compile, of openapi-typescript, hey-api and orval', async () => {
    await program('openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'made.ts');
    await program('@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'hey', '--no-log-file');
    await program('orval/dist/bin/orval.mjs', '--config', 'orval.config.mjs');
    await program('typescript/bin/tsc', '-p', '.');
  });
});
