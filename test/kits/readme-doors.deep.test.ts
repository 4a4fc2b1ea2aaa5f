import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sdkModules } from '../../sdk/make/sdk-files.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';
import { ROOT, read } from '../support/tree.ts';

/** The walkthrough asks the README's question through every interface; each of its programs runs here as it is printed. */

const run = promisify(execFile);
const WALKTHROUGH = read('docs/walkthrough.md');
const PROGRAMS = [...WALKTHROUGH.matchAll(/```js\n([\s\S]*?)```/g)].map((match) => match[1]!);
const KITS = join(ROOT, 'test', 'kits', 'node_modules');

let distinct: number;
let folder: string;
let origin: TestOrigin;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trial-board-doors-'));
  origin = await openOrigin();
  distinct = (await origin.get('/api/v1/trials/coverage?q=diabetes')).body.data.distinct;
  const modules = join(folder, 'node_modules');
  const sdk = join(modules, '@trial-board', 'sdk');
  await mkdir(join(sdk, 'js'), { recursive: true });
  await symlink(join(ROOT, 'sdk', 'package.json'), join(sdk, 'package.json'));
  for (const [name, text] of Object.entries(sdkModules().compiled)) await writeFile(join(sdk, 'js', name), text);
  for (const scope of ['@modelcontextprotocol', '@a2a-js']) await symlink(join(KITS, scope), join(modules, scope));
});
afterAll(async () => {
  await origin?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

describe('the question of the README', () => {
  it('is asked through three doors beside curl', () => {
    expect(PROGRAMS.map((program) => /from '([^']+)'/.exec(program)![1])).toEqual([
      '@trial-board/sdk',
      '@modelcontextprotocol/client',
      '@a2a-js/sdk/client',
    ]);
  });

  it('has the same answer on the page for every door', () => {
    const printed = /"distinct": (\d+)/.exec(read('README.md'))![1];
    expect(/^Each prints (\d+)\./m.exec(WALKTHROUGH)![1]).toBe(printed);
  });

  it.each(PROGRAMS.map((program, place) => [/from '([^']+)'/.exec(program)![1]!, program, place] as const))(
    'has the answer that REST gives when %s asks it',
    async (_door, program, place) => {
      const file = join(folder, `door-${place}.mjs`);
      await writeFile(file, program.replaceAll('http://127.0.0.1:3000', origin.url));
      const { stdout } = await run(process.execPath, [file], { cwd: folder });
      expect(stdout).toBe(`${distinct}\n`);
    },
  );
});
