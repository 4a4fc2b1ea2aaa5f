import { type ExecFileOptions, execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sdkModules } from '../../sdk/make/sdk-files.ts';
import { chromiumPath, NO_CHROMIUM } from '../support/chromium.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';
import { ROOT, read } from '../support/tree.ts';

/** Tests the package as users install it, under every runtime that it promises. No runtime reaches the network. */

const run = promisify(execFile);
const MODULES = join(ROOT, 'test', 'kits', 'node_modules');
const CHROMIUM = chromiumPath();
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

let folder: string;
let origin: TestOrigin;
let deno: string;
let bun: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trial-board-consumer-'));
  [origin, deno, bun] = await Promise.all([openOrigin(), binary('@deno', 'deno'), binary('@oven', join('bin', 'bun'))]);
  await writeFile(join(folder, 'package.json'), '{"name":"consumer","version":"1.0.0","type":"module"}\n');
  const flags = ['--registry=http://127.0.0.1:9', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...flags, `${origin.url}/api/v1/sdk.tgz`], { cwd: folder, env: environment() });
});
afterAll(async () => {
  await origin?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Finds a runtime's binary. It lies in the one package that is installed for this platform. */
async function binary(scope: string, path: string): Promise<string> {
  const packages = await readdir(join(MODULES, scope));
  const found = packages.map((name) => join(MODULES, scope, name, path)).find((candidate) => existsSync(candidate));
  if (found === undefined) throw new Error(`${scope} is not installed for this platform under test/kits`);
  return found;
}

/** An environment without the test runner's variables, and with its own home folder for caches. */
function environment(): NodeJS.ProcessEnv {
  return {
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    HOME: folder,
    DENO_DIR: join(folder, '.deno'),
    DENO_NO_UPDATE_CHECK: '1',
    DO_NOT_TRACK: '1',
    NO_COLOR: '1',
  };
}

const options = (): ExecFileOptions & { encoding: 'utf8' } => ({ cwd: folder, env: environment(), encoding: 'utf8' });

/**
 * The program that each runtime runs; its `result` says what the client did. `agent` makes the claims of the runtimes
 * differ.
 */
function program(agent: string): string {
  return `
const client = new TrialBoardClient({ baseUrl: '${origin.url}' });
const cursor = (await client.hello()).data.changes.cursor ?? undefined;
const search = await client.searchTrials({ pageSize: 2 });
const claim = { objectiveId: 'map-one-disease',
  scope: 'asthma, phase 3',
  intent: 'Read every phase 3 trial of asthma and hand back a table of endpoints.',
  agentName: '${agent}',
  idempotencyKey: '7c9e6679-7425-40de-944b-${Buffer.from(agent).toString('hex').padStart(12, '0').slice(-12)}',
};
const first = await client.createClaim(claim);
const second = await client.createClaim(claim);
const refused = await client.getTrial({ canonicalId: 'wt_000000000000' }).catch((error) => error);
let followed;
for await (const event of client.follow({ since: cursor, kind: 'claim' })) {
  followed = event;
  break;
}
const result = { trials: search.data.trials.length,
  replayed: [first._meta.idempotencyReplayed ?? false, second._meta.idempotencyReplayed ?? false],
  sameToken: first.data.releaseToken === second.data.releaseToken && first.data.releaseToken.length > 40,
  refused: [refused instanceof TrialBoardError, refused.code, refused.status, refused.hint.length > 0],
  followed: [followed.kind, followed.action, followed.agentName, followed.id === first.data.id],
};
`;
}

const resultOf = (agent: string) => ({
  trials: 2,
  replayed: [false, true],
  sameToken: true,
  refused: [true, 'TRIAL_NOT_FOUND', 404, true],
  followed: ['claim', 'created', agent, true],
});

async function script(agent: string, from = '@trial-board/sdk'): Promise<string> {
  const path = join(folder, `${agent}.mjs`);
  const imports = `import { TrialBoardClient, TrialBoardError } from '${from}';`;
  await writeFile(path, `${imports}\n${program(agent)}\nconsole.log(JSON.stringify(result));\n`);
  return path;
}

describe('the package', () => {
  it('holds the compiled modules with their types, README and licence, and depends on nothing', async () => {
    const installed = join(folder, 'node_modules', '@trial-board', 'sdk');
    expect((await readdir(installed)).sort()).toEqual(['LICENSE', 'README.md', 'js', 'package.json']);
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    expect([manifest.dependencies, manifest.peerDependencies]).toEqual([undefined, undefined]);
    const names = await readdir(join(installed, 'js'));
    const { compiled } = sdkModules();
    expect(names.sort()).toEqual(Object.keys(compiled).sort());
    for (const name of names) {
      expect(await readFile(join(installed, 'js', name), 'utf8'), name).toBe(compiled[name]);
    }
  });

  it('runs under Node', async () => {
    const { stdout, stderr } = await run(process.execPath, [await script('node')], options());
    expect(JSON.parse(stdout)).toEqual(resultOf('node'));
    expect(stderr).toBe('');
  });

  it('runs under Deno, which may reach only the service', async () => {
    const words = ['run', '--quiet', '--no-remote', '--no-prompt', '--allow-net=127.0.0.1', await script('deno')];
    const { stdout } = await run(deno, words, options());
    expect(JSON.parse(stdout)).toEqual(resultOf('deno'));
  });

  it('runs under Bun', async () => {
    const { stdout } = await run(bun, ['run', '--no-install', await script('bun')], options());
    expect(JSON.parse(stdout)).toEqual(resultOf('bun'));
  });

  it.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('has types that a strict compiler reads without skipping any: %s, %s', async (module, moduleResolution) => {
    const path = join(folder, `consumer-${moduleResolution}.ts`);
    await writeFile(
      path,
      `import { type SearchTrialsArguments, TrialBoardClient } from '@trial-board/sdk';
const given: SearchTrialsArguments = { q: 'asthma', pageSize: 2 };
const client = new TrialBoardClient({ baseUrl: 'http://127.0.0.1' });
export const found: Promise<string> = client.searchTrials(given).then(({ data }) => data.trials[0]!.canonicalId);
// @ts-expect-error no such argument
export const wrong = client.searchTrials({ query: 'asthma' });
`,
    );
    const kinds = ['--module', module, '--moduleResolution', moduleResolution, '--target', 'es2022'];
    const words = [TSC, '--noEmit', '--strict', '--lib', 'es2022,dom,dom.iterable', '--types', '', ...kinds, path];
    const { stdout } = await run(process.execPath, words, options());
    expect(stdout).toBe('');
  });

  it('does what its README shows', async () => {
    const block = /```ts\n([\s\S]*?)```/.exec(read('sdk/README.md'))![1]!;
    const path = join(folder, 'readme.mjs');
    await writeFile(path, block.replaceAll('http://127.0.0.1:3000', origin.url));
    const { stdout } = await run(process.execPath, [path], options());
    expect(stdout).toContain('TRIAL_NOT_FOUND false ');
    expect(stdout.trim().split('\n').at(-1)).toMatch(/ claim created clm_/);
  });
});

describe('the source that the service hands out', () => {
  const installation = async (runtime: string): Promise<{ command: string | null; code: string }> => {
    const { body } = await origin.get('/api/v1/sdk');
    return body.data.install.find((entry: { runtime: string }) => entry.runtime.startsWith(runtime));
  };

  it('is saved by its command and runs under Node and Bun as it is', async () => {
    const { command, code } = await installation('Node');
    await run('sh', ['-c', command!], options());
    const from = /'(.+)'/.exec(code)![1]!;
    const node = await run(process.execPath, [await script('saved-node', from)], options());
    expect(JSON.parse(node.stdout)).toEqual(resultOf('saved-node'));
    expect(node.stderr).toBe('');
    const { stdout } = await run(bun, ['run', '--no-install', await script('saved-bun', from)], options());
    expect(JSON.parse(stdout)).toEqual(resultOf('saved-bun'));
  });

  it('is imported by Deno from the service, as TypeScript', async () => {
    const { code } = await installation('Deno');
    const path = await script('served-deno', /'(.+)'/.exec(code)![1]!);
    const words = ['run', '--quiet', '--no-prompt', '--allow-import=127.0.0.1', '--allow-net=127.0.0.1', path];
    const { stdout } = await run(deno, words, options());
    expect(JSON.parse(stdout)).toEqual(resultOf('served-deno'));
  });

  it('is imported by a page of another origin that the operator allows, in Chromium', async ({ skip }) => {
    skip(CHROMIUM === null, NO_CHROMIUM);
    await using allowing = await openOrigin({ allowedHosts: ['*'] });
    expect(await shownByPage(allowing.url)).toEqual(resultOf('chromium'));
  });

  it('tells a page of another origin that it may not write, in Chromium', async ({ skip }) => {
    skip(CHROMIUM === null, NO_CHROMIUM);
    expect(await shownByPage(origin.url)).toMatchObject({ code: 'FORBIDDEN' });
  });

  /** What the program shows in a page that imports the client from `url`. */
  async function shownByPage(url: string): Promise<unknown> {
    const { code } = await installation('browser');
    const imports = code.replace('{ TrialBoardClient }', '{ TrialBoardClient, TrialBoardError }');
    const page = `<!doctype html><title>p</title><pre id="result">nothing</pre><script type="module">
${imports}
const shown = document.getElementById('result');
try {
${program('chromium')}
shown.textContent = JSON.stringify(result);
} catch (error) {
  shown.textContent = JSON.stringify({ failed: String(error), code: error.code, cause: String(error.cause) });
}
</script>`;
    const dom = await dumpedDom(page.replaceAll(origin.url, url));
    const text = /<pre id="result">(.*?)<\/pre>/s.exec(dom)?.[1]?.replaceAll('&amp;', '&') ?? dom;
    return JSON.parse(text);
  }
});

/** The page's document after its scripts have run. The page comes from another origin than the service. */
async function dumpedDom(page: string): Promise<string> {
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html; charset=utf-8').end(page),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const flags = [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--disable-background-networking',
    '--no-first-run',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    `--user-data-dir=${join(folder, '.chromium')}`,
    // This is no real wait: the virtual clock stands still while a request is under way.
    '--virtual-time-budget=20000',
    '--dump-dom',
  ];
  try {
    const { stdout } = await run(CHROMIUM!, [...flags, `http://127.0.0.1:${port}/`], options());
    return stdout;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
